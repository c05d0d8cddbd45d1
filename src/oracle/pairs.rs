//! Distances between any two boards of a shape.

use std::sync::OnceLock;

use crate::puzzle::{Board, Shape};
use crate::space::{Frame, GoalClass, SpaceError};
use crate::table::{Bytes, Table};

use super::error::{OracleError, QueryError};
use super::solve::Oracle;

/// The distances between all pairs of boards of a shape.
///
/// Any board can be the goal, and every goal belongs to one of a few classes, so a table for each
/// class answers every pair: three for the 181,440 x 181,440 pairs of the 8-puzzle. A table is
/// made in memory when its class is first asked for.
///
/// ```
/// use puzzledb::oracle::Pairs;
/// use puzzledb::puzzle::Shape;
///
/// let pairs = Pairs::new(Shape::EIGHT_PUZZLE)?;
/// let (a, b) = ("704851632".parse()?, "536407182".parse()?);
/// assert_eq!(pairs.distance(&a, &b)?, pairs.distance(&b, &a)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pairs {
    shape: Shape,
    tables: Vec<(GoalClass, OnceLock<Table>)>,
}

impl Pairs {
    /// The pairs of boards of `shape`.
    ///
    /// # Errors
    /// [`SpaceError::TooManyCells`] for a shape that no database can number.
    pub fn new(shape: Shape) -> Result<Pairs, SpaceError> {
        let classes = GoalClass::all(shape)?.into_iter();
        Ok(Pairs {
            shape,
            tables: classes.map(|class| (class, OnceLock::new())).collect(),
        })
    }

    /// Uses a table that is there, in place of one made in memory. It is left if there is one of
    /// its class already, or if it is of another shape.
    pub fn add(&mut self, table: Table) {
        let class = table.header().class();
        if let Some((_, place)) = self.tables.iter().find(|(its, _)| *its == class) {
            let _ = place.set(table);
        }
    }

    /// The length of a shortest way from one board to another, in moves.
    ///
    /// # Errors
    /// [`PairError`]: a table must be made and cannot be, or there is no way.
    pub fn distance(&self, start: &Board, goal: &Board) -> Result<u8, PairError> {
        if goal.shape() != self.shape {
            let (board, goal) = (goal.shape(), self.shape);
            return Err(QueryError::from(SpaceError::OtherShape { board, goal }).into());
        }
        let frame = Frame::new(goal).map_err(QueryError::from)?;
        let class = frame.class();
        let (_, place) = (self.tables.iter())
            .find(|(its, _)| *its == class)
            .expect("every goal of a shape is of one of its classes");
        let table = match place.get() {
            Some(table) => table,
            None => {
                let made: Oracle<Bytes> = Oracle::in_memory(&class.goal())?;
                place.get_or_init(|| made.into_table())
            }
        };
        let state = frame
            .state(table.ranking(), start)
            .map_err(QueryError::from)?;
        let distance = table.distance(state);
        Ok(distance.ok_or(QueryError::WrongTable)?)
    }
}

/// Why there is no distance between two boards.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    /// The table could not be made.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// There is no way, or the table is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
}
