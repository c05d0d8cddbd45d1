//! Progress shown during a long search.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};

use puzzledb::Progress;
use puzzledb::table::LevelProgress;

use super::interrupt;
use super::render::progress_bar;

/// Progress of the searches that are [`watched`].
pub(super) static PROGRESS: LazyLock<Arc<Progress>> = LazyLock::new(Arc::default);

/// The last bar that was shown.
static BAR: LazyLock<Mutex<ProgressBar>> = LazyLock::new(|| ProgressBar::hidden().into());

fn last_bar() -> MutexGuard<'static, ProgressBar> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints lines on standard error, above the bar.
pub(super) fn above_bar(print: impl FnOnce()) {
    last_bar().suspend(print);
}

/// Notes the progress of a search level by level, unless it was cancelled.
pub(super) fn observe(progress: LevelProgress) -> ControlFlow<()> {
    PROGRESS.prove(progress.distance.into());
    PROGRESS.reach(progress.states);
    interrupt::go_on()
}

/// Time after which the progress of a search is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two pictures of the progress.
const FRAME: Duration = Duration::from_millis(100);

/// Does some work, which visits a number of boards in all where that is known. If it takes long, a terminal at standard
/// error shows the progress of its searches.
pub(super) fn watched<T>(boards: Option<u64>, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    PROGRESS.reset();
    let (working, ended) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || show(boards, &ended));
        let _working: std::sync::mpsc::Sender<()> = working; // dropped when the work ends, in a panic too
        work()
    })
}

/// Shows the progress until the sender is gone.
fn show(boards: Option<u64>, ended: &Receiver<()>) {
    let begun = Instant::now();
    let is_running = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if !is_running(PATIENCE) {
        return;
    }
    let bar = boards.map_or_else(ProgressBar::new_spinner, |boards| {
        progress_bar(
            boards,
            "{msg}{human_pos} of {human_len} boards {wide_bar} {elapsed}, about {eta} left",
        )
    });
    *last_bar() = bar.clone();
    while is_running(FRAME) {
        let (best, bound, visited) = (PROGRESS.best(), PROGRESS.bound(), PROGRESS.visited());
        if boards.is_some() {
            if bound > 0 {
                bar.set_message(format!("distance {bound}: "));
            }
            bar.set_position(visited);
            continue;
        }
        let rate = (visited as f64 / begun.elapsed().as_secs_f64()) as u64;
        let (boards, rate) = (HumanCount(visited), HumanCount(rate));
        let parts = [
            (best > 0).then(|| format!("{best} moves found")),
            (bound > 0).then(|| format!("at least {bound} moves")),
            (visited > 0).then(|| format!("{boards} boards, {rate} a second")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        bar.set_message(parts.join(", "));
        bar.tick();
    }
    bar.finish_and_clear();
}
