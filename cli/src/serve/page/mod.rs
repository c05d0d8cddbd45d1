//! The web page: plain HTML, CSS and JavaScript modules, compiled into the program. A server gives it out; without one it is
//! files for any web host, or one file.

use std::convert::Infallible;

use data_encoding::BASE64;

use crate::digest::sha256;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageFile {
    /// Its path below the page's folder. A worker controls the folder in which it is, so `sw.js` is beside the page.
    pub path: &'static str,
    pub content_type: &'static str,
    pub bytes: &'static [u8],
    /// Its compressed forms with their names, the smallest first.
    pub packed: &'static [(&'static str, &'static [u8])],
}

macro_rules! files {
    ($($path:literal $content_type:literal $source:literal $(packed $packed:literal)?),* $(,)?) => {
        &[$(PageFile {
            path: $path,
            content_type: $content_type,
            bytes: include_bytes!($source),
            packed: &[$(
                ("br", include_bytes!(concat!($packed, ".br"))),
                ("gzip", include_bytes!(concat!($packed, ".gz"))),
            )?],
        }),*]
    };
}

/// All files of the page; the first is the page itself. The scripts and the style sheet of this folder are in the bundles,
/// which `build.sh` makes and compresses.
pub(super) const FILES: &[PageFile] = files![
    "index.html" "text/html; charset=utf-8" "index.html",
    "page/page.css" "text/css; charset=utf-8" "bundle/page.css" packed "bundle/page.css",
    "page/page.js" "text/javascript; charset=utf-8" "bundle/page.js" packed "bundle/page.js",
    "page/icon.svg" "image/svg+xml" "icon.svg",
    "page/og.png" "image/png" "og.png",
    "page/manifest.webmanifest" "application/manifest+json" "manifest.webmanifest",
    "sw.js" "text/javascript; charset=utf-8" "sw.js",
    "page/puzzledb.js" "text/javascript; charset=utf-8" "puzzledb.js" packed "bundle/puzzledb.js",
    "page/puzzledb.wasm.gz" "application/gzip" "puzzledb.wasm.gz",
    "page/verify.wasm.gz" "application/gzip" "verify.wasm.gz",
];

/// Files that the page's scripts fetch.
const FETCHED: [&str; 3] = ["puzzledb.js", "puzzledb.wasm.gz", "verify.wasm.gz"];

impl PageFile {
    /// Path that begins with a digest of the content, so that browsers may keep the file for good; `None` if it is not in
    /// the folder `page`.
    pub(super) fn lasting_path(&self) -> Option<String> {
        let name = self.path.strip_prefix("page/")?;
        let Ok(digest) = sha256([Ok::<_, Infallible>(self.bytes)]);
        Some(format!("page/{}-{name}", &digest[..12]))
    }
}

/// The page of a server, which links its files by their [lasting paths](PageFile::lasting_path).
pub(super) fn served_page() -> String {
    let lasting = |file: &PageFile| file.lasting_path().unwrap_or_default();
    let html = String::from_utf8_lossy(FILES[0].bytes).into_owned();
    let quoted = |path: &str| format!("\"{path}\"");
    let html = FILES[1..].iter().fold(html, |html, file| {
        html.replace(&quoted(file.path), &quoted(&lasting(file)))
    });
    html.replacen("<script", &format!("{}\n<script", addresses(lasting)), 1)
}

/// The element by which the page knows the addresses of what it fetches.
fn addresses(address: impl Fn(&PageFile) -> String) -> String {
    let files = FETCHED.map(|name| (name, address(file(name))));
    let files = serde_json::Value::from_iter(files);
    format!("<script type=\"application/json\" id=\"files\">{files}</script>")
}

/// The page for any web host, without a server: of each file its path below a folder, and its bytes.
///
/// ```
/// let files = puzzledb_cli::serve::static_page();
/// let (path, html) = &files[0];
/// assert!(path == "index.html" && html.starts_with(b"<!doctype html>"));
/// ```
pub fn static_page() -> Vec<(String, Vec<u8>)> {
    let bytes = |file: &PageFile| (file.path.to_owned(), file.bytes.to_vec());
    let mut files: Vec<_> = FILES.iter().map(bytes).collect();
    files[0].1 = without_server().into();
    files
}

/// The links of the page to its styles and its script, which one file has inside instead.
const STYLES: &str = r#"<link rel="stylesheet" href="page/page.css">"#;
const SCRIPT: &str = r#"<script type="module" src="page/page.js"></script>"#;

/// The page as one HTML file, which a browser opens from a disk too.
///
/// ```
/// let html = puzzledb_cli::serve::single_page();
/// assert!(!html.contains("src=\"page/") && !html.contains("href=\"page/"));
/// ```
pub fn single_page() -> String {
    let styles = format!("<style>\n{}</style>", text("page.css"));
    let (data, script) = (addresses(fetched), text("page.js"));
    let script = format!("{data}\n<script type=\"module\">{script}</script>");
    let html = without_server().replacen(STYLES, &styles, 1);
    html.replacen(SCRIPT, &script, 1)
}

/// The text of a file, which ends no element that it is put into.
fn text(name: &str) -> String {
    String::from_utf8_lossy(file(name).bytes).replace("</script", "<\\/script")
}

/// The file of this name in the folder `page`.
fn file(name: &str) -> &'static PageFile {
    let mut files = FILES.iter();
    let found = files.find(|file| file.path.strip_prefix("page/") == Some(name));
    found.expect("the page has it")
}

/// The page itself, as one that has no server.
fn without_server() -> String {
    let html = String::from_utf8_lossy(FILES[0].bytes);
    html.replacen("<html", "<html data-server=\"none\"", 1)
}

/// A URL that has the bytes of a file inside. A worker from a disk is not a module, so its script is none.
fn fetched(file: &PageFile) -> String {
    let (kind, mut bytes) = (file.content_type.replace("; ", ";"), file.bytes.to_vec());
    if file.path.ends_with(".js") {
        let script = String::from_utf8_lossy(&bytes).replace("\nexport ", "\n");
        bytes = script.replace("import.meta.url", "location.href").into();
    }
    format!("data:{kind};base64,{}", BASE64.encode(&bytes))
}
