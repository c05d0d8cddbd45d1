//! Oracles: optimal distances and solutions of boards.
//!
//! An [`Oracle`] knows the distances of all boards to one goal, from a table or by searches with pattern databases. It
//! chooses that itself, and answers all questions: distances, solutions, counts, probes, statistics, draws.
//! [`StatsRecord`] has the statistics of a whole space, and [`check()`](check::check) proves a table.

mod by_patterns;
mod by_table;
pub mod check;
mod distances;
pub mod draw;
mod error;
mod farthest;
mod front;
pub mod generate;
mod generate_by_patterns;
mod optimum;
mod probe;
mod rows;
mod solution;
pub(crate) mod sources;
mod stats;

pub use error::{OracleError, QueryError};
pub use front::{Limits, Oracle};
pub use optimum::Optimum;
pub use probe::{Probe, ProbeMove};
pub use rows::{Rows, RowsError};
pub use solution::{Bounds, SolutionRecord, SolutionsRecord};
pub use sources::Database;
pub use stats::{DistanceRow, SolutionRange, StatsRecord};

pub(crate) use self::distances::SMALL_SPACE;
