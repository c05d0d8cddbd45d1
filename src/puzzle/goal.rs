//! The goals that people use, by name.

use crate::basics::names;

use super::board::Board;
use super::moves::Move;
use super::numbering::Numbering;
use super::parse_error::ParseError;
use super::shape::Shape;

/// A goal that has a name.
///
/// ```
/// use puzzledb::puzzle::{Shape, UsualGoal};
///
/// let goals = UsualGoal::ALL.map(|g| g.board(Shape::EIGHT_PUZZLE).to_string());
/// assert_eq!(goals, ["123456780", "012345678", "123804765"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsualGoal {
    /// Tiles in reading order, the blank in the last cell: the default.
    Last,
    /// The blank in the first cell, then the tiles in reading order.
    First,
    /// Tiles clockwise from the first corner inwards, the blank where the spiral ends.
    Spiral,
}

names!(UsualGoal, "a usual goal", [Last: "last", First: "first", Spiral: "spiral"]);

impl UsualGoal {
    /// This goal on a board of `shape`.
    pub fn board(self, shape: Shape) -> Board {
        match self {
            UsualGoal::Last => Board::in_order(shape, shape.tiles()),
            UsualGoal::First => Board::in_order(shape, 0),
            UsualGoal::Spiral => {
                Board::along_cells(shape, spiral(shape).into_iter().take(shape.tiles()))
            }
        }
    }
}

/// Text that is not a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a {shape} board ({cause}) and not a usual goal: last, first or spiral")]
#[non_exhaustive]
pub struct GoalError {
    /// The text.
    pub text: String,
    /// The shape of the goal.
    pub shape: Shape,
    /// Reason why the text is not a board.
    pub cause: ParseError,
}

/// Reads a goal for boards of `shape`: a board in any of the forms of
/// [`parse_board`](super::parse_board), or the name of a [`UsualGoal`].
///
/// ```
/// use puzzledb::puzzle::{Shape, parse_goal};
///
/// assert_eq!(parse_goal("spiral", Shape::EIGHT_PUZZLE)?.to_string(), "123804765");
/// # Ok::<(), puzzledb::puzzle::GoalError>(())
/// ```
///
/// # Errors
/// [`GoalError`]
pub fn parse_goal(text: &str, shape: Shape) -> Result<Board, GoalError> {
    Numbering::default().goal(text, shape)
}

impl Numbering {
    /// Reads a goal for boards of `shape` as [`parse_goal`] does.
    ///
    /// # Errors
    /// [`GoalError`]
    pub fn goal(self, text: &str, shape: Shape) -> Result<Board, GoalError> {
        if let Ok(goal) = text.parse::<UsualGoal>() {
            return Ok(goal.board(shape));
        }
        let board = self.of(shape).board(text.as_bytes());
        board.map_err(|cause| GoalError {
            text: text.to_owned(),
            shape,
            cause,
        })
    }
}

impl Board {
    /// The first usual goal, if any, to which this board can be solved.
    pub fn usual_goal(&self) -> Option<Board> {
        UsualGoal::ALL
            .iter()
            .map(|g| g.board(self.shape()))
            .find(|goal| self.is_solvable_to(goal))
    }
}

/// Every cell once, clockwise from cell 0 inwards.
fn spiral(shape: Shape) -> Vec<usize> {
    let (mut order, mut cell) = (vec![0], 0);
    let turns = [Move::Right, Move::Down, Move::Left, Move::Up];
    for mv in turns.into_iter().cycle() {
        while let Some(next) = shape.step(cell, mv).filter(|next| !order.contains(next)) {
            order.push(next);
            cell = next;
        }
        if order.len() == shape.cells() {
            break;
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spiral_visits_every_cell_once() {
        for (rows, cols) in [
            (2, 2),
            (2, 3),
            (3, 2),
            (3, 3),
            (3, 5),
            (5, 2),
            (4, 4),
            (5, 5),
        ] {
            let shape = Shape::new(rows, cols).unwrap();
            let mut order = spiral(shape);
            order.sort_unstable();
            assert_eq!(order, (0..shape.cells()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_usual_goals_of_a_two_by_three_board() {
        let shape = Shape::new(2, 3).unwrap();
        let goals = UsualGoal::ALL.map(|g| g.board(shape).to_string());
        assert_eq!(goals, ["123450", "012345", "123054"]);
    }
}
