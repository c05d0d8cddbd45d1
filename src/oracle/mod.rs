//! Oracles: optimal distances and solutions of boards.
//!
//! [`TableOracle`] joins a [`Table`](crate::table::Table) and a goal: distances, solutions, counts, probes.
//! [`PatternOracle`] searches with pattern databases where there is no table, and [`Oracle`] is either.
//! [`Stats`] are the statistics of a whole space, [`check()`](check::check) proves a table, and
//! [`generate()`](generate::generate) and [`draw()`](draw::draw) draw boards.

mod batch;
mod boards_at;
mod by_patterns;
mod by_table;
pub mod check;
mod distances;
pub mod draw;
mod drawn_record;
mod error;
mod farthest;
mod front;
pub mod generate;
mod generate_by_patterns;
mod optimum;
mod probe;
mod shared_patterns;
mod solution_counts;
mod solution_record;
mod solutions;
mod solutions_record;
mod solve;
mod stats;
mod stats_record;

pub use batch::{BatchError, Element};
pub use by_patterns::PatternOracle;
pub use by_table::TableOracle;
pub use error::{OracleError, QueryError};
pub use front::Oracle;
pub use optimum::{Distances, Optimum};
pub use probe::{Probe, ProbeMove};
pub use solution_record::SolutionRecord;
pub use stats::Stats;
pub use stats_record::{DistanceRow, SolutionRange, StatsRecord};

// Parts for `puzzledb-cli` and the benches, which any version may change.
#[doc(hidden)]
pub use self::{
    distances::SMALL_SPACE,
    drawn_record::DrawnRecord,
    generate_by_patterns::{MOST_STEPS, draw_soon, generate_by_patterns},
    optimum::Rules,
    probe::ProbeRecord,
    solution_counts::SolutionCounts,
    solutions::Solutions,
    solutions_record::SolutionsRecord,
    stats::{DistanceDetails, HardestBoard, StatsDetails},
};
