//! The page without a server: as files for any web host, or as one file.

use std::collections::BTreeMap;

use data_encoding::BASE64;

use super::files::{FILES, PageFile};

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
    let files = ["puzzledb.js", "puzzledb.wasm.gz"].map(|name| (name, fetched(file(name))));
    let files = serde_json::json!(BTreeMap::from(files));
    let data = format!("<script type=\"application/json\" id=\"files\">{files}</script>");
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
