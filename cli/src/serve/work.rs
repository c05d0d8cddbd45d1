//! The work for a request, which ends when its answer is no longer awaited.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::AbortHandle;

use puzzledb::Cancel;

use super::app::App;
use super::client_stream::ClientSide;
use super::problem::Problem;

tokio::task_local! {
    static CLIENT: ClientSide;
}

/// Runs a future that answers a request of a client.
pub(super) async fn for_client<F: Future>(client: ClientSide, answer: F) -> F::Output {
    CLIENT.scope(client, answer).await
}

/// The work for a request. Its flag is set when this is dropped, at the deadline, when the server stops, and some time
/// after the client has closed its side.
#[derive(Debug)]
pub(super) struct Work {
    cancel: Cancel,
    /// Time at which it must be done.
    pub deadline: Instant,
    /// Set before the flag if the client has closed its side.
    has_hung_up: Arc<AtomicBool>,
    watcher: AbortHandle,
}

/// Time that the work continues once the client has closed its side: it may have closed that side alone, and wait for
/// an answer that takes no longer.
const HALF_CLOSED: Duration = Duration::from_secs(1);

/// The time between two checks of the client's side.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);

impl Work {
    /// Work for the current request that begins now.
    pub(super) fn begin(app: &App) -> Work {
        let deadline = Instant::now() + app.limits.work_time;
        let cancel = app.stopped.until(deadline);
        let has_hung_up = Arc::default();
        let client = CLIENT.try_with(ClientSide::clone).unwrap_or_default();
        let watcher = tokio::spawn(watch(client, cancel.clone(), Arc::clone(&has_hung_up)));
        Work {
            cancel,
            deadline,
            has_hung_up,
            watcher: watcher.abort_handle(),
        }
    }

    /// The flag that ends it.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns the reason for no answer, if the flag is set.
    pub(super) fn check(&self, app: &App) -> Result<(), Problem> {
        if !self.cancel.is_cancelled() {
            Ok(())
        } else if self.has_hung_up.load(Ordering::Relaxed) {
            Err(Problem::busy(format!(
                "the client has closed its side of the connection, and this takes longer than {HALF_CLOSED:?}: keep \
                 it open until the answer comes"
            )))
        } else {
            Err(app.too_late())
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.watcher.abort();
    }
}

/// Sets the flags some time after the client has closed its side.
async fn watch(client: ClientSide, cancel: Cancel, has_hung_up: Arc<AtomicBool>) {
    while !client.is_closed() {
        tokio::time::sleep(WATCH_INTERVAL).await;
    }
    tokio::time::sleep(HALF_CLOSED).await;
    has_hung_up.store(true, Ordering::Relaxed);
    cancel.cancel();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::{Config, Tables};

    #[test]
    fn the_flag_is_set_when_the_work_is_dropped_and_when_the_server_stops() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(async {
            let address = "127.0.0.1:0".parse().unwrap();
            let tables = Tables::new([]);
            let app = App::new(&Config::new(address), address, tables).unwrap();
            let (work, other) = (Work::begin(&app), Work::begin(&app));
            let flag = work.cancel().clone();
            assert!(work.check(&app).is_ok() && !flag.is_cancelled());
            drop(work);
            assert!(flag.is_cancelled() && other.check(&app).is_ok());
            app.stopped.cancel();
            assert!(other.check(&app).is_err());
        });
    }
}
