//! `puzzledb page`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::serve::{single_page, static_page};
use crate::text::visible;
use puzzledb::table::{BuildLock, Disk, write_file};

use super::error::{CliError, Status};
use super::interrupt;

/// Write the page as files, for any web host, or as one file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is that of `serve`, and does all of it without a server for boards of up to 16 cells. All its links are \
relative, so that the folder may be put anywhere. Files of the same names are replaced, each at once. A browser \
opens the one file of --single from a disk too, without a host.")]
pub(super) struct Args {
    /// The folder, which is made if it is not there; with --single the file
    #[arg(long, value_name = "PATH")]
    output: PathBuf,
    /// One HTML file with everything inside
    #[arg(long)]
    single: bool,
}

pub(super) fn run(args: &Args) -> Result<Status, CliError> {
    let (folder, files) = if args.single {
        let name = args.output.file_name().map(|name| name.to_string_lossy());
        let Some(name) = name else {
            return Err(CliError::Usage(
                "--output names no file: --single writes one".into(),
            ));
        };
        let folder = args.output.parent().unwrap_or(Path::new("."));
        (
            folder,
            vec![(name.into_owned(), single_page().into_bytes())],
        )
    } else {
        (&*args.output, static_page())
    };
    let cannot = |path: &Path, error: &dyn std::error::Error| {
        CliError::Usage(format!("cannot write {}: {error}", path.display()))
    };
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
    for path in &paths {
        let folder = path.parent().unwrap_or(folder);
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
    let (count, output) = (files.len(), args.output.display().to_string());
    let output = visible(&output);
    if args.single {
        writeln!(std::io::stdout(), "{output}, {bytes} bytes")?;
    } else {
        writeln!(
            std::io::stdout(),
            "{count} files, {bytes} bytes, in {output}"
        )?;
    }
    Ok(Status::Yes)
}
