//! The state space of a shape and a goal: every reachable board has a dense number.
//!
//! [`Ranking`] numbers the states of a canonical space and steps from state to state without unpacking a board. [`Space`]
//! makes any goal the canonical goal of its [class](GoalClass) by renaming tiles and rotating or reflecting the board.

mod boards;
mod class;
mod error;
mod lehmer;
mod ranking;
mod rotation;

pub use boards::Space;
pub use class::GoalClass;
pub(crate) use class::Symmetry;
pub use error::{SpaceError, check_solvable};
pub use lehmer::MAX_DATABASE_CELLS;
pub(crate) use lehmer::{digit_sum, exchange_digits, factorial, rank_order};
pub use ranking::{Ranking, State, StateIndex};
pub(crate) use rotation::{Rotation, rotation};
