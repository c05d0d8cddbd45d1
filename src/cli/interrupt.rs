//! Ctrl-C, for commands that have something to clean up first.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C does not end the process but makes [`interrupted`] true. If the system
/// refuses the handler, Ctrl-C ends the process as before.
pub(super) fn listen() {
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
}

/// Has Ctrl-C been pressed since [`listen`]?
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// As [`interrupted`], for functions that ask whether to go on.
pub(super) fn go_on() -> ControlFlow<()> {
    match interrupted() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
