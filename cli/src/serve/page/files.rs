//! The files of the page, as part of the program.

use axum::http::HeaderValue;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(in crate::serve) struct PageFile {
    pub name: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(PageFile { name: $name, bytes: include_bytes!($name) }),*]
    };
}

/// All files of this folder that are not Rust; the first is the page itself.
pub(in crate::serve) const FILES: &[PageFile] = files![
    "index.html",
    "style.css",
    "icon.svg",
    "manifest.webmanifest",
    "sw.js",
    "main.js",
    "board.js",
    "charts.js",
    "dom.js",
    "edit.js",
    "game.js",
    "hero.js",
    "keep.js",
    "layout.js",
    "library.js",
    "map.js",
    "names.js",
    "net.js",
    "oracle.js",
    "path.js",
    "picture.js",
    "puzzledb.js",
    "puzzledb.wasm.gz",
    "race.js",
    "scale.js",
    "searches.js",
    "share.js",
    "solutions.js",
    "space.js",
    "states.js",
    "status.js",
    "tabs.js",
    "tree.js",
    "verify.js",
    "view.js",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_in_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/page");
        let there = std::fs::read_dir(folder).unwrap();
        let mut there: Vec<_> = there
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".rs"))
            .collect();
        let mut ours: Vec<_> = FILES.iter().map(|file| file.name.to_owned()).collect();
        there.sort();
        ours.sort();
        assert_eq!(there, ours);
        assert_eq!(FILES[0].name, "index.html");
    }
}
