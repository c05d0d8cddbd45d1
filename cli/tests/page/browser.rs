//! Browser over the page that the real binary serves.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::driver::{Browser, there_is_a_browser};
pub use crate::driver::{DEVICES, Device};
use crate::server::Server;
use crate::wait;

/// Asserts that a condition about the page becomes true: the effect of a click may be seen a moment later.
macro_rules! eventually {
    ($condition:expr $(,)?) => {
        crate::wait::until(stringify!($condition), || $condition)
    };
    ($condition:expr, $($about:tt)+) => {
        crate::wait::until(&format!($($about)+), || $condition)
    };
}

/// Asserts that two values become equal; the second is taken once.
macro_rules! eventually_eq {
    ($shown:expr, $expected:expr $(, $($about:tt)*)?) => {{
        let expected = &$expected;
        crate::wait::comes_true(stringify!($shown), || $shown == *expected);
        assert_eq!($shown, *expected $(, $($about)*)?);
    }};
}

/// Asserts that two values become different.
macro_rules! eventually_ne {
    ($shown:expr, $before:expr $(, $($about:tt)*)?) => {{
        let before = &$before;
        crate::wait::comes_true(stringify!($shown), || $shown != *before);
        assert_ne!($shown, *before $(, $($about)*)?);
    }};
}

/// Page in a browser.
pub struct Page {
    pub device: Device,
    browser: Browser,
    server: Option<Server>,
    origin: String,
    /// True if the test has ended the server. The browser's log then has failed requests.
    pub cut_off: bool,
}

/// Runs a test in a tab of its own at `address`, the part after `#`. Afterwards nothing may be in the
/// browser's log, and no request may have left the origin.
///
/// Without a browser it prints a message and does nothing; with `PUZZLEDB_BROWSER=required` it fails.
pub fn browse(device: Device, address: &str, test: impl FnOnce(&mut Page)) {
    if !there_is_a_browser() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(home.path(), &["--shapes", "2x3,3x3,4x4"]);
    browse_with(device, server, address, test);
}

/// Runs a test as [`browse`] does, on a desktop, and in the full run on a telephone at the same time.
pub fn browse_on_each(address: &str, test: impl Fn(&mut Page) + Sync) {
    if !crate::full::is_full() {
        return browse(Device::Desktop, address, test);
    }
    let test = &test;
    std::thread::scope(|scope| {
        for device in DEVICES {
            scope.spawn(move || browse(device, address, test));
        }
    });
}

/// Runs a test as [`browse`] does, with this server.
pub fn browse_with(device: Device, server: Server, address: &str, test: impl FnOnce(&mut Page)) {
    let origin = format!("http://{}", server.address);
    browse_at(device, &origin, Some(server), address, test);
}

/// Runs a test as [`browse`] does, with the page at `origin`: an address without the last slash, or that of one file.
pub fn browse_at(
    device: Device,
    origin: &str,
    server: Option<Server>,
    address: &str,
    test: impl FnOnce(&mut Page),
) {
    if !there_is_a_browser() {
        return;
    }
    assert!(!wait::is_hopeless(), "not tried: other waits have failed");
    let mut page = Page {
        device,
        browser: Browser::lend(device),
        server,
        origin: origin.to_owned(),
        cut_off: false,
    };
    page.visit(address);
    test(&mut page);
    page.is_clean();
    page.browser.give_back(origin);
}

impl Page {
    /// Goes to another address of the page, as if it were typed.
    pub fn visit(&self, address: &str) {
        self.go("about:blank");
        let folder = if self.is_file() { "" } else { "/" };
        let address = format!("{}{folder}#{address}", self.origin);
        self.go(&address);
        self.until("document.getElementById('distance').textContent !== '–'");
    }

    /// Whether the page is one file of this disk.
    fn is_file(&self) -> bool {
        self.origin.starts_with("file:")
    }

    fn go(&self, address: &str) {
        self.browser.post("url", &json!({"url": address}));
    }

    /// Presses the browser's Back.
    pub fn back(&self) {
        self.browser.post("back", &json!({}));
    }

    /// Ends the server and waits until the page shows that it is offline.
    pub fn end_server(&mut self) {
        self.cut_off = true;
        drop(self.server.take());
        self.until("document.getElementById('badge').textContent === 'offline'");
    }

