//! A whole space in figures.

use crate::basics::available_memory;
use crate::puzzle::{Board, Shape};
use crate::space::StateIndex;

use super::distances::sound_distances;
use super::error::QueryError;
use super::open::Oracle;
use super::solutions::SolutionCounts;

/// Figures of all states of an oracle's space.
#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    /// Rows and columns.
    pub shape: Shape,
    /// The board at distance 0.
    pub goal: Board,
    /// Number of states.
    pub states: u64,
    /// The largest distance.
    pub max_distance: u8,
    /// The mean of the distances of all states, the goal's 0 included.
    pub mean_distance: f64,
    /// The distance that half of the states do not exceed.
    pub median_distance: u8,
    /// How many states there are at each distance.
    pub levels: Vec<u64>,
    /// What only a look at every state can tell, if it was taken.
    pub counted: Option<Counted>,
}

/// Figures that a look at every state gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// A row for each distance.
    pub rows: Vec<CountedRow>,
    /// Shortest solutions of all states but the goal, added up.
    pub total_solutions: u64,
    /// The fewest shortest solutions that a state other than the goal has.
    pub min_solutions: u64,
    /// The most shortest solutions that a state other than the goal has.
    pub max_solutions: u64,
    /// The boards at the largest distance, in the order of their state indices.
    pub hardest: Vec<Hardest>,
}

/// The states at one distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedRow {
    /// Their shortest solutions, added up; 1 for the goal.
    pub solutions: u64,
    /// The fewest shortest solutions of one of them.
    pub min_solutions: u64,
    /// The most shortest solutions of one of them.
    pub max_solutions: u64,
    /// How many have the blank in each cell, row by row.
    pub by_blank: Vec<u64>,
}

/// A board at the largest distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardest {
    /// The board.
    pub board: Board,
    /// How many shortest solutions it has.
    pub solutions: u64,
}

impl Stats {
    /// The distances with their states, and what was counted of them.
    pub fn rows(&self) -> impl Iterator<Item = (u8, u64, Option<&CountedRow>)> {
        (0..).zip(&self.levels).map(|(distance, &states)| {
            let counted = self.counted.as_ref();
            let row = counted.map(|counted| &counted.rows[usize::from(distance)]);
            (distance, states, row)
        })
    }
}

/// Bytes of memory that a look at every state takes for each.
const BYTES_A_STATE: u64 = 18;

impl<B: AsRef<[u8]>> Oracle<B> {
    /// Figures of the whole space that its header tells, at once.
    pub fn stats(&self) -> Stats {
        let header = self.table().header();
        let levels = header.levels().to_vec();
        let sum = |(distance, states): (u32, &u64)| f64::from(distance) * *states as f64;
        Stats {
            shape: self.shape(),
            goal: *self.goal(),
            states: header.states(),
            max_distance: header.max_distance(),
            mean_distance: (0..).zip(&levels).map(sum).sum::<f64>() / header.states() as f64,
            median_distance: median(&levels),
            levels,
            counted: None,
        }
    }

    /// As [`Oracle::stats`], with what a look at every state tells: 10 ms for the 8-puzzle, and
    /// 18 bytes of memory a state for the time.
    ///
    /// # Errors
    /// [`QueryError::WrongTable`] if the distances are not as many as the header says, and
    /// [`QueryError::TooLittleMemory`].
    pub fn counted_stats(&self) -> Result<Stats, QueryError> {
        let needed = self.table().header().states().saturating_mul(BYTES_A_STATE);
        if let Some(available) = available_memory().filter(|&available| available < needed) {
            return Err(QueryError::TooLittleMemory { needed, available });
        }
        Ok(Stats {
            counted: Some(self.counted()?),
            ..self.stats()
        })
    }

    fn counted(&self) -> Result<Counted, QueryError> {
        let (table, shape) = (self.table(), self.shape());
        let header = table.header();
        let distances = sound_distances(table)?;
        let counts = SolutionCounts::from_distances(table, &distances);
        let empty = CountedRow {
            solutions: 0,
            min_solutions: u64::MAX,
            max_solutions: 0,
            by_blank: vec![0; shape.cells()],
        };
        let mut rows = vec![empty; header.levels().len()];
        let mut hardest = Vec::new();
        for (index, &distance) in (0..).map(StateIndex).zip(&distances) {
            let solutions = counts.get(index);
            let row = &mut rows[usize::from(distance)];
            row.solutions = row.solutions.saturating_add(solutions);
            row.min_solutions = row.min_solutions.min(solutions);
            row.max_solutions = row.max_solutions.max(solutions);
            let blank = (index.0 / table.ranking().orders()) as usize;
            row.by_blank[self.frame.user_cell(blank)] += 1;
            if distance == header.max_distance() {
                let board = self.unrank(index);
                hardest.push(Hardest { board, solutions });
            }
        }
        let away = &rows[1..];
        let total = away
            .iter()
            .fold(0, |n: u64, row| n.saturating_add(row.solutions));
        Ok(Counted {
            total_solutions: total,
            min_solutions: away.iter().map(|row| row.min_solutions).min().unwrap_or(0),
            max_solutions: away.iter().map(|row| row.max_solutions).max().unwrap_or(0),
            rows,
            hardest,
        })
    }
}

/// The smallest distance that at least half of the states do not exceed.
fn median(levels: &[u64]) -> u8 {
    let half = levels.iter().sum::<u64>().div_ceil(2);
    let mut below = 0;
    let found = levels.iter().position(|states| {
        below += states;
        below >= half
    });
    found.unwrap_or(0) as u8
}
