//! Pattern databases: the fewest moves of some of the tiles, for shapes without a table.
//!
//! A *pattern* is a set of tiles; all others are alike. Its database has, for every placement of
//! these tiles and every region that the blank can be in, the fewest moves of these tiles to the
//! goal. Only their own moves count, so the distances of patterns without common tiles can be added
//! (Korf and Felner, Disjoint pattern database heuristics, 2002).

mod blocks;
mod build;
mod check;
mod checkpoint;
mod database;
mod duplicates;
pub(crate) mod ensure;
mod estimate;
mod exchanges;
mod file;
pub(crate) mod forecast;
pub(crate) mod ida_star;
mod orders;
mod partition;
mod patterns;
mod search;
pub(crate) mod solver;

pub use build::{PatternBuildError, PatternProgress};
pub use check::{PatternCheckError, PatternProof, check};
pub use partition::{Partition, PartitionError, PatternNames};
pub use patterns::Patterns;

pub(crate) use self::{
    estimate::Estimate,
    ida_star::{Exits, IdaStar, Question, ShortestSolutions, exits},
    solver::Solver,
};
