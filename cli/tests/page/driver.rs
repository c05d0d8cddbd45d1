//! Browsers and their commands, by the WebDriver protocol (<https://www.w3.org/TR/webdriver2/>).
//!
//! A browser takes longer to start than most tests take, so the browser of a finished test is lent to the next:
//! each test has a tab of its own, without data of the test before.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, Once};
use std::time::Duration;

use serde_json::{Value, json};

use crate::wait;

/// Devices on which the page is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// 1280 x 800, keyboard and mouse.
    Desktop,
    /// 360 x 740, touch.
    Telephone,
}

pub const DEVICES: [Device; 2] = [Device::Desktop, Device::Telephone];

/// Returns whether there is a browser to be driven. If not, prints a message, or panics if one is required.
pub fn there_is_a_browser() -> bool {
    let found = |name: &str| {
        let quiet = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        quiet.is_ok()
    };
    if found("chromedriver") {
        return true;
    }
    let needs = "the tests of the page drive a browser: install the packages chromium and \
                 chromium-driver (Debian), so that `chromedriver` is on the path";
    let required = std::env::var("PUZZLEDB_BROWSER").is_ok_and(|value| value == "required");
    assert!(!required, "{needs}");
    // Not by eprintln!, whose output is hidden for a test that passes.
    static SAID: Once = Once::new();
    SAID.call_once(|| drop(writeln!(std::io::stderr(), "left out: {needs}")));
    false
}

/// Runs the driver and its browser until its standard input is closed: by us, or by the system when this program ends,
/// in any way. Then all of them end, and their files are removed.
const DRIVER: &str = r#"
    files=$(mktemp -d)
    TMPDIR=$files chromedriver --port=0 &
    driver=$!
    read -r end
    trap '' TERM
    kill -TERM 0
    (sleep 20; kill -KILL 0) &
    late=$!
    wait "$driver"
    kill -KILL $late
    for try in 1 2 3 4 5 6 7 8 9 10; do
        rm -rf "$files" && exit
        sleep 0.1
    done
"#;

/// Driver and its browser, which end when this is dropped.
pub struct Browser {
    device: Device,
    driver: Child,
    port: u16,
    /// Path of the session's commands.
    session: String,
    /// Origins of the pages of earlier tests.
    before: Vec<String>,
}

impl Browser {
    /// Lends an idle browser, or else a new one.
    pub fn lend(device: Device) -> Browser {
        let mut idle = IDLE.lock().unwrap();
        let at = idle.iter().position(|browser| browser.device == device);
        let lent = at.map(|at| idle.swap_remove(at));
        drop(idle);
        lent.unwrap_or_else(|| Browser::start(device))
    }

    /// Closes the tab, deletes the data of `origin`, and makes the browser free for others.
    pub fn give_back(mut self, origin: &str) {
        self.cdp(
            "Storage.clearDataForOrigin",
            &json!({"origin": origin, "storageTypes": "all"}),
        );
        self.cdp("Network.clearBrowserCache", &json!({}));
        self.cdp("Network.clearBrowserCookies", &json!({}));
        let tab = self.post("window/new", &json!({"type": "tab"}));
        self.ask("DELETE", "window", None);
        self.post("window", &json!({"handle": tab["handle"]}));
        self.log();
        self.before.push(origin.to_owned());
        IDLE.lock().unwrap().push(self);
    }

    fn start(device: Device) -> Browser {
        let mut driver = Command::new("sh")
            .args(["-c", DRIVER])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            let port = line.split("successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse().ok()
        });
        std::thread::spawn(move || lines.for_each(drop)); // a full pipe would stop the driver
        let mut browser = Browser {
            device,
            driver,
            port: port.expect("chromedriver says where it listens"),
            session: "/session".to_owned(),
            before: Vec::new(),
        };
        let session = browser.post("", &capabilities(device));
        browser.session = format!("/session/{}", session["sessionId"].as_str().unwrap());
        browser
    }

    /// Value that a command returns.
    pub fn get(&self, path: &str) -> Value {
        self.ask("GET", path, None)
    }

    /// Value that a command returns.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, Some(body))
    }

    /// Entries of the browser's log since the last call, without those by workers of earlier pages, whose
    /// servers are gone.
    pub fn log(&self) -> Vec<Value> {
        let log = self.post("se/log", &json!({"type": "browser"}));
        let is_late = |entry: &Value| {
            let said = entry["message"].as_str().unwrap_or_default();
            self.before
                .iter()
                .any(|origin| said.contains(&format!("{origin}/")))
        };
        let log = log.as_array().unwrap().iter();
        log.filter(|entry| !is_late(entry)).cloned().collect()
    }

    /// Sends a command of the browser's own protocol, <https://chromedevtools.github.io/devtools-protocol/>.
    pub fn cdp(&self, command: &str, params: &Value) {
        self.post(
            "goog/cdp/execute",
            &json!({"cmd": command, "params": params}),
        );
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let value = self.answered(method, path, body);
        assert!(!is_error(&value), "{method} {path} {body:?}: {value}");
        value
    }

    /// Value that a command about an element returns, or nothing where the page has replaced the element since it was found.
    pub fn about_element(&self, method: &str, path: &str, body: Option<&Value>) -> Option<Value> {
        let value = self.answered(method, path, body);
        if value["error"] == "stale element reference" {
            return None;
        }
        assert!(!is_error(&value), "{method} {path} {body:?}: {value}");
        Some(value)
    }

    fn answered(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let answer = self.answer(method, path, body);
        let mut answer = answer.unwrap_or_else(|error| {
            wait::failed(&format!("{method} {path}"));
            panic!("{method} {path}: {error}")
        });
        answer["value"].take()
    }

    fn answer(&self, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<Value> {
        let target = format!("{}/{path}", self.session);
        let (target, port) = (target.trim_end_matches('/'), self.port);
        let body = body.map_or_else(String::new, Value::to_string);
        let length = body.len();
        let mut stream = BufReader::new(TcpStream::connect(("127.0.0.1", port))?);
        stream
            .get_ref()
            .set_read_timeout(Some(wait::longest_run().max(Duration::from_secs(1))))?;
        let request = format!(
            "{method} {target} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        stream.get_mut().write_all(request.as_bytes())?;
        let (mut line, mut length) = (String::new(), 0);
        while stream.read_line(&mut line)? > 2 {
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        Ok(serde_json::from_slice(&body)?)
    }
}

/// Browsers that no test uses.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.driver.stdin.take());
        let _ = self.driver.wait();
    }
}

fn capabilities(device: Device) -> Value {
    let patience = u64::try_from(wait::patience().as_millis()).unwrap(); // ms
    let mut options = json!({
        "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
            "--hide-scrollbars", "--window-size=1280,800", "--force-color-profile=srgb",
            // The browser otherwise prepares parts of its own surface for windows that are never shown.
            "--disable-features=PreloadTopChromeWebUI"],
    });
    if device == Device::Telephone {
        options["mobileEmulation"] = json!({
            "deviceMetrics": {"width": 360, "height": 740, "pixelRatio": 2, "touch": true, "mobile": true},
        });
    }
    json!({"capabilities": {"alwaysMatch": {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL"},
        // An element that is not there yet is waited for.
        "timeouts": {"script": patience, "implicit": patience},
    }}})
}

fn is_error(value: &Value) -> bool {
    value["error"].is_string()
}
