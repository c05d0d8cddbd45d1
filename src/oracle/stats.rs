//! Statistics of a whole space, as they are written in JSON.

use serde::{Deserialize, Serialize};

use crate::basics::available_memory;
use crate::puzzle::{Board, Shape};

use super::distances::count_solutions;
use super::error::QueryError;
use super::front::Oracle;

/// Statistics of a whole space; details that were not computed are `None`.
///
/// ```
/// use puzzledb::Oracle;
///
/// let record = Oracle::for_goal(&"123456780".parse()?)?.stats()?;
/// assert_eq!((record.states, record.max_distance), (181_440, 31));
/// assert_eq!(record.hardest, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct StatsRecord {
    /// Rows x columns.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub shape: Shape,
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl SolutionRange {
    /// Returns the sum and range of some numbers.
    fn of(counts: impl Iterator<Item = u64>) -> SolutionRange {
        let (total, min, max) = (0, u64::MAX, 0);
        let none = SolutionRange { total, min, max };
        counts.fold(none, |range, count| SolutionRange {
            total: range.total.saturating_add(count),
            min: range.min.min(count),
            max: range.max.max(count),
        })
    }
}

impl StatsRecord {
    /// Computes the statistics of the space of a goal, from the number of states at each distance.
    ///
    /// ```
    /// use puzzledb::oracle::StatsRecord;
    ///
    /// let stats = StatsRecord::of_levels(&"1230".parse()?, &[1, 2, 2, 2, 2, 2, 1]);
    /// assert_eq!((stats.states, stats.max_distance, stats.mean_distance), (12, 6, 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_levels(goal: &Board, levels: &[u64]) -> StatsRecord {
        let (states, mut below): (u64, u64) = (levels.iter().sum(), 0);
        let is_below_median = |states_at: &&u64| {
            below += **states_at;
            below < states.div_ceil(2)
        };
        let sum = |(distance, states): (u32, &u64)| f64::from(distance) * *states as f64;
        let row = |(distance, &states)| DistanceRow {
            distance,
            states,
            ..DistanceRow::default()
        };
        StatsRecord {
            shape: goal.shape(),
            goal: *goal,
            states,
            max_distance: levels.len().saturating_sub(1) as u8,
            mean_distance: (0..).zip(levels).map(sum).sum::<f64>() / states as f64,
            median_distance: levels.iter().take_while(is_below_median).count() as u8,
            histogram: (0..).zip(levels).map(row).collect(),
            optimal_solutions: None,
            hardest: None,
        }
    }
}

/// Memory of [`Oracle::detailed_stats`] for each state, in bytes.
const BYTES_A_STATE: u64 = 9;

impl Oracle {
    /// Returns the statistics of the whole space from the table's header, without a pass over the
    /// states.
    ///
    /// # Errors
    /// [`QueryError::NeedsTable`] if there is no table.
    pub fn stats(&self) -> Result<StatsRecord, QueryError> {
        let levels = self.by_table()?.table.header().levels();
        Ok(StatsRecord::of_levels(self.goal(), levels))
    }

    /// As [`Oracle::stats`], with the details that need a pass over all states: 10 ms for the
    /// 8-puzzle, and 9 bytes of memory a state meanwhile.
    ///
    /// # Errors
    /// [`QueryError::NeedsTable`], [`QueryError::WrongTable`] if the numbers of states at the distances are not those of
    /// the header, and [`QueryError::TooLittleMemory`].
    pub fn detailed_stats(&self) -> Result<StatsRecord, QueryError> {
        let (table, mut stats) = (self.by_table()?, self.stats()?);
        let needed = stats.states.saturating_mul(BYTES_A_STATE);
        if let Some(available) = available_memory().filter(|&available| available < needed) {
            return Err(QueryError::TooLittleMemory { needed, available });
        }
        let (ranking, mut last) = (table.table.ranking(), Vec::new());
        let mut counts = count_solutions(&table.table, &self.cancel, |level, counts| {
            let mut blank_cells = vec![0; self.shape().cells()];
            let states = || level.states_in_order();
            for state in states() {
                let blank = (state.0 / ranking.orders()) as usize;
                blank_cells[table.space.user_cell(blank)] += 1;
            }
            let range = SolutionRange::of(states().map(|state| counts[state.0 as usize]));
            let row = &mut stats.histogram[usize::from(level.distance())];
            row.solutions = Some(range.total);
            row.min_solutions = Some(range.min);
            row.max_solutions = Some(range.max);
            row.blank_cells = Some(blank_cells);
            if level.distance() == stats.max_distance {
                last.extend(states());
            }
        })?;
        last.sort_unstable();
        let board = |state| table.space.unrank(state);
        stats.hardest = Some(last.into_iter().map(board).collect());
        counts.swap_remove(ranking.index(ranking.goal()).0 as usize);
        stats.optimal_solutions = Some(SolutionRange::of(counts.into_iter()));
        Ok(stats)
    }
}
