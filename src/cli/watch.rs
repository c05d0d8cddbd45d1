//! Database files that change while they are used.

use crate::play::give_terminal_back;
use crate::table::{MappedFile, mapped_files};

use super::error::{CliError, say};

/// Fails if a database that is mapped is no longer what it was. Asked after some answers and before they are
/// given out, it vouches for them.
pub(super) fn check_files() -> Result<(), CliError> {
    match mapped_files().iter().find(|file| file.has_changed()) {
        None => Ok(()),
        Some(file) => Err(CliError::Database(format!(
            "{} was changed or replaced while it was used: ask again",
            file.path().display()
        ))),
    }
}

/// From now on a file that is cut short while it is read ends the process with a message and exit code 3.
pub(super) fn listen() {
    let report = || {
        let files = mapped_files();
        let changed = files.iter().find(|file| file.has_changed());
        let name = |file: &MappedFile| file.path().display().to_string();
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
        say("error", &format!("{names} {what}"));
        std::process::exit(3);
    };
    #[cfg(unix)]
    let _ = crate::table::on_unreadable(report); // without it such a process ends without a message
    #[cfg(not(unix))]
    let _ = report;
}
