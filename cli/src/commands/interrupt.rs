//! Signals: Ctrl-C, for commands that have something to clean up first, and the limits of file sizes and of memory.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use puzzledb::Cancel;
use puzzledb::ask::Run;

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

/// Returns `Break` once Ctrl-C has been pressed, for functions with cancellation checks.
pub(super) fn go_on() -> ControlFlow<()> {
    (INTERRUPTED.check()).map_or(ControlFlow::Break(()), ControlFlow::Continue)
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
