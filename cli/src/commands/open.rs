//! Opening database files: mapped where that is quicker, under the program's guard.
//!
//! The guard makes mapping sound enough for a program that cannot keep others from its files: builders rename new files
//! over old ones, a file that is cut short ends the process with a message ([`super::watch::listen`]), and
//! [`super::watch::check_files`] must be called before answers are given out.

use std::fs;
use std::path::Path;

use puzzledb::pattern::PatternFile;
use puzzledb::table::{COPIED, OpenError, Table};

use super::database::Databases;
use crate::text::quoted;

/// Copies a small table, so that later changes to its file do not change an answer; maps a larger one.
#[allow(unsafe_code)]
pub(super) fn table(path: &Path) -> Result<Table, OpenError> {
    if is_small(path) {
        return Table::open(path);
    }
    // SAFETY: the program's guard, as at the top of this file.
    unsafe { Table::map(path) }
}

/// Opens a table as [`table`] does, and verifies all of it: for a process that runs long enough.
#[cfg(feature = "serve")]
pub(super) fn verified(path: &Path) -> Result<Table, OpenError> {
    let table = table(path)?;
    table.verify().map_err(OpenError::at(path))?;
    Ok(table)
}

/// Opens patterns as [`table`] does a table.
#[allow(unsafe_code)]
pub(super) fn patterns(path: &Path) -> Result<PatternFile, OpenError> {
    if is_small(path) {
        return PatternFile::open(path);
    }
    // SAFETY: the program's guard, as at the top of this file.
    unsafe { PatternFile::map(path) }
}

/// Opens patterns and verifies all of them, as [`verified`] does a table.
#[cfg(feature = "serve")]
pub(super) fn verified_patterns(path: &Path) -> Result<PatternFile, OpenError> {
    let file = patterns(path)?;
    file.verify().map_err(OpenError::at(path))?;
    Ok(file)
}

/// The advice for a file that is damaged: the command that makes it anew, and the one that names the damage.
pub(super) fn repair_advice(path: &Path) -> String {
    let name = quoted(&path.display().to_string());
    let plain = Databases::new(None, None, None, table);
    let build = match (table(path), patterns(path)) {
        (Ok(table), _) => Some(plain.command_for_table(&table)),
        (_, Ok(file)) => Some(plain.command_for_patterns(file.patterns().partition())),
        _ => None,
    };
    let check = format!("`puzzledb check {name}` names all damaged chunks");
    match build {
        Some(build) => format!("`{build} --force --output {name}` makes it anew; {check}"),
        None => check,
    }
}

fn is_small(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.len() <= COPIED)
}
