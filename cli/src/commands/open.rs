//! Opening database files: mapped where that is quicker, under the program's guard.
//!
//! The guard makes mapping sound enough for a program that cannot keep others from its files: builders rename new files
//! over old ones, a file that is cut short ends the process with a message ([`super::watch::listen`]), and
//! [`super::watch::check_files`] must be called before answers are given out.

use std::io;
use std::path::Path;

use puzzledb::table::{Bytes, COPIED};

use super::database::{Database, Databases};
use crate::text::quoted;

/// Copies a small file, so that later changes to it do not change an answer; maps a larger one.
#[allow(unsafe_code)]
pub(super) fn bytes(path: &Path) -> io::Result<Bytes> {
    if path
        .metadata()
        .map_or(true, |metadata| metadata.len() <= COPIED)
    {
        return Bytes::open(path);
    }
    // SAFETY: the program's guard, as at the top of this file.
    unsafe { Bytes::map(path) }
}

/// The advice for a file that is damaged: the command that makes it anew, and the one that names the damage.
pub(super) fn repair_advice(path: &Path) -> String {
    let name = quoted(&path.display().to_string());
    let check = format!("`puzzledb check {name}` names all damaged chunks");
    let plain = Databases::new(None, None, None, bytes);
    match Database::open(path, bytes) {
        Ok(database) => {
            let build = plain.command_for(&database);
            format!("`{build} --force --output {name}` makes it anew; {check}")
        }
        Err(_) => check,
    }
}
