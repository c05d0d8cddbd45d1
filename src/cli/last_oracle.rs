//! The oracle for one board after the other.

use crate::oracle::{Oracle, Oracles};
use crate::puzzle::{Board, Shape};

use super::database::Databases;
use super::error::CliError;

/// Gives the oracle for each board, and keeps the last: boards of one goal in a row ask the shared
/// cache once, so that threads do not wait for each other.
pub(super) struct LastOracle<'a> {
    databases: &'a Databases,
    oracles: &'a Oracles<'a, CliError>,
    /// The goal of boards that name none, by the shape of the last.
    usual_goal: Option<(Shape, Board)>,
    last: Option<Oracle>,
    /// The last goal without a database.
    unavailable: Option<Board>,
}

impl<'a> LastOracle<'a> {
    pub(super) fn new(databases: &'a Databases, oracles: &'a Oracles<'a, CliError>) -> Self {
        LastOracle {
            databases,
            oracles,
            usual_goal: None,
            last: None,
            unavailable: None,
        }
    }

    /// The goal of boards of a shape: the one that they name, or the usual one.
    pub(super) fn goal(&mut self, shape: Shape, named: Option<Board>) -> Result<Board, CliError> {
        match (named, self.usual_goal) {
            (Some(goal), _) => Ok(goal),
            (None, Some((its, goal))) if its == shape => Ok(goal),
            (None, _) => {
                let goal = self.databases.goal(shape)?;
                self.usual_goal = Some((shape, goal));
                Ok(goal)
            }
        }
    }

    /// The oracle for boards of a shape and the goal that they name, or the usual one.
    pub(super) fn get(&mut self, shape: Shape, goal: Option<Board>) -> Result<&Oracle, CliError> {
        let goal = self.goal(shape, goal)?;
        match &mut self.last {
            Some(last) if *last.goal() == goal => {}
            last => *last = Some(self.oracles.oracle(&goal)?),
        }
        Ok(self.last.as_ref().expect("it was just set"))
    }

    /// The oracle for a goal, if its database exists or is made in a few milliseconds.
    pub(super) fn get_if_available(&mut self, goal: &Board) -> Result<Option<&Oracle>, CliError> {
        if self.last.as_ref().is_none_or(|last| last.goal() != goal) {
            if self.unavailable == Some(*goal) {
                return Ok(None);
            }
            if !self.databases.is_available(goal)? {
                self.unavailable = Some(*goal);
                return Ok(None);
            }
            self.last = Some(self.oracles.oracle(goal)?);
        }
        Ok(self.last.as_ref())
    }
}
