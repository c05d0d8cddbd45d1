//! Proves a table without trusting the search that made it.
//!
//! A function D on the states is the distance to the goal if and only if D is 0 at the goal and
//! nowhere else, every move changes D by exactly 1, and every other state has a neighbour one
//! closer. (No path is shorter than D, since a move takes off 1 at most; and a path of length D
//! is there, since the neighbours one closer lead down to 0.) The check goes through all states
//! and all their moves with the arithmetic of [`crate::space`], not with the search's planes; only
//! for bit tables of more than ten million states it uses planes too, in memory, in files or shared by
//! several ranks, and then looks at a million drawn states with that arithmetic.

mod error;
mod planes;
pub(crate) mod proof;
mod states;

pub use error::{CheckError, Fault};
pub use proof::{Proof, check};
