//! The page as files for any web host.

use std::ops::ControlFlow;

use puzzledb::bfs::SearchError;
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, build};

use super::files::FILES;

/// The page for any web host, without a server: of each file its path below a folder, and its bytes. The databases
/// of 3x3 boards are among them.
///
/// ```
/// let files = puzzledb_cli::serve::static_page()?;
/// let (path, html) = &files[0];
/// assert!(path == "index.html" && html.starts_with(b"<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`build`].
pub fn static_page() -> Result<Vec<(String, Vec<u8>)>, SearchError> {
    let bytes = FILES.iter().map(|file| (file.path(), file.bytes.to_vec()));
    let mut files: Vec<_> = bytes.collect();
    let html = String::from_utf8_lossy(&files[0].1);
    files[0].1 = html
        .replacen("<html", "<html data-server=\"none\"", 1)
        .into();
    for blank in [8, 7, 4] {
        let class = GoalClass::new(Shape::EIGHT_PUZZLE, blank).expect("a class of 3x3");
        let built = build(class, Encoding::Bit, 1, |_| ControlFlow::Continue(()))?;
        let bytes = built.expect("the callback never stops the search");
        files.push((format!("page/3x3-{blank}.pzdb"), bytes));
    }
    Ok(files)
}