    /// Asserts that the browser's log is empty and that no request went to another origin.
    fn is_clean(&self) {
        let log = self.browser.log();
        let expected = |entry: &&Value| {
            // The request that found the server gone, or that of the manifest's icon, which the browser
            // fetches at any time.
            let said = entry["message"].as_str().unwrap_or_default();
            self.cut_off && (entry["source"] == "network" || said.contains("/page/icon.svg"))
        };
        let bad: Vec<_> = log.iter().filter(|entry| !expected(entry)).collect();
        assert!(bad.is_empty(), "the browser's log has {bad:?}");
        let asked = self.eval("performance.getEntriesByType('resource').map(e => e.name)");
        let asked = asked.as_array().unwrap();
        let few = !self.is_file() && asked.len() < 2;
        assert!(!few, "the page's own files are among {asked:?}");
        let origin: String = self.origin.split_inclusive('/').take(3).collect();
        for address in asked {
            let address = address.as_str().unwrap();
            let own = [&*origin, "blob:", "data:"];
            let own = own.iter().any(|own| address.starts_with(own));
            assert!(own, "{address} is not on {origin}");
        }
    }

    /// Value of an expression in the page; one that fails, as for an element that is not there yet, is
    /// tried again.
    pub fn eval(&self, expression: &str) -> Value {
        let script = format!(
            "try {{ return {{value: ({expression})}}; }} catch (e) {{ return {{thrown: '' + e}}; }}"
        );
        let script = json!({"script": script, "args": []});
        let mut found = Value::Null;
        let is_evaluated = wait::comes_true(expression, || {
            found = self.browser.post("execute/sync", &script);
            found["thrown"].is_null()
        });
        assert!(is_evaluated, "{expression}: {}", found["thrown"]);
        found["value"].take()
    }

