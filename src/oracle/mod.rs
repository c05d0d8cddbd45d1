//! Oracles: optimal distances and solutions of boards.
//!
//! An [`Oracle`] knows the distances of all boards to one goal, from a table or by searches with pattern databases. It
//! chooses that itself, and answers all questions: distances, solutions, counts, probes, statistics, draws.
//! [`StatsRecord`] has the statistics of a whole space, and [`check()`](check::check) proves a table.

mod answers;
mod by_patterns;
pub mod check;
mod distances;
pub mod draw;
mod error;
mod front;
pub mod generate;
mod generate_by_patterns;
mod questions;
mod rows;
pub(crate) mod sources;
mod stats;

pub use answers::{Optimum, Probe, ProbeMove};
pub use error::{OracleError, QueryError};
pub use front::{Limits, Oracle};
pub use rows::{Rows, RowsError};
pub use sources::Database;
pub use stats::{DistanceRow, SolutionRange, StatsRecord};
