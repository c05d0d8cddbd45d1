//! `puzzledb serve --write`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::serve::{single_page, static_page};
use crate::text::visible;
use puzzledb::table::{BuildLock, Disk, write_file};

use super::error::{CliError, Status};
use super::interrupt;
use super::output::{output_file, unwritable, write_output};

/// Writes the page into a folder, or into one file.
pub(super) fn write(folder: &Path, single: bool) -> Result<Status, CliError> {
    interrupt::listen();
    let output = folder.display().to_string();
    let output = visible(&output);
    if single {
        make_folder_of(folder)?;
        let html = single_page();
        write_output(folder, output_file(folder)?, html.as_bytes())?;
        writeln!(std::io::stdout(), "{output}, {} bytes", html.len())?;
        return Ok(Status::Yes);
    }
    let files = static_page();
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
    paths.iter().try_for_each(|path| make_folder_of(path))?;
    // One process at a time writes; the lock is that of the first file.
    let lock = BuildLock::take(&paths[0], interrupt::go_on);
    let lock = lock.map_err(|error| unwritable(&paths[0], &error))?;
    let mut bytes = 0;
    for (path, (_, content)) in paths.iter().zip(&files) {
        let written = write_file(&Disk, path, |file| file.write_all(content));
        written.map_err(|error| unwritable(path, &error))?;
        bytes += content.len();
    }
    drop(lock);
    let count = files.len();
    writeln!(
        std::io::stdout(),
        "{count} files, {bytes} bytes, in {output}"
    )?;
    Ok(Status::Yes)
}

/// Makes the folder that a file is in, if it is missing.
fn make_folder_of(path: &Path) -> Result<(), CliError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.map_err(|error| unwritable(path, &error))
}
