//! Oracles: optimal distances and solutions of boards.
//!
//! An [`Oracle`] knows the distances of all boards to one goal, from a table or by searches with pattern databases. It
//! chooses that itself, and answers all questions: distances, solutions, counts, probes, statistics, draws.
//! [`StatsRecord`] has the statistics of a whole space, and [`check()`](check::check) proves a table.

pub(crate) mod boards_at;
pub(crate) mod bounds;
pub(crate) mod by_patterns;
pub(crate) mod by_table;
pub mod check;
pub(crate) mod database;
pub(crate) mod distances;
pub mod draw;
pub(crate) mod error;
pub(crate) mod farthest;
pub(crate) mod front;
pub mod generate;
pub(crate) mod generate_by_patterns;
pub(crate) mod optimum;
pub(crate) mod probe;
pub(crate) mod rows;
pub(crate) mod shared_patterns;
pub(crate) mod solution_record;
pub(crate) mod solutions_record;
pub(crate) mod sources;
pub(crate) mod stats;

pub use bounds::Bounds;
pub use database::Database;
pub use error::{OracleError, QueryError};
pub use front::{Limits, Oracle};
pub use optimum::Optimum;
pub use probe::{Probe, ProbeMove};
pub use rows::{Rows, RowsError};
pub use solution_record::SolutionRecord;
pub use solutions_record::SolutionsRecord;
pub use stats::{DistanceRow, SolutionRange, StatsRecord};

pub(crate) use self::distances::SMALL_SPACE;
