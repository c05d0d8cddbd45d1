//! The files of the page, as part of the program.

use axum::http::HeaderValue;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(in crate::serve) struct PageFile {
    pub name: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal: $path:literal),* $(,)?) => {
        &[$(PageFile { name: $name, bytes: include_bytes!($path) }),*]
    };
}

/// All files of the page; the first is the page itself. The scripts and the style sheet of this folder are in the bundles,
/// which `build.sh` makes.
pub(in crate::serve) const FILES: &[PageFile] = files![
    "index.html": "index.html",
    "page.css": "bundle/page.css",
    "page.js": "bundle/page.js",
    "icon.svg": "icon.svg",
    "og.png": "og.png",
    "manifest.webmanifest": "manifest.webmanifest",
    "sw.js": "sw.js",
    "puzzledb.js": "puzzledb.js",
    "puzzledb.wasm.gz": "puzzledb.wasm.gz",
];

impl PageFile {
    /// Its path below the page's folder. A worker controls the folder in which it is, so it is beside the page.
    pub(in crate::serve) fn path(&self) -> String {
        match self.name {
            "index.html" | "sw.js" => self.name.to_owned(),
            name => format!("page/{name}"),
        }
    }

    pub(in crate::serve) fn content_type(&self) -> HeaderValue {
        let ending = self.name.rsplit('.').next().unwrap_or_default();
        HeaderValue::from_static(match ending {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "gz" => "application/gzip",
            "ico" => "image/x-icon",
            _ => "application/octet-stream",
        })
    }
}
