//! The page as a server gives it out; and without a server, as files for any web host, or as one file.

use std::collections::BTreeMap;

use data_encoding::BASE64;

use super::files::{FILES, PageFile};
use crate::digest::sha256;

/// Files that the page's scripts fetch.
const FETCHED: [&str; 2] = ["puzzledb.js", "puzzledb.wasm.gz"];

impl PageFile {
    /// Path that begins with a digest of the content, so that browsers may keep the file for good; `None` if it is not in
    /// the folder `page`.
    pub(in crate::serve) fn lasting_path(&self) -> Option<String> {
        let name = self.path.strip_prefix("page/")?;
        let digest = sha256(self.bytes).expect("memory can be read");
        Some(format!("page/{}-{name}", &digest[..12]))
    }
}

/// The page of a server, which links its files by their [lasting paths](PageFile::lasting_path).
pub(in crate::serve) fn served_page() -> String {
    let lasting = |file: &PageFile| file.lasting_path().unwrap_or_default();
    let html = String::from_utf8_lossy(FILES[0].bytes).into_owned();
    let html = FILES[1..].iter().fold(html, |html, file| {
        html.replace(
            &format!("\"{}\"", file.path),
            &format!("\"{}\"", lasting(file)),
        )
    });
    let fetched = addresses(FETCHED.map(|name| (name, lasting(file(name)))));
    html.replacen("<script", &format!("{fetched}\n<script"), 1)
}

/// The element by which the page knows the addresses of what it fetches.
fn addresses(files: [(&str, String); 2]) -> String {
    let files = serde_json::json!(BTreeMap::from(files));
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
    let bytes = FILES
        .iter()
        .map(|file| (file.path.to_owned(), file.bytes.to_vec()));
    let mut files: Vec<_> = bytes.collect();
    files[0].1 = without_server().into();
    files
}

/// The page as one HTML file, which a browser opens from a disk too.
///
/// ```
/// let html = puzzledb_cli::serve::single_page();
/// assert!(!html.contains("src=\"page/") && !html.contains("href=\"page/"));
/// ```
pub fn single_page() -> String {
    let data = addresses(FETCHED.map(|name| (name, fetched(file(name)))));
    let mut html = String::new();
    for line in without_server().lines() {
        let is_link = line.starts_with("<link") || line.starts_with("<script");
        let linked = line.split_once("page/").filter(|_| is_link);
        match linked.and_then(|(_, rest)| rest.split('"').next()) {
            Some(name @ "page.js") => {
                html += &format!("{data}\n<script type=\"module\">{}</script>", text(name));
            }
            Some(name @ "page.css") => html += &format!("<style>\n{}</style>", text(name)),
            _ => html += line,
        }
        html.push('\n');
    }
    html
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

/// A URL for what the page fetches. A worker from a disk is not a module, so its script is none.
fn fetched(file: &PageFile) -> String {
    if !file.path.ends_with(".js") {
        return inside(file, file.bytes);
    }
    let text = String::from_utf8_lossy(file.bytes);
    let script = text
        .replace("\nexport ", "\n")
        .replace("import.meta.url", "location.href");
    inside(file, script.as_bytes())
}

/// A URL that has the bytes of a file inside.
fn inside(file: &PageFile, bytes: &[u8]) -> String {
    let kind = file.content_type.replace("; ", ";");
    format!("data:{kind};base64,{}", BASE64.encode(bytes))
}
