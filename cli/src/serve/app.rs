//! The state that all requests share, and the work for their answers.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use puzzledb::Cancel;
use puzzledb::ask::{Oracles, Question, Refusal, RefusalCode, Run};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;

use super::api::Route;
use super::config::{Config, Limits};
use super::guard::check_site;
use super::metrics::Metrics;
use super::problem::Problem;
use super::reach::Reach;
use super::tables::{Tables, no_table, unless_changed};

#[derive(Debug)]
pub(super) struct App {
    pub limits: Limits,
    pub cors: bool,
    pub log: bool,
    pub reach: Reach,
    pub tables: Tables,
    pub metrics: Metrics,
    pub started: Instant,
    /// Set once the server has stopped.
    pub stopped: Cancel,
    /// Places for connections.
    pub connections: Arc<Semaphore>,
    /// Places for requests that are being answered.
    pub in_flight: Arc<Semaphore>,
    /// Permits for heavy work: searches, and opening and building databases. Look-ups need none.
    pub heavy_permits: Arc<Semaphore>,
    /// Permits for large bodies, one for each in memory at a time.
    pub body_permits: Arc<Semaphore>,
    /// The routes of the API, once they are made.
    pub routes: OnceLock<Vec<Route>>,
}

/// Most states of a table whose questions need no thread of their own: it answers within microseconds. In larger spaces
/// even counting solutions can take a while.
const MAX_STATES_INLINE: u64 = 2_000_000;

/// Refusal of a heavy question that has waited for others.
const HEAVY_BUSY: &str = "other questions that take long are being answered: ask again in a moment";

/// The oracles of a list of boards or claims, which is light work: a part that needs a search waits for its own permit.
impl Oracles for App {
    type Error = Problem;

    fn oracle(&self, goal: &Board) -> Result<Oracle, Problem> {
        self.tables.any_oracle(goal, self.limits.visited)
    }

    fn code(problem: &Problem) -> Option<RefusalCode> {
        problem.code()
    }

    fn part<T>(
        &self,
        oracle: &Oracle,
        work: impl FnOnce() -> Result<T, Refusal>,
    ) -> Result<T, Problem> {
        let _turn = self.turn(oracle)?;
        unless_changed(oracle, work().map_err(Problem::from))
    }
}

/// The oracle of one question's goal, which was found before the work began, or why there is none.
struct Found(Result<Oracle, Problem>);

impl Oracles for Found {
    type Error = Problem;

    fn oracle(&self, _goal: &Board) -> Result<Oracle, Problem> {
        self.0.clone()
    }

    fn oracle_beside(&self, _goal: &Board) -> Result<Option<Oracle>, Problem> {
        Ok(self.0.clone().ok())
    }

    fn table(&self, goal: &Board) -> Result<Oracle, Problem> {
        let oracle = self.0.clone()?;
        match oracle.table() {
            Some(_) => Ok(oracle),
            None => Err(no_table(goal.shape())),
        }
    }
}

/// Kind of the work for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// A look-up: light where there is a table, and done at once if that is small.
    LookUp,
    /// Work beside a look-up: light where there is a table, never done at once, and possible without an oracle.
    Beside,
    /// A search, always heavy, and possible without an oracle.
    Search,
}

impl App {
    /// What the work for an answer may use.
    pub(super) fn run(&self, cancel: &Cancel) -> Run {
        Run {
            cancel: cancel.clone(),
            ..self.limits.run.clone()
        }
    }

    pub(super) fn new(config: &Config, address: SocketAddr, tables: Tables) -> App {
        let permits = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        App {
            limits: config.limits.clone(),
            cors: config.cors,
            log: config.log,
            reach: Reach::new(address, &config.hosts),
            tables,
            metrics: Metrics::default(),
            started: Instant::now(),
            stopped: Cancel::new(),
            connections: permits(config.limits.connections),
            in_flight: permits(config.limits.in_flight),
            heavy_permits: permits(config.limits.heavy),
            body_permits: permits(config.limits.large_bodies),
            routes: OnceLock::new(),
        }
    }

    /// The oracle for a goal.
    pub(super) async fn oracle_for(self: &Arc<App>, goal: Board) -> Result<Oracle, Problem> {
        let visited = self.limits.visited;
        let find = move |tables: &Tables| tables.any_oracle(&goal, visited);
        self.find(goal, find).await
    }

