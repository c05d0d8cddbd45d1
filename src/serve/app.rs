//! What all requests share.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;

use crate::oracle::Oracle;
use crate::puzzle::{Board, Shape, UsualGoal, parse_goal};

use super::config::Config;
use super::limits::Limits;
use super::log::Log;
use super::metrics::Metrics;
use super::problem::Problem;
use super::tables::Tables;

#[derive(Debug)]
pub(super) struct App {
    pub limits: Limits,
    pub cors: bool,
    /// Does it listen to this machine alone?
    pub is_local: bool,
    pub tables: Tables,
    pub metrics: Metrics,
    pub log: Option<Log>,
    pub started: Instant,
    heavy: Arc<Semaphore>,
}

/// In spaces up to this size a question is answered on the thread that asks; in larger ones even
/// counting solutions can take a while.
const QUICK_STATES: u64 = 2_000_000;

impl App {
    pub(super) fn new(config: &Config, address: SocketAddr, tables: Tables) -> io::Result<App> {
        Ok(App {
            limits: config.limits,
            cors: config.cors,
            is_local: address.ip().is_loopback(),
            tables,
            metrics: Metrics::default(),
            log: config.log.then(Log::start).transpose()?,
            started: Instant::now(),
            heavy: Arc::new(Semaphore::new(config.limits.heavy)),
        })
    }

    /// The oracle for a shape and a goal as it is written in a request.
    pub(super) fn oracle(&self, shape: Shape, goal: Option<&str>) -> Result<Oracle, Problem> {
        self.tables.oracle(&goal_of(shape, goal)?)
    }

    /// The distance of a board, if there is a database that tells.
    pub(super) fn distance(&self, board: &Board, goal: &Board) -> Result<Option<u8>, Problem> {
        match self.tables.oracle(goal) {
            Ok(oracle) => Ok(Some(oracle.distance(board)?)),
            Err(_) => Ok(None),
        }
    }

    /// Asks an oracle: at once in a small space, among the [heavy](App::heavy) questions in a large
    /// one.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        oracle: Oracle,
        question: impl FnOnce(&Oracle) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        match oracle.table().header().states() <= QUICK_STATES {
            true => question(&oracle),
            false => self.heavy(move || question(&oracle)).await,
        }
    }

    /// Answers a question that takes its time, on a thread of its own when it is its turn.
    pub(super) async fn heavy<T: Send + 'static>(
        &self,
        question: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = Arc::clone(&self.heavy).acquire_owned();
        let Ok(Ok(turn)) = tokio::time::timeout(self.limits.turn, turn).await else {
            return Err(Problem::busy(
                "other questions that take long are being answered: ask again in a moment",
            ));
        };
        let answer = tokio::task::spawn_blocking(move || {
            let _turn = turn; // even if nobody waits for the answer any more
            question()
        });
        answer.await.unwrap_or_else(|_| {
            let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
            Err(Problem::new(status, "this is a mistake in the server"))
        })
    }
}

/// The goal that is written in a request, or the default.
pub(super) fn goal_of(shape: Shape, goal: Option<&str>) -> Result<Board, Problem> {
    match goal {
        Some(goal) => Ok(parse_goal(goal, shape)?),
        None => Ok(UsualGoal::Last.board(shape)),
    }
}
