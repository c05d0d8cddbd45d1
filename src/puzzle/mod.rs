//! The puzzle itself: shapes, boards, moves, how people write them, and boards at random.
//!
//! This module does not depend on ranks, tables or searches. It serves any board of up to
//! [`MAX_CELLS`] cells, whether or not a database of its shape can exist.

pub(crate) mod as_text;
mod board;
pub(crate) mod board_list;
mod goal;
mod moves;
mod notation;
mod numbering;
mod parse;
mod parse_error;
mod shape;
pub(crate) mod shuffle;

pub use board::{Board, BoardError, IllegalMove};
pub use board_list::BoardListError;
pub use goal::{GoalError, UsualGoal, parse_goal};
pub use moves::{Move, MoveError, parse_moves};
pub use notation::{Notation, letters};
pub use numbering::Numbering;
pub use parse::parse_board;
pub use parse_error::ParseError;
pub use shape::{MAX_CELLS, Shape, ShapeError};
pub use shuffle::{generate_by_shuffling, generate_by_walk, random_board};
