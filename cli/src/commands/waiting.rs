//! Progress shown during a long search.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};

use puzzledb::Progress;

use super::render::progress_bar;

static PROGRESS: LazyLock<Arc<Progress>> = LazyLock::new(Arc::default);

/// Progress of the searches that are [`watched`].
pub(super) fn progress() -> &'static Arc<Progress> {
    &PROGRESS
}

/// Time after which the progress of a search is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two pictures of the progress.
const FRAME: Duration = Duration::from_millis(100);

/// Does some work. If it takes long, a terminal at standard error shows the progress of its searches.
pub(super) fn watched<T>(work: impl FnOnce() -> T) -> T {
    watch(None, work)
}

/// Does work that visits `boards` boards in all, as [`watched`] does, and shows the time left too.
pub(super) fn watched_to<T>(boards: u64, work: impl FnOnce() -> T) -> T {
    watch(Some(boards), work)
}

fn watch<T>(boards: Option<u64>, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    progress().reset();
    let (working, ended) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || match boards {
            None => show(&ended),
            Some(boards) => show_part(boards, &ended),
        });
        let _working: std::sync::mpsc::Sender<()> = working; // dropped when the work ends, in a panic too
        work()
    })
}

/// Returns whether the work still runs after this time.
fn is_running(ended: &Receiver<()>, time: Duration) -> bool {
    ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
}

/// Shows the number of boards visited, until the sender is gone.
fn show_part(boards: u64, ended: &Receiver<()>) {
    if !is_running(ended, PATIENCE) {
        return;
    }
    let bar = progress_bar(
        boards,
        "{human_pos} of {human_len} boards {wide_bar} {elapsed}, about {eta} left",
    );
    while is_running(ended, FRAME) {
        bar.set_position(progress().visited());
    }
    bar.finish_and_clear();
}

/// Shows the progress until the sender is gone.
fn show(ended: &Receiver<()>) {
    let begun = Instant::now();
    if !is_running(ended, PATIENCE) {
        return;
    }
    let bar = ProgressBar::new_spinner();
    while is_running(ended, FRAME) {
        let (best, bound, visited) = (progress().best(), progress().bound(), progress().visited());
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
