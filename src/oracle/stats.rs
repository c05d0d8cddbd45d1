//! A whole space in figures.

use crate::puzzle::{Board, Shape};
use crate::space::StateIndex;

use super::distances::sound_distances;
use super::{Oracle, QueryError, SolutionCounts};

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
    /// A row for each distance.
    pub rows: Vec<StatsRow>,
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
pub struct StatsRow {
    /// The distance.
    pub distance: u8,
    /// How many states there are.
    pub states: u64,
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

impl<B: AsRef<[u8]>> Oracle<B> {
    /// Figures of the whole space, with 18 bytes of memory a state for the time.
    ///
    /// # Errors
    /// [`QueryError::WrongTable`] if its distances are not as many as its header says.
    pub fn stats(&self) -> Result<Stats, QueryError> {
        let (table, shape) = (self.table(), self.shape());
        let header = table.header();
        let distances = sound_distances(table)?;
        let counts = SolutionCounts::from_distances(table, &distances);
        let mut rows: Vec<StatsRow> = (0..=header.max_distance())
            .map(|distance| StatsRow {
                distance,
                states: 0,
                solutions: 0,
                min_solutions: u64::MAX,
                max_solutions: 0,
                by_blank: vec![0; shape.cells()],
            })
            .collect();
        let mut hardest = Vec::new();
        for (index, &distance) in (0..).map(StateIndex).zip(&distances) {
            let solutions = counts.get(index);
            let row = &mut rows[usize::from(distance)];
            row.states += 1;
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
        let sum = |row: &StatsRow| f64::from(row.distance) * row.states as f64;
        Ok(Stats {
            shape,
            goal: *self.goal(),
            states: header.states(),
            max_distance: header.max_distance(),
            mean_distance: away.iter().map(sum).sum::<f64>() / header.states() as f64,
            median_distance: median(header.levels()),
            total_solutions: away
                .iter()
                .fold(0, |n, row| row.solutions.saturating_add(n)),
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
