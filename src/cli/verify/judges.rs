//! Oracles for whatever goals the claims name.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::judge::reading::Claim;
use crate::judge::{Judgement, Reading};
use crate::oracle::Oracle;
use crate::puzzle::{Board, MAX_CELLS, Shape};
use crate::space::Frame;

use super::super::database::Databases;
use super::super::error::CliError;

/// One more than the longest side of a shape: 2x12 has 24 cells.
const SIDES: usize = 13;

/// The tables of all classes of goals, each fetched when it is first asked for.
pub(super) struct Judges<'a> {
    databases: &'a Databases,
    only: Option<Reading>,
    fetching: Mutex<()>,
    /// By rows, columns and blank of the class.
    oracles: Vec<OnceLock<Oracle>>,
}

impl<'a> Judges<'a> {
    pub(super) fn new(databases: &'a Databases, only: Option<Reading>) -> Judges<'a> {
        let oracles = (0..SIDES * SIDES * MAX_CELLS).map(|_| OnceLock::new());
        Judges {
            databases,
            only,
            fetching: Mutex::new(()),
            oracles: oracles.collect(),
        }
    }

    /// An oracle of the goal's class.
    fn of_class(&self, goal: &Board) -> Result<&Oracle, CliError> {
        let class = Frame::new(goal)?.class();
        let shape = class.shape();
        let place = (shape.rows() * SIDES + shape.cols()) * MAX_CELLS + class.blank();
        let place = &self.oracles[place];
        if let Some(oracle) = place.get() {
            return Ok(oracle);
        }
        let _one_at_a_time = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(oracle) = place.get() {
            return Ok(oracle);
        }
        let databases = Databases {
            goal: Some(goal.to_string()),
            ..self.databases.clone()
        };
        let usual = self.databases.goal(goal.shape())? == *goal;
        let databases = if usual { self.databases } else { &databases };
        let oracle = databases.oracle(goal.shape())?;
        Ok(place.get_or_init(|| oracle))
    }
}

/// A judgement and the oracle that gave it, or why there is none.
type Answered<'o, 'a> = Result<(Judgement, &'o Oracle<&'a [u8]>), String>;

/// Judges claims one after the other, and keeps the oracle of the last goal.
pub(super) struct Judge<'a> {
    judges: &'a Judges<'a>,
    /// The goal of claims that name none, by the shape of the last.
    usual: Option<(Shape, Board)>,
    oracle: Option<Oracle<&'a [u8]>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(judges: &'a Judges<'a>) -> Judge<'a> {
        Judge {
            judges,
            usual: None,
            oracle: None,
        }
    }

    /// The judgement of a claim, and the oracle that gave it.
    ///
    /// The outer error ends everything; the inner one is this claim's alone.
    pub(super) fn judge(&mut self, claim: &Claim) -> Result<Answered<'_, 'a>, CliError> {
        let only = self.judges.only;
        let oracle = match self.oracle(claim) {
            Ok(oracle) => oracle,
            Err(CliError::Usage(why) | CliError::No(why)) => return Ok(Err(why)),
            Err(error) => return Err(error),
        };
        let judgement = oracle.judge(&claim.board, &claim.answer, only)?;
        Ok(Ok((judgement, oracle)))
    }

    fn oracle(&mut self, claim: &Claim) -> Result<&Oracle<&'a [u8]>, CliError> {
        let shape = claim.board.shape();
        let goal = match (claim.goal, self.usual) {
            (Some(goal), _) => goal,
            (None, Some((its, goal))) if its == shape => goal,
            (None, _) => {
                let goal = self.judges.databases.goal(shape)?;
                self.usual = Some((shape, goal));
                goal
            }
        };
        if self
            .oracle
            .as_ref()
            .is_none_or(|oracle| *oracle.goal() != goal)
        {
            self.oracle = Some(self.judges.of_class(&goal)?.for_goal(&goal)?);
        }
        Ok(self.oracle.as_ref().expect("it was just made"))
    }
}
