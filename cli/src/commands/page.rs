//! `puzzledb page`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::serve::static_page;
use crate::text::visible;
use puzzledb::table::{BuildLock, Disk, write_file};

use super::error::{CliError, Status};
use super::interrupt;

/// Write the page as files, for any web host
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is that of `serve`, and does all of it without a server for boards of up to 16 cells. All its links are \
relative, so that the folder may be put anywhere. Files of the same names are replaced, each at once.")]
pub(super) struct Args {
    /// The folder, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Status, CliError> {
    let files = static_page();
    let cannot = |path: &Path, error: &dyn std::error::Error| {
        CliError::Usage(format!("cannot write {}: {error}", path.display()))
    };
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, _)| args.output.join(name))
        .collect();
    for path in &paths {
        let folder = path.parent().unwrap_or(&args.output);
        fs::create_dir_all(folder).map_err(|error| cannot(path, &error))?;
    }
    interrupt::listen();
    // One process at a time writes; the lock is that of the first file.
    let lock = BuildLock::take(&paths[0], interrupt::go_on);
    let lock = lock.map_err(|error| cannot(&paths[0], &error))?;
    let mut bytes = 0;
    for (path, (_, content)) in paths.iter().zip(&files) {
        let written = write_file(&Disk, path, |file| file.write_all(content));
        written.map_err(|error| cannot(path, &error))?;
        bytes += content.len();
    }
    drop(lock);
    let (count, folder) = (files.len(), args.output.display().to_string());
    let folder = visible(&folder);
    writeln!(
        std::io::stdout(),
        "{count} files, {bytes} bytes, in {folder}"
    )?;
    Ok(Status::Yes)
}
