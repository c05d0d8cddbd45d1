//! A browser over the page that the real binary serves.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
    TouchActions,
};
use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

pub use crate::driver::{DEVICES, Device};
use crate::driver::{Extra, Program, start, start_browser, there_is_a_browser};

/// How long a change of the page is waited for, on a machine that may have much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page in a browser.
pub struct Page {
    pub device: Device,
    client: Client,
    server: Option<Program>,
    _driver: Program,
    origin: String,
    /// Is the server meant to be gone? Then the browser's log has failed requests.
    pub cut_off: bool,
}

/// Runs a test on a fresh browser at `address`, the part after `#`. Afterwards nothing may be in the
/// browser's log, and no request may have left the origin.
///
/// Without a browser it says so, and does nothing, unless `PUZZLEDB_BROWSER=required`.
pub fn browse(device: Device, address: &str, test: impl AsyncFnOnce(&mut Page)) {
    if !there_is_a_browser() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let (server, origin) = serve(home.path(), "2x3,3x3,4x4");
    browse_at(device, &origin, Some(server), address, test);
}

/// A server of these shapes with its databases in `dir`, and its address.
pub fn serve(dir: &Path, shapes: &str) -> (Program, String) {
    let mut serve = crate::run::puzzledb(dir);
    serve.args(["serve", "--listen", "127.0.0.1:0", "--shapes", shapes]);
    start(serve.stderr(Stdio::null()), |line| {
        Some(line.strip_prefix("listening on ")?.to_owned())
    })
}

/// The same with the page at `origin`, an address without the last slash.
pub fn browse_at(
    device: Device,
    origin: &str,
    server: Option<Program>,
    address: &str,
    test: impl AsyncFnOnce(&mut Page),
) {
    if !there_is_a_browser() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let mut page = runtime.block_on(Page::open(device, origin, server));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            page.visit(address).await;
            test(&mut page).await;
            page.is_clean().await;
        });
    }));
    runtime.block_on(page.close());
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

impl Page {
    async fn open(device: Device, origin: &str, server: Option<Program>) -> Page {
        let (driver, client) = start_browser(device).await;
        Page {
            device,
            client,
            server,
            _driver: driver,
            origin: origin.to_owned(),
            cut_off: false,
        }
    }

    /// Goes to another address of the page, as if it were typed.
    pub async fn visit(&self, address: &str) {
        self.client.goto("about:blank").await.unwrap();
        let address = format!("{}/#{address}", self.origin);
        self.client.goto(&address).await.unwrap();
        self.until("document.getElementById('distance').textContent !== '–'")
            .await;
    }

    /// The browser's Back.
    pub async fn back(&self) {
        self.client.back().await.unwrap();
    }

    /// Ends the browser; its driver and the server end with the page.
    async fn close(self) {
        let _ = self.client.clone().close().await;
    }

    /// Ends the server and waits until the page has noticed.
    pub async fn end_server(&mut self) {
        self.cut_off = true;
        self.server.as_mut().unwrap().end();
        self.until("document.getElementById('badge').textContent === 'offline'")
            .await;
    }

    /// Nothing in the browser's log, no request to another origin.
    async fn is_clean(&self) {
        let log = self.command("se/log", json!({"type": "browser"})).await;
        let log: Vec<&Value> = log.as_array().unwrap().iter().collect();
        let expected = |entry: &&&Value| {
            self.cut_off && entry["source"] == "network" // the request that found the server gone
        };
        let bad: Vec<_> = log.iter().filter(|entry| !expected(entry)).collect();
        assert!(bad.is_empty(), "the browser's log has {bad:?}");
        let asked = self
            .eval("performance.getEntriesByType('resource').map(e => e.name)")
            .await;
        let asked = asked.as_array().unwrap();
        assert!(asked.len() > 5, "the page's own files are among {asked:?}");
        for address in asked {
            let address = address.as_str().unwrap();
            let own = address.starts_with(&self.origin) || address.starts_with("blob:");
            assert!(own, "{address} is not on {}", self.origin);
        }
    }

