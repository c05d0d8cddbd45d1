//! The state that all requests share.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use puzzledb::Cancel;
use puzzledb::ask::{Oracles, Run};
use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Shape, UsualGoal, parse_goal};

use super::admission::Admission;
use super::client::Client;
use super::config::{Config, Limits};
use super::log::Log;
use super::metrics::{Gauge, Metrics};
use super::permits::{Permit, Permits};
use super::problem::Problem;
use super::reach::Reach;
use super::tables::{Tables, unless_changed};
use super::work::Work;

#[derive(Debug)]
pub(super) struct App {
    pub limits: Limits,
    pub cors: bool,
    pub reach: Reach,
    pub tables: Tables,
    pub metrics: Metrics,
    pub admission: Admission,
    pub log: Option<Log>,
    pub started: Instant,
    /// Set once the server has stopped.
    pub stopped: Cancel,
    /// Permits for heavy questions, one for each at a time.
    pub heavy_permits: Arc<Permits>,
    /// Permits for answers in lines, one for each at a time.
    pub line_permits: Arc<Permits>,
    /// Permits for large bodies, one for each in memory at a time.
    pub body_permits: Arc<Permits>,
}

/// Most states of a table whose questions need no thread of their own: it answers within microseconds. In larger spaces
/// even counting solutions can take a while.
const MAX_STATES_INLINE: u64 = 2_000_000;

/// Refusal of a heavy question that has waited for others.
pub(super) const HEAVY_BUSY: &str =
    "other questions that take long are being answered: ask again in a moment";

impl Oracles for App {
    type Error = Problem;

    fn oracle(&self, goal: &Board) -> Result<Oracle, Problem> {
        self.tables.any_oracle(goal, self.limits.visited)
    }

    fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>, Problem> {
        Ok(Oracles::oracle(self, goal).ok())
    }

    fn check(&self, oracle: &Oracle) -> Result<(), Problem> {
        unless_changed(oracle, Ok(()))
    }
}

impl App {
    /// What the work for an answer may use.
    pub(super) fn run(&self, cancel: &Cancel) -> Run {
        Run {
            cancel: cancel.clone(),
            expansions: Some(self.limits.expansions),
            time: self.limits.search_time,
            memory: self.limits.search_memory,
            pattern_memory: self.limits.pattern_memory,
            trace: self.limits.trace,
            solutions: self.limits.solutions,
            reading_time: self.limits.reading_time,
            states: self.limits.effort_states,
        }
    }

    pub(super) fn new(config: &Config, address: SocketAddr, tables: Tables) -> io::Result<App> {
        let metrics = Metrics::default();
        Ok(App {
            limits: config.limits,
            cors: config.cors,
            reach: Reach::new(address, &config.hosts),
            tables,
            log: config.log.then(Log::start).transpose()?,
            started: Instant::now(),
            stopped: Cancel::new(),
            heavy_permits: Permits::new(config.limits.heavy, metrics.heavy_permits.clone()),
            line_permits: Permits::new(config.limits.line_answers, Gauge::default()),
            body_permits: Permits::new(config.limits.large_bodies, Gauge::default()),
            metrics,
            admission: Admission::default(),
        })
    }

    /// The oracle for a shape and for the goal as a request writes it.
    pub(super) fn oracle(&self, shape: Shape, goal: Option<&str>) -> Result<Oracle, Problem> {
        let goal = goal_or_default(shape, goal)?;
        self.tables.any_oracle(&goal, self.limits.visited)
    }

    /// The distance of a board; `None` if this server has no oracle for it, or only one that does not find it soon.
    pub(super) async fn distance(&self, board: Board, goal: &Board) -> Result<Option<u8>, Problem> {
        let Ok(oracle) = self.tables.any_oracle(goal, self.limits.visited) else {
            return Ok(None);
        };
        let distance = move |oracle: &Oracle| Ok(oracle.optimum(&board)?.known());
        self.ask(oracle, distance).await
    }

    /// Queries an oracle: on this thread if it has a table of a small space, as a [heavy](App::heavy) question
    /// otherwise.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        oracle: Oracle,
        question: impl FnOnce(&Oracle) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let question = move |oracle: &Oracle| unless_changed(oracle, question(oracle));
        let states = oracle.table().map(|table| table.header().states());
        if states.is_some_and(|states| states <= MAX_STATES_INLINE) {
            question(&oracle)
        } else {
            let ask = move |cancel: &Cancel| question(&oracle.with_cancel(cancel));
            self.heavy(ask).await
        }
    }

    /// Waits for one of these permits for the current client, as long as a heavy question may wait; `busy` is the
    /// refusal.
    pub(super) async fn permit(
        &self,
        permits: &Arc<Permits>,
        busy: &'static str,
    ) -> Result<Permit, Problem> {
        let permit = permits.acquire(Client::current());
        let permit = tokio::time::timeout(self.limits.heavy_wait, permit).await;
        permit.map_err(|_| Problem::busy(busy))
    }

    /// Answers a heavy question on a thread for blocking work, as soon as there is a permit for it. The question gets a
    /// flag that is set once the answer is no longer awaited.
    pub(super) async fn heavy<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = self.permit(&self.heavy_permits, HEAVY_BUSY).await?;
        let work = Work::begin(self);
        let cancel = work.cancel().clone();
        let answer = tokio::task::spawn_blocking(move || {
            let _permit = permit; // held until the work ends, soon after the flag is set
            question(&cancel)
        });
        match tokio::time::timeout_at(work.deadline.into(), answer).await {
            Ok(Ok(Ok(answer))) => Ok(answer),
            Ok(Ok(Err(problem))) => Err(work.check(self).err().unwrap_or(problem)),
            Ok(Err(_panicked)) => Err(Problem::internal(
                "this is a mistake in the server, and none in the request",
            )),
            Err(_) => Err(self.too_late()),
        }
    }

    /// The answer that another request may be computing, unless that takes longer than a request may wait and work.
    pub(super) async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        let time = self.limits.heavy_wait + self.limits.work_time;
        let answer = tokio::time::timeout(time, answer).await;
        answer.map_err(|_| self.too_late())?
    }

    /// The refusal of a request whose deadline is over.
    pub(super) fn too_late(&self) -> Problem {
        let time = self.limits.work_time;
        Problem::busy(format!(
            "this takes longer than {time:?}: ask for less at once, or again in a moment"
        ))
    }
}

/// The goal as a request writes it, or else the default goal.
pub(super) fn goal_or_default(shape: Shape, goal: Option<&str>) -> Result<Board, Problem> {
    match goal {
        Some(goal) => Ok(parse_goal(goal, shape)?),
        None => Ok(UsualGoal::Last.board(shape)),
    }
}