    /// Finds something in the tables. Opening that of the goal, at the first request and when its file has changed, is
    /// heavy work.
    pub(super) async fn find<T: Send + 'static>(
        self: &Arc<App>,
        goal: Board,
        find: impl FnOnce(&Tables) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        if self.tables.is_open(&goal) {
            return find(&self.tables);
        }
        let app = Arc::clone(self);
        self.heavy(move |_| find(&app.tables)).await
    }

    /// Answers a question with the oracle for its goal, unless the database is changed meanwhile.
    pub(super) async fn answer<Q>(
        self: &Arc<App>,
        question: Q,
        weight: Weight,
    ) -> Result<Q::Record, Problem>
    where
        Q: Question<Record: Send> + Send + 'static,
    {
        let goal = question.goal(&self.run(&Cancel::new()))?;
        let oracle = self.oracle_for(goal).await;
        if weight == Weight::LookUp {
            oracle.as_ref().map_err(Problem::clone)?;
        }
        let table = oracle.as_ref().ok().and_then(|oracle| {
            let table = oracle.table()?;
            (!question.searches(oracle)).then_some(table)
        });
        let states = table.map(|table| table.header().states());
        let app = Arc::clone(self);
        let work = move |cancel: &Cancel| {
            let found = Found(oracle);
            let answer = question.answer(&found, &app.run(cancel));
            match &found.0 {
                Ok(oracle) => unless_changed(oracle, answer),
                Err(_) => answer,
            }
        };
        match (weight, states) {
            (Weight::LookUp, Some(..=MAX_STATES_INLINE)) => work(&Cancel::new()),
            (Weight::LookUp | Weight::Beside, Some(_)) => self.light(work).await,
            _ => self.heavy(work).await,
        }
    }

    /// Does light work, look-ups and lists of them, on a thread for blocking work.
    pub(super) async fn light<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.work(None, question).await
    }

    /// Does heavy work as soon as there is a permit for it, and refuses it if there is none in time.
    pub(super) async fn heavy<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        check_site()?;
        let permit = permit(&self.heavy_permits, self.limits.heavy_wait);
        let permit = permit.await.ok_or_else(|| Problem::busy(HEAVY_BUSY))?;
        self.work(Some(permit), question).await
    }

    /// Answers a question on a thread for blocking work. It gets a flag that is set once the answer is no longer
    /// awaited; the permit is held until the work ends, soon after that.
    async fn work<T: Send + 'static>(
        &self,
        permit: Option<OwnedSemaphorePermit>,
        question: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let work = Work::begin(self);
        let cancel = work.cancel.clone();
        let answer = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            question(&cancel)
        });
        match answer.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) if work.cancel.is_cancelled() => Err(self.too_late()),
            Ok(Err(problem)) => Err(problem),
            Err(_panicked) => Err(Problem::panicked()),
        }
    }

    /// Waits, on a thread for blocking work, for a permit to ask an oracle about one of many boards. A table needs none.
    pub(super) fn turn(&self, oracle: &Oracle) -> Result<Option<OwnedSemaphorePermit>, Problem> {
        if oracle.table().is_some() {
            return Ok(None);
        }
        let permit = permit(&self.heavy_permits, self.limits.work_time);
        let permit = Handle::current().block_on(permit);
        permit.map(Some).ok_or_else(|| self.too_late())
    }

    /// The refusal of a request whose deadline is over.
    pub(super) fn too_late(&self) -> Problem {
        let time = self.limits.work_time;
        Problem::timed_out(format!(
            "this takes longer than {time:?}: ask for less at once, or again in a moment"
        ))
    }
}

/// The next of these permits; `None` if none is free in time.
pub(super) async fn permit(
    permits: &Arc<Semaphore>,
    time: Duration,
) -> Option<OwnedSemaphorePermit> {
    let permit = Arc::clone(permits).acquire_owned();
    tokio::time::timeout(time, permit).await.ok()?.ok()
}

/// The work for a request. Its flag is set when this is dropped, at the deadline, and when the server stops.
#[derive(Debug)]
pub(super) struct Work {
    pub cancel: Cancel,
    /// Time at which it must be done.
    pub deadline: Instant,
}

impl Work {
    /// Work that begins now.
    pub(super) fn begin(app: &App) -> Work {
        let deadline = Instant::now() + app.limits.work_time;
        let cancel = app.stopped.until(deadline);
        Work { cancel, deadline }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