    /// Value that a function body returns, which may await.
    pub fn run(&self, body: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {body} }})().then(done, e => done('' + e));"
        );
        self.browser
            .post("execute/async", &json!({"script": script, "args": []}))
    }

    /// Waits for an expression to be true.
    pub fn until(&self, expression: &str) {
        wait::until(expression, || {
            self.eval(&format!("Boolean({expression})")) == json!(true)
        });
    }

    /// Path of the commands about an element.
    fn find(&self, css: &str) -> String {
        let query = json!({"using": "css selector", "value": css});
        let found = self.browser.post("element", &query);
        let id = &found["element-6066-11e4-a52e-4f735466cecf"]; // the protocol's name of an element
        format!("element/{}", id.as_str().unwrap())
    }

    /// Property of an element by the browser: `displayed`, `enabled`, `attribute/NAME`, and so on.
    fn ask(&self, css: &str, question: &str) -> Value {
        self.command("GET", css, question, None)
    }

    /// Result of a command about an element, which is found again if the page replaces it meanwhile.
    fn command(&self, method: &str, css: &str, name: &str, body: Option<&Value>) -> Value {
        let mut value = None;
        wait::until(&format!("{css} stands still for {name}"), || {
            let path = format!("{}/{name}", self.find(css));
            value = self.browser.about_element(method, &path, body);
            value.is_some()
        });
        value.unwrap()
    }

    pub fn is_displayed(&self, css: &str) -> bool {
        self.ask(css, "displayed") == json!(true)
    }

    pub fn is_enabled(&self, css: &str) -> bool {
        self.ask(css, "enabled") == json!(true)
    }

    pub fn attribute(&self, css: &str, name: &str) -> String {
        let value = self.ask(css, &format!("attribute/{name}"));
        value.as_str().unwrap().to_owned()
    }

    /// Name of an element for a screen reader.
    pub fn name(&self, css: &str) -> String {
        let name = self.ask(css, "computedlabel");
        name.as_str().unwrap().to_owned()
    }

    /// Opens or closes the sheet of panels of a telephone, so that an element can be tapped.
    fn uncover(&self, css: &str) {
        self.eval(&format!(
            "(() => {{ const [e, sheet] = [document.querySelector({css:?}), document.getElementById('panels')];
            if (!sheet || getComputedStyle(sheet).position !== 'fixed' || e.matches('[role=tab]')) return;
            if (sheet.contains(e) !== sheet.classList.contains('open')) document.querySelector('[aria-selected=true]').click();
            e.scrollIntoView({{block: 'nearest'}}); }})()"
        ));
    }

    /// Clicks, or taps, an element; once more if an answer moved it away from the pointer.
    pub fn click(&self, css: &str) {
        self.uncover(css);
        let watch = format!(
            "(() => {{ const e = document.querySelector({css:?}); window.missed = true;
            addEventListener('click', at => window.missed = !at.composedPath().includes(e),
            {{capture: true, once: true}}); }})()"
        );
        let clicked = || {
            self.eval(&watch);
            self.command("POST", css, "click", Some(&json!({})));
            self.eval("window.missed === true") == json!(false)
        };
        wait::until(&format!("a click meets {css}"), clicked);
    }

    /// Types into an element, or chooses a file.
    pub fn send_keys(&self, css: &str, text: &str) {
        self.command("POST", css, "value", Some(&json!({"text": text})));
    }

    /// Text of an element, shown or not.
    pub fn text(&self, css: &str) -> String {
        let expression = format!("document.querySelector({css:?}).textContent");
        self.eval(&expression).as_str().unwrap().to_owned()
    }

    /// Presses keys, one after the other, wherever the focus is.
    pub fn press(&self, keys: &str) {
        let stroke =
            |key: char| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key}));
        let actions: Vec<Value> = keys.chars().flat_map(stroke).collect();
        self.act(json!({"type": "key", "id": "keyboard", "actions": actions}));
    }

    /// Presses at one place, goes to another, and lets go: with the finger on a telephone, else with
    /// the mouse. Places are in pixels of the window.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let go =
            |(x, y): (f64, f64), ms| json!({"type": "pointerMove", "x": x, "y": y, "duration": ms});
        let kind = match self.device {
            Device::Desktop => "mouse",
            Device::Telephone => "touch",
        };
        self.act(json!({
            "type": "pointer", "id": kind, "parameters": {"pointerType": kind},
            "actions": [go(from, 0), {"type": "pointerDown", "button": 0}, go(to, 100), {"type": "pointerUp", "button": 0}],
        }));
    }

    /// Presses the mouse at one place and goes to another without letting go.
    pub fn press_at(&self, from: (f64, f64), to: (f64, f64)) {
        let go =
            |(x, y): (f64, f64), ms| json!({"type": "pointerMove", "x": x, "y": y, "duration": ms});
        self.act(json!({
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
            "actions": [go(from, 0), {"type": "pointerDown", "button": 0}, go(to, 100)],
        }));
    }

    /// Lets the mouse go.
    pub fn let_go(&self) {
        self.act(json!({
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
            "actions": [{"type": "pointerUp", "button": 0}],
        }));
    }

    fn act(&self, input: Value) {
        self.browser.post("actions", &json!({"actions": [input]}));
    }

    /// Drags an element onto another nearby.
    pub fn drag_onto(&self, from: &str, to: &str) {
        self.middle(to);
        let from = self.middle(from);
        let to = self.place(to);
        self.drag(from, to);
    }

    /// Middle of an element, which is scrolled into view.
    pub fn middle(&self, css: &str) -> (f64, f64) {
        let into_view =
            format!("document.querySelector({css:?}).scrollIntoView({{block: 'center'}})");
        self.eval(&into_view);
        self.place(css)
    }

    /// Middle of an element.
    fn place(&self, css: &str) -> (f64, f64) {
        let place = self
            .eval(&format!(
                "(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector({css:?}).getBoundingClientRect())"
            ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Sets a field, with the events of typing or sliding.
    pub fn set(&self, css: &str, value: &str) {
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({css:?}); e.value = {value:?};
            e.dispatchEvent(new Event('input', {{bubbles: true}}));
            e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
        ));
    }

    /// Board as it is seen: each tile at the place where it is drawn.
    pub fn board(&self) -> String {
        let word = self
            .eval(
                "(() => { const [rows, cols] = document.getElementById('board').dataset.shape.split('x');
                const cells = Array(rows * cols).fill(0);
                for (const t of document.querySelectorAll('.tile'))
                  cells[cols * t.style.getPropertyValue('--y') + 1 * t.style.getPropertyValue('--x')] = (+t.dataset.tile).toString(25);
                return cells.join(''); })()",
            );
        word.as_str().unwrap().to_owned()
    }

    /// Saves a screenshot.
    pub fn shoot(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../page-screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        self.at_rest();
        let picture = self.picture();
        let name = format!("{name}-{:?}.png", self.device).to_lowercase();
        std::fs::write(folder.join(name), picture).unwrap();
    }

    /// Waits until the tiles have come to rest.
    pub fn at_rest(&self) {
        self.run("await Promise.all(document.getAnimations().map(a => a.finished.catch(() => 0)))");
    }

    /// Screenshot as a PNG file.
    pub fn picture(&self) -> Vec<u8> {
        let picture = self.browser.get("screenshot");
        let picture = picture.as_str().unwrap().as_bytes();
        data_encoding::BASE64.decode(picture).unwrap()
    }

    /// Gives the page a window of this size, in pixels.
    pub fn window(&self, width: u32, height: u32) {
        self.browser.cdp(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
        );
    }

    /// Sets a preference that the browser usually takes from the system: `light` or `dark`, and so on.
    pub fn prefer(&self, feature: &str, value: &str) {
        let features = json!([{"name": feature, "value": value}]);
        self.browser
            .cdp("Emulation.setEmulatedMedia", &json!({"features": features}));
    }
}
