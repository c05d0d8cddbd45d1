//! `puzzledb page`

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::serve::static_page;

use super::error::CliError;
use super::status::Status;

/// Write the page as files, for any web host
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is that of `serve`, with the databases of 3x3 boards: play, all shortest solutions, the whole
space, the best-known searches, and answers in strict forms work without a server. All its links are
relative, so that the folder may be put anywhere. Files of the same names are replaced.")]
pub(super) struct Args {
    /// The folder, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Status, CliError> {
    let files = static_page().map_err(|error| CliError::Usage(error.to_string()))?;
    let mut bytes = 0;
    for (name, content) in &files {
        let path = args.output.join(name);
        let folder = path.parent().unwrap_or(&args.output);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, content));
        written.map_err(|error| {
            CliError::Usage(format!("cannot write {}: {error}", path.display()))
        })?;
        bytes += content.len();
    }
    let (count, folder) = (files.len(), args.output.display());
    writeln!(
        std::io::stdout(),
        "{count} files, {bytes} bytes, in {folder}"
    )?;
    Ok(Status::Yes)
}
