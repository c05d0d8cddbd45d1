//! The work for the answer to a request: on a thread for blocking work, until it is no longer awaited.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use scopeguard::guard;
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use puzzledb::Cancel;
use puzzledb::ask::{Oracles, Question, Refusal, RefusalCode, Run};
use puzzledb::oracle::{Limits, Oracle};
use puzzledb::puzzle::Board;

use super::answer::Problem;
use super::server::App;
use super::tables::unless_changed;

/// Time between two looks whether work that waits for its turn is still awaited.
const TICK: Duration = Duration::from_millis(50);

/// The work for a request.
#[derive(Debug)]
pub(super) struct Work {
    pub app: Arc<App>,
    /// What the work may use. It is cancelled at the deadline, and when it is no longer awaited: its client has left, or the
    /// server stops.
    pub run: Run,
    /// Whether a page of another site makes a browser send the request, as by an image.
    is_cross_site: bool,
    /// The permit for heavy work, from the first need of it to the end of an answer.
    permit: RefCell<Option<OwnedSemaphorePermit>>,
    /// The last oracle of an answer, or the first whose file was changed.
    oracle: RefCell<Option<Oracle>>,
}

impl Work {
    /// Work that begins now, for a request with these headers.
    pub(super) fn new(app: &Arc<App>, headers: &HeaderMap) -> Work {
        let limits = &app.config.limits;
        let [site, origin, host] = ["sec-fetch-site", "origin", "host"].map(|name| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default()
        });
        // Headers of a browser: the site for addresses that it trusts, and else the origin of what a script asks.
        let is_other = match site {
            "" => !origin.is_empty() && origin.split_once("//").is_none_or(|it| it.1 != host),
            site => site == "cross-site",
        };
        let mut run = limits.run.clone();
        run.cancel = Cancel::new().within(limits.work_time);
        Work {
            run,
            is_cross_site: !app.config.cors && is_other,
            app: Arc::clone(app),
            permit: RefCell::default(),
            oracle: RefCell::default(),
        }
    }

    /// Does the work on a thread for blocking work, which ends soon after the future is dropped.
    pub(super) fn spawn<T: Send + 'static>(
        self,
        work: impl FnOnce(&Work) -> Result<T, Problem> + Send + 'static,
    ) -> impl Future<Output = Result<T, Problem>> + Send {
        let app = Arc::clone(&self.app);
        let end = guard(self.run.cancel.clone(), |cancel| cancel.cancel());
        let thread = spawn_blocking(move || work(&self));
        async move {
            match thread.await {
                Ok(Err(_)) if end.is_cancelled() => Err(too_late(&app)),
                Ok(result) => result,
                Err(_panicked) => Err(Problem::panicked()),
            }
        }
    }

    /// Returns the refusal of the request if its time is over.
    pub(super) fn check(&self) -> Result<(), Problem> {
        self.run.cancel.check().map_err(|_| too_late(&self.app))
    }

    /// Answers a question.
    pub(super) fn answer<Q: Question>(&self, question: &Q) -> Result<Q::Record, Problem> {
        self.oracle.take();
        self.end(question.answer(self, &self.run))
    }

    /// Ends an answer, or one of many: the permit is for others, and the answer from a file that was changed meanwhile is
    /// refused.
    pub(super) fn end<T>(&self, answer: Result<T, Problem>) -> Result<T, Problem> {
        self.permit.take();
        unless_changed(self.oracle.borrow().as_ref(), answer)
    }
}

/// The refusal of a request whose deadline is over.
pub(super) fn too_late(app: &App) -> Problem {
    let time = app.config.limits.work_time;
    let detail =
        format!("this takes longer than {time:?}: ask for less at once, or again in a moment");
    Problem::of(RefusalCode::TimedOut, detail)
}

impl Oracles for Work {
    type Error = Problem;

    fn oracle(&self, goal: &Board) -> Result<Oracle, Problem> {
        // Opening a database, at the first request and when its file has changed, is heavy work.
        let oracle = self.app.tables.oracle(goal, || self.turn(true))?;
        let oracle = oracle.with_goal(goal).map_err(Refusal::from)?;
        let mut last = self.oracle.borrow_mut();
        if unless_changed(last.as_ref(), Ok(())).is_ok() {
            *last = Some(oracle.clone());
        }
        Ok(oracle.with_limits(Limits::visiting(self.app.config.limits.visited)))
    }

    fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>, Problem> {
        Ok(self.oracle(goal).ok())
    }

    /// Takes a permit for heavy work. A page that the browser says is of another site gets none: images alone could keep the
    /// server busy.
    fn turn(&self, is_search: bool) -> Result<(), Problem> {
        if !is_search || self.permit.borrow().is_some() {
            return Ok(());
        } else if self.is_cross_site {
            let detail = "this server does no long work for pages of other sites (Sec-Fetch-Site, Origin): \
                          ask from its own page, or start it with --cors";
            return Err(Problem::new(StatusCode::FORBIDDEN, detail));
        }
        let end = self.run.cancel.within(self.app.config.limits.heavy_wait);
        let over = async {
            while !end.is_cancelled() {
                sleep(TICK).await;
            }
        };
        let permit = Handle::current().block_on(async {
            tokio::select! {
                biased; // a permit that is free is taken without time to wait, too
                permit = Arc::clone(&self.app.heavy_permits).acquire_owned() => Ok(permit.ok()),
                () = over => {
                    let detail = "other questions that take long are being answered: ask again in a moment";
                    Err(Problem::of(RefusalCode::Busy, detail))
                }
            }
        })?;
        self.permit.replace(permit);
        Ok(())
    }

    fn table(&self, goal: &Board) -> Result<Oracle, Problem> {
        let oracle = self.oracle(goal)?;
        if oracle.table().is_some() {
            return Ok(oracle);
        }
        let shape = goal.shape();
        let detail = format!(
            "this server has no database of {shape} boards: it solves them by searches, and has neither statistics nor \
             a file of them"
        );
        Err(Problem::of(RefusalCode::NoDatabase, detail))
    }
}
