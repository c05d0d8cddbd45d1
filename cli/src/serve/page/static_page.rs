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
    let bytes = FILES.iter().map(|file| (file.path(), file.bytes.to_vec()));
    let mut files: Vec<_> = bytes.collect();
    files[0].1 = without_server().into();
    files
}

/// The page as one HTML file, which a browser opens from a disk too.
///
/// A browser loads modules of a page from a disk only by URLs that have their text inside, and those have no folder. So
/// the modules import each other by names, to which an import map gives these URLs.
///
/// ```
/// let html = puzzledb_cli::serve::single_page();
/// assert!(!html.contains("src=\"page/") && !html.contains("href=\"page/"));
/// ```
pub fn single_page() -> String {
    let is_script = |file: &&PageFile| file.name.ends_with(".js") && file.name != "sw.js";
    let scripts = FILES.iter().filter(is_script).map(|script| {
        let text = String::from_utf8_lossy(script.bytes).replace("from \"./", "from \"puzzledb/");
        let name = format!("puzzledb/{}", script.name);
        (name, inside(script, text.as_bytes()))
    });
    let imports = BTreeMap::from([("imports", scripts.collect::<BTreeMap<_, _>>())]);
    let files = ["puzzledb.js", "puzzledb.wasm.gz"].map(|name| (name, fetched(file(name))));
    let head = format!(
        "<script type=\"importmap\">{}</script>\n\
         <script type=\"application/json\" id=\"files\">{}</script>\n\
         <script type=\"module\">import \"puzzledb/main.js\";</script>",
        serde_json::json!(imports),
        serde_json::json!(BTreeMap::from(files)),
    );
    let mut html = String::new();
    for line in without_server().lines() {
        let is_link = line.starts_with("<link") || line.starts_with("<script");
        let linked = line.split_once("page/").filter(|_| is_link);
        match linked.and_then(|(_, rest)| rest.split('"').next()) {
            None => html += line,
            Some("main.js") => html += &head,
            Some(name @ "style.css") => {
                let style = String::from_utf8_lossy(file(name).bytes);
                html += &format!("<style>\n{style}</style>");
            }
            Some(name @ "icon.svg") => {
                let icon = file(name);
                html += &line.replace("page/icon.svg", &inside(icon, icon.bytes));
            }
            Some(_) => continue, // a hint to load, or the manifest of an app
        }
        html.push('\n');
    }
    html
}

/// The file of this name.
fn file(name: &str) -> &'static PageFile {
    let found = FILES.iter().find(|file| file.name == name);
    found.expect("the page has it")
}

/// The page itself, as one that has no server.
fn without_server() -> String {
    let html = String::from_utf8_lossy(FILES[0].bytes);
    html.replacen("<html", "<html data-server=\"none\"", 1)
}

/// A URL for what the page fetches. A worker from a disk is not a module, so its script is none.
fn fetched(file: &PageFile) -> String {
    if !file.name.ends_with(".js") {
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
    let kind = file.content_type();
    let kind = kind.to_str().unwrap_or_default().replace("; ", ";");
    format!("data:{kind};base64,{}", BASE64.encode(bytes))
}
