//! The oracle for one board after the other.

use puzzledb::oracle::{Oracle, Oracles};
use puzzledb::puzzle::{Board, Shape};
use puzzledb::space::MAX_DATABASE_CELLS;

use super::anytime::Anytime;
use super::database::Databases;
use super::error::CliError;

/// Gives the oracle for each board, and keeps the last: boards of one goal in a row use the shared cache once, so that
/// threads do not wait for each other.
pub(super) struct LastOracle<'a> {
    databases: &'a Databases,
    oracles: &'a Oracles<'a, CliError, Oracle>,
    /// The goal of boards that name none, by the shape of the last.
    usual_goal: Option<(Shape, Board)>,
    last: Option<Oracle>,
    /// The last search for a goal without an oracle.
    anytime: Option<Anytime>,
}

impl<'a> LastOracle<'a> {
    pub(super) fn new(
        databases: &'a Databases,
        oracles: &'a Oracles<'a, CliError, Oracle>,
    ) -> Self {
        LastOracle {
            databases,
            oracles,
            usual_goal: None,
            last: None,
            anytime: None,
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

    /// The search for a goal without an oracle: the last one, or a new one, for which patterns are made in memory if
    /// that is worth while and there is no file of them.
    pub(super) fn anytime(
        &mut self,
        goal: Board,
        makes_patterns: bool,
    ) -> Result<Anytime, CliError> {
        match &self.anytime {
            Some(last) if last.goal == goal => Ok(last.clone()),
            _ => {
                let new = Anytime::new(goal, makes_patterns, self.databases)?;
                Ok(self.anytime.insert(new).clone())
            }
        }
    }

    /// The oracle for a goal, if there is one: a table, or patterns of up to
    /// [`MAX_DATABASE_CELLS`] cells.
    pub(super) fn get_if_available(&mut self, goal: &Board) -> Result<Option<&Oracle>, CliError> {
        match goal.shape().cells() {
            ..=MAX_DATABASE_CELLS => self.get(goal.shape(), Some(*goal)).map(Some),
            _ => Ok(None),
        }
    }
}
