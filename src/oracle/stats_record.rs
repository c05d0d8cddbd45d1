//! A space's figures in the form in which they are written as JSON.

use serde::Serialize;

use crate::puzzle::Board;

use super::stats::{CountedRow, Stats};

/// A whole space in figures; what was not counted is `None`.
///
/// ```
/// use puzzledb::oracle::{Oracle, StatsRecord};
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let record = StatsRecord::from(&oracle.stats());
/// assert_eq!((record.states, record.max_distance), (181_440, 31));
/// assert_eq!(record.hardest, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct StatsRecord {
    /// Rows x columns.
    pub shape: String,
    /// The board at distance 0.
    #[cfg_attr(feature = "serve", schema(value_type = String))]
    pub goal: Board,
    /// Number of states.
    pub states: u64,
    /// The largest distance.
    pub max_distance: u8,
    /// The mean of all distances, the goal's 0 included.
    pub mean_distance: f64,
    /// The distance that half of the states do not exceed.
    pub median_distance: u8,
    /// A row for each distance.
    pub histogram: Vec<DistanceRow>,
    /// Shortest solutions of all states but the goal.
    pub optimal_solutions: Option<SolutionRange>,
    /// The boards at the largest distance.
    #[cfg_attr(feature = "serve", schema(value_type = Option<Vec<String>>))]
    pub hardest: Option<Vec<Board>>,
}

/// The states at one distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct DistanceRow {
    /// The distance.
    pub distance: u8,
    /// How many states there are.
    pub states: u64,
    /// Their shortest solutions, added up; 1 for the goal.
    pub solutions: Option<u64>,
    /// The fewest shortest solutions of one of them.
    pub min_solutions: Option<u64>,
    /// The most shortest solutions of one of them.
    pub max_solutions: Option<u64>,
    /// How many have the blank in each cell, row by row.
    pub blank_cells: Option<Vec<u64>>,
}

/// How many shortest solutions states have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub struct SolutionRange {
    /// All together.
    pub total: u64,
    /// The fewest of one.
    pub min: u64,
    /// The most of one.
    pub max: u64,
}

impl From<&Stats> for StatsRecord {
    fn from(stats: &Stats) -> StatsRecord {
        let row = |(distance, states, counted): (u8, u64, Option<&CountedRow>)| DistanceRow {
            distance,
            states,
            solutions: counted.map(|row| row.solutions),
            min_solutions: counted.map(|row| row.min_solutions),
            max_solutions: counted.map(|row| row.max_solutions),
            blank_cells: counted.map(|row| row.by_blank.clone()),
        };
        let counted = stats.counted.as_ref();
        StatsRecord {
            shape: stats.shape.to_string(),
            goal: stats.goal,
            states: stats.states,
            max_distance: stats.max_distance,
            mean_distance: stats.mean_distance,
            median_distance: stats.median_distance,
            histogram: stats.rows().map(row).collect(),
            optimal_solutions: counted.map(|counted| SolutionRange {
                total: counted.total_solutions,
                min: counted.min_solutions,
                max: counted.max_solutions,
            }),
            hardest: counted.map(|c| c.hardest.iter().map(|hard| hard.board).collect()),
        }
    }
}
