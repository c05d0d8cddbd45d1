//! Statistics of a whole space.

use crate::basics::{Cancel, available_memory};
use crate::puzzle::{Board, Shape};
use crate::space::StateIndex;

use super::by_table::ByTable;
use super::distances::{CHECK_INTERVAL, sound_distances};
use super::error::QueryError;
use super::front::Oracle;
use super::solution_counts::SolutionCounts;

/// Statistics of an oracle's space.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Rows and columns.
    pub shape: Shape,
    /// The board at distance 0.
    pub goal: Board,
    /// Number of states.
    pub states: u64,
    /// The largest distance.
    pub max_distance: u8,
    /// The mean distance of all states, with the goal's 0.
    pub mean_distance: f64,
    /// The smallest distance that at least half of the states do not exceed.
    pub median_distance: u8,
    /// Number of states at each distance.
    pub levels: Vec<u64>,
    /// Details that need a pass over all states, if [`Oracle::detailed_stats`] made it.
    pub details: Option<StatsDetails>,
}

/// Statistics that need a pass over all states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatsDetails {
    /// A row for each distance.
    pub rows: Vec<DistanceDetails>,
    /// The sum of the numbers of shortest solutions of all states but the goal.
    pub total_solutions: u64,
    /// The smallest number of shortest solutions of a state other than the goal.
    pub min_solutions: u64,
    /// The largest number of shortest solutions of a state other than the goal.
    pub max_solutions: u64,
    /// The boards at the largest distance, in the order of their state indices.
    pub hardest: Vec<HardestBoard>,
}

/// The states at one distance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DistanceDetails {
    /// The sum of their numbers of shortest solutions; the goal has 1.
    pub solutions: u64,
    /// The smallest number of shortest solutions of one of them.
    pub min_solutions: u64,
    /// The largest number of shortest solutions of one of them.
    pub max_solutions: u64,
    /// Number of states with the blank in each cell, row by row.
    pub blank_cells: Vec<u64>,
}

/// A board at the largest distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HardestBoard {
    /// The board.
    pub board: Board,
    /// Number of its shortest solutions.
    pub solutions: u64,
}

impl Stats {
    /// Computes the statistics of the space of a goal, from the number of states at each distance.
    ///
    /// ```
    /// use puzzledb::oracle::Stats;
    ///
    /// let stats = Stats::of_levels(&"1230".parse()?, vec![1, 2, 2, 2, 2, 2, 1]);
    /// assert_eq!((stats.states, stats.max_distance, stats.mean_distance), (12, 6, 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_levels(goal: &Board, levels: Vec<u64>) -> Stats {
        let states = levels.iter().sum();
        let sum = |(distance, states): (u32, &u64)| f64::from(distance) * *states as f64;
        Stats {
            shape: goal.shape(),
            goal: *goal,
            states,
            max_distance: levels.len().saturating_sub(1) as u8,
            mean_distance: (0..).zip(&levels).map(sum).sum::<f64>() / states as f64,
            median_distance: median(&levels),
            levels,
            details: None,
        }
    }

    /// Returns each distance with its number of states, and its details if there are any.
    pub fn rows(&self) -> impl Iterator<Item = (u8, u64, Option<&DistanceDetails>)> {
        (0..).zip(&self.levels).map(|(distance, &states)| {
            let details = self.details.as_ref();
            let row = details.map(|details| &details.rows[usize::from(distance)]);
            (distance, states, row)
        })
    }
}

/// Memory of [`Oracle::detailed_stats`] for each state, in bytes.
const BYTES_A_STATE: u64 = 18;

impl Oracle {
    /// Returns the statistics of the whole space from the table's header, without a pass over the
    /// states.
    ///
    /// # Errors
    /// [`QueryError::NeedsTable`] if there is no table.
    pub fn stats(&self) -> Result<Stats, QueryError> {
        let levels = self.by_table()?.table.header().levels();
        Ok(Stats::of_levels(self.goal(), levels.to_vec()))
    }

    /// As [`Oracle::stats`], with the details that need a pass over all states: 10 ms for the
    /// 8-puzzle, and 18 bytes of memory a state meanwhile.
    ///
    /// # Errors
    /// [`QueryError::NeedsTable`], [`QueryError::WrongTable`] if the numbers of states at the distances are not those of
    /// the header, and [`QueryError::TooLittleMemory`].
    pub fn detailed_stats(&self) -> Result<Stats, QueryError> {
        let table = self.by_table()?;
        let needed = table.table.header().states().saturating_mul(BYTES_A_STATE);
        if let Some(available) = available_memory().filter(|&available| available < needed) {
            return Err(QueryError::TooLittleMemory { needed, available });
        }
        Ok(Stats {
            details: Some(table.details(&self.cancel)?),
            ..self.stats()?
        })
    }
}

impl ByTable {
    fn details(&self, cancel: &Cancel) -> Result<StatsDetails, QueryError> {
        let (table, shape) = (&self.table, self.frame.goal().shape());
        let header = table.header();
        let distances = sound_distances(cancel, table)?;
        let counts = SolutionCounts::from_distances(cancel, table, &distances)?;
        let empty = DistanceDetails {
            solutions: 0,
            min_solutions: u64::MAX,
            max_solutions: 0,
            blank_cells: vec![0; shape.cells()],
        };
        let mut rows = vec![empty; header.levels().len()];
        let mut hardest = Vec::new();
        for (index, &distance) in (0..).map(StateIndex).zip(&distances) {
            if index.0.is_multiple_of(CHECK_INTERVAL) {
                cancel.check()?;
            }
            let solutions = counts.get(index);
            let row = &mut rows[usize::from(distance)];
            row.solutions = row.solutions.saturating_add(solutions);
            row.min_solutions = row.min_solutions.min(solutions);
            row.max_solutions = row.max_solutions.max(solutions);
            let blank = (index.0 / table.ranking().orders()) as usize;
            row.blank_cells[self.frame.user_cell(blank)] += 1;
            if distance == header.max_distance() {
                let board = self.unrank(index);
                hardest.push(HardestBoard { board, solutions });
            }
        }
        let all_but_goal = &rows[1..];
        let total = all_but_goal
            .iter()
            .fold(0, |n: u64, row| n.saturating_add(row.solutions));
        Ok(StatsDetails {
            total_solutions: total,
            min_solutions: all_but_goal
                .iter()
                .map(|row| row.min_solutions)
                .min()
                .unwrap_or(0),
            max_solutions: all_but_goal
                .iter()
                .map(|row| row.max_solutions)
                .max()
                .unwrap_or(0),
            rows,
            hardest,
        })
    }
}

/// Returns the smallest distance that at least half of the states do not exceed.
fn median(levels: &[u64]) -> u8 {
    let half = levels.iter().sum::<u64>().div_ceil(2);
    let mut below = 0;
    let found = levels.iter().position(|states| {
        below += states;
        below >= half
    });
    found.unwrap_or(0) as u8
}
