//! Statistics as they are written in JSON.

use serde::{Deserialize, Serialize};

use crate::puzzle::Board;

use super::stats::{DistanceDetails, Stats};

/// Statistics of a whole space; details that were not computed are `None`.
///
/// ```
/// use puzzledb::Oracle;
/// use puzzledb::oracle::StatsRecord;
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let record = StatsRecord::from(&oracle.stats()?);
/// assert_eq!((record.states, record.max_distance), (181_440, 31));
/// assert_eq!(record.hardest, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct StatsRecord {
    /// Rows x columns.
    pub shape: String,
    /// The board at distance 0.
    pub goal: Board,
    /// Number of states.
    pub states: u64,
    /// The largest distance.
    pub max_distance: u8,
    /// The mean distance, with the goal's 0.
    pub mean_distance: f64,
    /// The smallest distance that at least half of the states do not exceed.
    pub median_distance: u8,
    /// A row for each distance.
    pub histogram: Vec<DistanceRow>,
    /// Numbers of shortest solutions of all states but the goal.
    pub optimal_solutions: Option<SolutionRange>,
    /// The boards at the largest distance.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>))]
    pub hardest: Option<Vec<Board>>,
}

/// The states at one distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct DistanceRow {
    /// The distance.
    pub distance: u8,
    /// How many states there are.
    pub states: u64,
    /// The sum of their numbers of shortest solutions; the goal has 1.
    pub solutions: Option<u64>,
    /// The smallest number of shortest solutions of one of them.
    pub min_solutions: Option<u64>,
    /// The largest number of shortest solutions of one of them.
    pub max_solutions: Option<u64>,
    /// How many of them have the blank in each cell, row by row.
    pub blank_cells: Option<Vec<u64>>,
}

/// Sum and range of numbers of shortest solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SolutionRange {
    /// Their sum.
    pub total: u64,
    /// The smallest of one state.
    pub min: u64,
    /// The largest of one state.
    pub max: u64,
}

impl From<&Stats> for StatsRecord {
    fn from(stats: &Stats) -> StatsRecord {
        let row = |(distance, states, details): (u8, u64, Option<&DistanceDetails>)| DistanceRow {
            distance,
            states,
            solutions: details.map(|row| row.solutions),
            min_solutions: details.map(|row| row.min_solutions),
            max_solutions: details.map(|row| row.max_solutions),
            blank_cells: details.map(|row| row.blank_cells.clone()),
        };
        let details = stats.details.as_ref();
        StatsRecord {
            shape: stats.shape.to_string(),
            goal: stats.goal,
            states: stats.states,
            max_distance: stats.max_distance,
            mean_distance: stats.mean_distance,
            median_distance: stats.median_distance,
            histogram: stats.rows().map(row).collect(),
            optimal_solutions: details.map(|details| SolutionRange {
                total: details.total_solutions,
                min: details.min_solutions,
                max: details.max_solutions,
            }),
            hardest: details.map(|c| c.hardest.iter().map(|hard| hard.board).collect()),
        }
    }
}
