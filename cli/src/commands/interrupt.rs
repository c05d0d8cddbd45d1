//! Signals: Ctrl-C, for commands that have something to clean up first, and the limits of file sizes and of memory.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use puzzledb::Cancel;

use super::error::CliError;

static INTERRUPTED: LazyLock<Cancel> = LazyLock::new(Cancel::new);

/// From now on Ctrl-C does not end the process but sets the [`flag`]. If the system
/// refuses the handler, Ctrl-C ends the process as before.
pub(super) fn listen() {
    let _ = ctrlc::set_handler(|| INTERRUPTED.cancel());
}

/// Cancels what long work a command does, once Ctrl-C has been pressed since [`listen`].
pub(super) fn flag() -> &'static Cancel {
    &INTERRUPTED
}

/// Runs the rest of this command in a process of its own, so that the programs that it starts end even if it, or
/// this process, is killed. Returns where the rest is to be run: there, or here if the system gives no such process.
///
/// # Errors
/// [`CliError::Interrupted`] if the process was killed.
pub(super) fn guarded() -> Result<(), CliError> {
    #[cfg(target_os = "linux")]
    {
        use crate::grade::supervise::guard::{Guarded, guarded};
        let on_interrupt = |interrupted: fn()| drop(ctrlc::set_handler(interrupted));
        match guarded(on_interrupt) {
            Guarded::Work => Ok(()),
            Guarded::Done(Some(code)) => std::process::exit(code),
            Guarded::Done(None) => Err(CliError::Interrupted),
        }
    }
    #[cfg(not(target_os = "linux"))]
    Ok(())
}

/// Has Ctrl-C been pressed since [`listen`]?
pub(super) fn interrupted() -> bool {
    INTERRUPTED.is_cancelled()
}

/// As [`interrupted`], for functions that ask whether to go on.
pub(super) fn go_on() -> ControlFlow<()> {
    match interrupted() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// From now on a write beyond the limit of file sizes (`ulimit -f`) is an error, as that of a full disk is, and
/// does not end the process. Where the system gives no memory (`ulimit -v`) the process ends with exit code 3
/// after the message, and does not crash.
pub(super) fn heed_limits() {
    #[cfg(unix)]
    {
        use signal_hook::{consts::SIGABRT, consts::SIGXFSZ, flag};
        // What is refused ends the process as before.
        let _ = flag::register(SIGXFSZ, Default::default());
        let _ = flag::register_conditional_shutdown(SIGABRT, 3, std::sync::Arc::new(true.into()));
    }
}
