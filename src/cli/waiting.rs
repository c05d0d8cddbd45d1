//! What is shown while a long search goes on.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};

use crate::basics::Progress;

static PROGRESS: LazyLock<Arc<Progress>> = LazyLock::new(Arc::default);

/// What searches tell that are [`watched`].
pub(super) fn progress() -> &'static Arc<Progress> {
    &PROGRESS
}

/// A search that takes longer is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does some work. If it takes long, a terminal at standard error shows how far its searches have come.
pub(super) fn watched<T>(work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    progress().reset();
    let (working, ended) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || show(&ended));
        let _working: std::sync::mpsc::Sender<()> = working; // dropped when the work ends, in a panic too
        work()
    })
}

/// Shows the progress until the sender is gone.
fn show(ended: &Receiver<()>) {
    let begun = Instant::now();
    let goes_on = |time: Duration| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if !goes_on(PATIENCE) {
        return;
    }
    let bar = ProgressBar::new_spinner();
    while goes_on(Duration::from_millis(100)) {
        let (visited, bound) = progress().now();
        let rate = (visited as f64 / begun.elapsed().as_secs_f64()) as u64;
        let proved = match bound {
            0 => String::new(),
            bound => format!("at least {bound} moves, "),
        };
        let (visited, rate) = (HumanCount(visited), HumanCount(rate));
        bar.set_message(format!("{proved}{visited} boards, {rate} a second"));
        bar.tick();
    }
    bar.finish_and_clear();
}
