//! The end of the process when a mapped file can no longer be read.

use std::io::{self, Read};

/// Installs a handler of SIGBUS, which is raised when a mapped file cannot be read any more: it was cut short, or
/// its disk failed. `report` is then called on a thread of its own, and the reading thread stops. `report` has to
/// end the process.
///
/// # Errors
/// Those of the system in making a pipe, a thread and a signal handler.
pub(crate) fn on_unreadable(report: impl FnOnce() + Send + 'static) -> io::Result<()> {
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
