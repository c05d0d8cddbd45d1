//! The files of the page, as part of the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(in crate::serve) struct PageFile {
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
pub(in crate::serve) const FILES: &[PageFile] = files![
    "index.html" "text/html; charset=utf-8" "index.html",
    "page/page.css" "text/css; charset=utf-8" "bundle/page.css" packed "bundle/page.css",
    "page/page.js" "text/javascript; charset=utf-8" "bundle/page.js" packed "bundle/page.js",
    "page/icon.svg" "image/svg+xml" "icon.svg",
    "page/og.png" "image/png" "og.png",
    "page/manifest.webmanifest" "application/manifest+json" "manifest.webmanifest",
    "sw.js" "text/javascript; charset=utf-8" "sw.js",
    "page/puzzledb.js" "text/javascript; charset=utf-8" "puzzledb.js" packed "bundle/puzzledb.js",
    "page/puzzledb.wasm.gz" "application/gzip" "puzzledb.wasm.gz",
];
