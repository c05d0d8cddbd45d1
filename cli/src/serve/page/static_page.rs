//! The page as files for any web host.

use super::files::FILES;

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
    let html = String::from_utf8_lossy(&files[0].1);
    files[0].1 = html
        .replacen("<html", "<html data-server=\"none\"", 1)
        .into();
    files
}
