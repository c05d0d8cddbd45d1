//! The browser's driver: whether it is there, starting it, and what is asked of it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Once;

use axum::http::Method;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::Url;

/// What the page is looked at with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// 1280 x 800, keyboard and mouse.
    Desktop,
    /// 360 x 740, touch.
    Telephone,
}

pub const DEVICES: [Device; 2] = [Device::Desktop, Device::Telephone];

/// Is there a browser to be driven? If not it says so, or fails if one is required.
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
    // Not by eprintln!, which a test that passes keeps to itself.
    static SAID: Once = Once::new();
    SAID.call_once(|| drop(writeln!(std::io::stderr(), "left out: {needs}")));
    false
}

/// A running program, which ends with its owner.
pub struct Program(Child);

impl Program {
    pub fn end(&mut self) {
        let _ = self.0.kill(); // it may have ended by itself
        let _ = self.0.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts a program, and reads its standard output up to the line that `found` knows.
pub fn start<T>(command: &mut Command, found: impl Fn(&str) -> Option<T>) -> (Program, T) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let value = lines.find_map(|line| found(&line.unwrap()));
    std::thread::spawn(move || lines.for_each(drop)); // a full pipe would stop the program
    let program = Program(child);
    (program, value.expect("the program says where it listens"))
}

/// A driver with a browser.
pub async fn start_browser(device: Device) -> (Program, Client) {
    let (driver, port) = start(Command::new("chromedriver").arg("--port=0"), |line| {
        let port = line.split("successfully on port ").nth(1)?;
        port.trim_end_matches('.').parse::<u16>().ok()
    });
    let client = ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities(device).as_object().unwrap().clone())
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .expect("chromedriver starts chromium");
    (driver, client)
}

/// A command that fantoccini has not; with a body it is a POST.
#[derive(Debug)]
pub struct Extra {
    pub path: String,
    pub body: Option<String>,
}

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.path
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let method = if self.body.is_some() {
            Method::POST
        } else {
            Method::GET
        };
        (method, self.body.clone())
    }
}

fn capabilities(device: Device) -> Value {
    let mut options = json!({
        "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
            "--hide-scrollbars", "--window-size=1280,800", "--force-color-profile=srgb"],
    });
    if device == Device::Telephone {
        options["mobileEmulation"] = json!({
            "deviceMetrics": {"width": 360, "height": 740, "pixelRatio": 2, "touch": true, "mobile": true},
        });
    }
    json!({
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL"},
    })
}
