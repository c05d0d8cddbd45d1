//! Database files that change while they are used.

use crate::play::give_terminal_back;
use puzzledb::internals::watched_files;

use super::database::damaged;
use super::error::{CliError, Result, print_error};

/// Fails if a database that is not copied has changed, or damage was met in it. Must be called after some answers and
/// before they are given out.
pub(super) fn check_files() -> Result<()> {
    for file in watched_files() {
        let path = file.path();
        if file.has_changed() {
            return Err(CliError::Database(format!(
                "{} was changed or replaced while it was used: ask again",
                path.display()
            )));
        }
        if let Some(damage) = file.damage() {
            return Err(damaged(path, format!("{} {damage}", path.display())));
        }
    }
    Ok(())
}

/// Makes a file that is cut short while it is read end the process with a message and exit code 3.
pub(super) fn listen() {
    let report = || {
        let files = watched_files();
        let changed = files.iter().find(|file| file.has_changed());
        let named = changed.map_or(&files[..], std::slice::from_ref);
        let names = named.iter().map(|file| file.path().display().to_string());
        let names = names.collect::<Vec<_>>().join(" or ");
        let what = "cannot be read any more: it was cut short, or the disk failed";
        give_terminal_back(); // the message would vanish with the screen of the game
        print_error(format!("{names} {what}"));
        std::process::exit(3);
    };
    #[cfg(unix)]
    let _ = unreadable::on_unreadable(report); // without it such a process ends without a message
    #[cfg(not(unix))]
    let _ = report;
}

/// The end of the process when a mapped file can no longer be read.
#[cfg(unix)]
mod unreadable {
    use std::io::{self, Read};

    /// Installs a handler of SIGBUS, which is raised when a mapped file cannot be read any more: it was cut short, or
    /// its disk failed. `report` is then called on a thread of its own, and the reading thread stops. `report` has to
    /// end the process.
    ///
    /// # Errors
    /// Those of the system in making a pipe, a thread and a signal handler.
    pub(super) fn on_unreadable(report: impl FnOnce() + Send + 'static) -> io::Result<()> {
        use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
        let (mut failed, tell) = io::pipe()?;
        let wait = move || {
            if failed.read_exact(&mut [0]).is_ok() {
                report();
            }
        };
        let name = "unreadable files".to_owned();
        std::thread::Builder::new().name(name).spawn(wait)?;
        let _ = UNREADABLE.set(tell);
        let handler = SigHandler::Handler(tell_unreadable);
        let action = SigAction::new(handler, SaFlags::empty(), SigSet::empty());
        // SAFETY: the handler only calls write(2) and nanosleep(2), which a signal handler may call at any moment; it
        // takes no lock, allocates nothing and does not return. Crates that call handlers for their users call the
        // previous one first, and that of the standard library removes all handlers.
        #[allow(unsafe_code)]
        let set = unsafe { sigaction(Signal::SIGBUS, &action) };
        set.map(drop).map_err(io::Error::from)
    }

    /// Pipe that the signal handler writes to.
    static UNREADABLE: std::sync::OnceLock<io::PipeWriter> = std::sync::OnceLock::new();

    extern "C" fn tell_unreadable(_signal: std::ffi::c_int) {
        use std::io::Write;
        if let Some(mut tell) = UNREADABLE.get() {
            let _ = tell.write(&[0]);
        }
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
}
