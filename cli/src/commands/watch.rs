//! Database files that change while they are used.

use crate::play::give_terminal_back;
use puzzledb::table::{WatchedFile, watched_files};

use super::error::{CliError, print_error};
use super::open::how_to_mend;

/// Fails if a database that is not copied has changed, or damage was met in it. Must be called after some answers and
/// before they are given out.
pub(super) fn check_files() -> Result<(), CliError> {
    for file in watched_files() {
        let path = file.path();
        if file.has_changed() {
            return Err(CliError::Database(format!(
                "{} was changed or replaced while it was used: ask again",
                path.display()
            )));
        }
        if let Some(damage) = file.damage() {
            let (name, mend) = (path.display(), how_to_mend(path));
            return Err(CliError::Database(format!("{name} {damage}\n  {mend}")));
        }
    }
    Ok(())
}

/// An answer, unless [`check_files`] fails.
pub(super) fn guarded<T, E>(answer: Result<T, E>) -> Result<T, CliError>
where
    CliError: From<E>,
{
    check_files()?;
    Ok(answer?)
}

/// Makes a file that is cut short while it is read end the process with a message and exit code 3.
pub(super) fn listen() {
    let report = || {
        let files = watched_files();
        let changed = files.iter().find(|file| file.has_changed());
        let name = |file: &WatchedFile| file.path().display().to_string();
        let names = match changed {
            Some(file) => name(file),
            None => files
                .iter()
                .map(|file| name(file))
                .collect::<Vec<_>>()
                .join(" or "),
        };
        let what = "cannot be read any more: it was cut short, or the disk failed";
        give_terminal_back(); // the message would vanish with the screen of the game
        print_error(format!("{names} {what}"));
        std::process::exit(3);
    };
    #[cfg(unix)]
    let _ = super::unreadable::on_unreadable(report); // without it such a process ends without a message
    #[cfg(not(unix))]
    let _ = report;
}
