//! The oracle: every question that a database answers.
//!
//! [`Oracle`] joins a [`Table`](crate::table::Table) and a goal: distances, solutions, counts,
//! probes. [`Oracles`] has one for any goal. [`Stats`] are those of a whole space,
//! [`check()`](check::check) proves a table, and [`generate()`](generate::generate) and
//! [`draw()`](draw::draw) draw boards.

mod boards_at;
pub mod check;
mod distances;
pub mod draw;
mod error;
pub mod generate;
mod histogram;
mod open;
mod oracles;
mod probe;
mod solution_record;
mod solutions;
mod solve;
mod stats;
mod stats_record;

pub use distances::SMALL_SPACE;
pub use error::{OracleError, QueryError};
pub use histogram::histogram_svg;
pub use open::Oracle;
pub use oracles::Oracles;
pub use probe::{Probe, ProbeMove};
pub use solution_record::SolutionRecord;
pub use solutions::{SolutionCounts, Solutions};
pub use stats::{DistanceDetails, HardestBoard, Stats, StatsDetails};
pub use stats_record::{DistanceRow, SolutionRange, StatsRecord};
