//! Signals: Ctrl-C, for commands that have something to clean up first, and the limits of file sizes and of memory.

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use puzzledb::Cancel;
use puzzledb::ask::Run;

use super::error::Result;

/// Flag that cancels the long work of a command once Ctrl-C has been pressed since [`listen`].
pub(super) static INTERRUPTED: LazyLock<Cancel> = LazyLock::new(Cancel::new);

/// Makes Ctrl-C set the flag instead of ending the process. If the system refuses the handler, Ctrl-C ends the
/// process as before.
pub(super) fn listen() {
    let _ = ctrlc::set_handler(|| INTERRUPTED.cancel());
}

/// Work without limits that Ctrl-C cancels.
pub(super) fn run() -> Run {
    Run {
        cancel: INTERRUPTED.clone(),
        ..Run::default()
    }
}

/// Runs the rest of this command in a process of its own, so that the programs that it starts end even if it, or
/// this process, is killed. Returns in the process that runs the rest: that one, or this one if the system gives none.
/// If a process is killed after it has written to the file that it gets here, another one gets the same file.
///
/// # Errors
/// [`super::error::CliError::Interrupted`] if the process was killed otherwise.
pub(super) fn continue_in_guarded_process() -> Result<Option<File>> {
    #[cfg(target_os = "linux")]
    {
        use crate::grade::supervise::guard::{Guarded, guarded};
        let on_interrupt = |interrupted: fn()| drop(ctrlc::set_handler(interrupted));
        match guarded(on_interrupt) {
            Guarded::Work(journal) => Ok(journal),
            Guarded::Done(Some(code)) => std::process::exit(code),
            Guarded::Done(None) => Err(super::error::CliError::Interrupted),
        }
    }
    #[cfg(not(target_os = "linux"))]
    Ok(None)
}

/// Fails if the guard of this process was killed: then the process that the user started runs the rest in another one.
pub(super) fn check_guard() -> Result<()> {
    #[cfg(target_os = "linux")]
    {
        use crate::grade::supervise::guard::{WORKER_KILLED, is_guard_killed};
        if is_guard_killed() {
            return Err(super::error::CliError::AlreadyReported(WORKER_KILLED as u8));
        }
    }
    Ok(())
}

/// Returns `Break` once Ctrl-C has been pressed, for functions with cancellation checks.
pub(super) fn go_on() -> ControlFlow<()> {
    match INTERRUPTED.is_cancelled() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error, as that of a full disk is, instead of the end
/// of the process. Where the system gives no memory (`ulimit -v`), makes the process end with exit code 3 after the
/// message instead of a crash.
pub(super) fn heed_limits() {
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGABRT, consts::SIGXFSZ, flag};
        // A refused handler leaves the signal to end the process as before.
        let _ = flag::register(SIGXFSZ, Default::default());
        let _ = flag::register_conditional_shutdown(SIGABRT, 3, std::sync::Arc::new(true.into()));
    }
}