    /// The value of an expression in the page.
    pub async fn eval(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        let value = self.client.execute(&script, Vec::new()).await;
        value.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The value of a function body that may await, and returns what is wanted.
    pub async fn run(&self, body: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {body} }})().then(done, e => done('' + e));"
        );
        let value = self.client.execute_async(&script, Vec::new()).await;
        value.unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    /// Waits for an expression to be true.
    pub async fn until(&self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.eval(&format!("Boolean({expression})")).await != json!(true) {
            assert!(Instant::now() < end, "this did not come true: {expression}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn find(&self, css: &str) -> Element {
        let found = self.client.find(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// Clicks, or taps, an element.
    pub async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap_or_else(|error| {
            panic!("{css} cannot be clicked: {error}");
        });
    }

    /// The text of an element, shown or not.
    pub async fn text(&self, css: &str) -> String {
        let expression = format!("document.querySelector({css:?}).textContent");
        self.eval(&expression).await.as_str().unwrap().to_owned()
    }

    /// What a screen reader calls an element.
    pub async fn name(&self, css: &str) -> String {
        let id = self.find(css).await.element_id();
        let path = format!("element/{}/computedlabel", id.as_ref());
        let name = self.get(path).await;
        name.as_str().unwrap().to_owned()
    }

    /// Presses keys, one after the other, wherever the focus is.
    pub async fn press(&self, keys: &str) {
        let strokes =
            keys.chars()
                .fold(KeyActions::new("keyboard".to_owned()), |actions, value| {
                    actions
                        .then(KeyAction::Down { value })
                        .then(KeyAction::Up { value })
                });
        self.client.perform_actions(strokes).await.unwrap();
    }

    /// Presses at one place, goes to another, and lets go: with the finger on a telephone, else with
    /// the mouse. Places are in pixels of the window.
    pub async fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let go = |(x, y): (f64, f64), ms| PointerAction::MoveTo {
            duration: Some(Duration::from_millis(ms)),
            x,
            y,
        };
        let (down, up) = (
            PointerAction::Down {
                button: MOUSE_BUTTON_LEFT,
            },
            PointerAction::Up {
                button: MOUSE_BUTTON_LEFT,
            },
        );
        let performed = match self.device {
            Device::Desktop => {
                let actions = MouseActions::new("mouse".to_owned())
                    .then(go(from, 0))
                    .then(down)
                    .then(go(to, 100))
                    .then(up);
                self.client.perform_actions(actions).await
            }
            Device::Telephone => {
                let actions = TouchActions::new("finger".to_owned())
                    .then(go(from, 0))
                    .then(down)
                    .then(go(to, 100))
                    .then(up);
                self.client.perform_actions(actions).await
            }
        };
        performed.unwrap();
    }

    /// Drags an element onto another nearby.
    pub async fn drag_onto(&self, from: &str, to: &str) {
        self.middle(to).await;
        let from = self.middle(from).await;
        let to = self.place(to).await;
        self.drag(from, to).await;
    }

    /// The middle of an element, which is scrolled into view.
    pub async fn middle(&self, css: &str) -> (f64, f64) {
        let into_view =
            format!("document.querySelector({css:?}).scrollIntoView({{block: 'center'}})");
        self.eval(&into_view).await;
        self.place(css).await
    }

    /// The middle of an element.
    async fn place(&self, css: &str) -> (f64, f64) {
        let place = self
            .eval(&format!(
                "(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector({css:?}).getBoundingClientRect())"
            ))
            .await;
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Sets a field, as a person who types or slides would.
    pub async fn set(&self, css: &str, value: &str) {
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({css:?}); e.value = {value:?};
            e.dispatchEvent(new Event('input', {{bubbles: true}}));
            e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
        ))
        .await;
    }

    /// The board as it is seen: each tile at the place where it is drawn.
    pub async fn board(&self) -> String {
        let word = self
            .eval(
                "(() => { const [rows, cols] = document.getElementById('board').dataset.shape.split('x');
                const cells = Array(rows * cols).fill(0);
                for (const t of document.querySelectorAll('.tile'))
                  cells[cols * t.style.getPropertyValue('--y') + 1 * t.style.getPropertyValue('--x')] = (+t.dataset.tile).toString(25);
                return cells.join(''); })()",
            )
            .await;
        word.as_str().unwrap().to_owned()
    }

    /// Keeps a picture of what is seen.
    pub async fn shoot(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../page-screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        self.at_rest().await;
        let picture = self.picture().await;
        let name = format!("{name}-{:?}.png", self.device).to_lowercase();
        std::fs::write(folder.join(name), picture).unwrap();
    }

    /// Waits until the tiles have come to rest.
    pub async fn at_rest(&self) {
        self.run("await Promise.all(document.getAnimations().map(a => a.finished.catch(() => 0)))")
            .await;
    }

    /// What is seen, as a PNG file.
    pub async fn picture(&self) -> Vec<u8> {
        self.client.screenshot().await.unwrap()
    }

    /// Asks the browser for what it usually asks the system: `light` or `dark`, and so on.
    pub async fn prefer(&self, feature: &str, value: &str) {
        let features = json!([{"name": feature, "value": value}]);
        let command =
            json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}});
        self.command("goog/cdp/execute", command).await;
    }

    async fn get(&self, path: String) -> Value {
        self.client
            .issue_cmd(Extra { path, body: None })
            .await
            .unwrap()
    }

    async fn command(&self, path: &str, body: Value) -> Value {
        let extra = Extra {
            path: path.to_owned(),
            body: Some(body.to_string()),
        };
        self.client.issue_cmd(extra).await.unwrap()
    }
}
