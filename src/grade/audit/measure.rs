//! What is true of a heuristic, from its value of every board.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};
use crate::space::StateIndex;

use super::values::room_for_values;

/// What is true of a heuristic, over all boards of an oracle's space.
///
/// With d the distance and h the heuristic's value, it is **admissible** if h <= d for every board,
/// and **consistent** if h(a) <= 1 + h(b) for every move from a to b and h(goal) = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Boards that were looked at: all.
    pub boards: u64,
    /// h of the goal.
    pub goal_value: f64,
    /// Boards with h > d.
    pub overestimates: u64,
    /// The first board with h > d, by distance and then by its word.
    pub first_overestimate: Option<Overestimate>,
    /// Moves, each in both directions.
    pub edges: u64,
    /// Moves from a to b with h(a) > 1 + h(b).
    pub inconsistent_edges: u64,
    /// The first of them, by the distance of a and then by its word.
    pub first_inconsistent: Option<Inconsistency>,
    /// The mean of h.
    pub mean: f64,
    /// The largest h.
    pub max: f64,
    /// The mean of |d - h|.
    pub mean_absolute_error: f64,
    /// Pearson's correlation of h and d; `None` if h is the same everywhere.
    pub correlation: Option<f64>,
    /// Boards with h = d.
    pub exact: u64,
    /// How many boards have each d - h, rounded down to a whole number.
    pub errors: BTreeMap<i64, u64>,
}

/// A board whose value is above its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overestimate {
    /// The board.
    pub board: Board,
    /// Its value.
    pub value: f64,
    /// Its distance.
    pub distance: u8,
}

/// A move along which the value falls by more than the move costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inconsistency {
    /// The board before the move.
    pub from: Board,
    /// Its distance.
    pub distance: u8,
    /// Its value.
    pub value: f64,
    /// The move.
    pub mv: Move,
    /// The board after it.
    pub to: Board,
    /// The value of that one.
    pub value_after: f64,
}

impl Audit {
    /// Is no value above its distance?
    pub fn is_admissible(&self) -> bool {
        self.overestimates == 0
    }

    /// Does no move change the value by more than 1, and is the goal's value 0?
    pub fn is_consistent(&self) -> bool {
        self.inconsistent_edges == 0 && self.goal_value.abs() <= TOLERANCE
    }
}

/// Values that differ by no more than this are taken as equal: they may come from sums of
/// fractions.
const TOLERANCE: f64 = 1e-9;

/// Boards that one task looks at.
const TASK: usize = 4096;

/// Audits a heuristic that is given as a function.
///
/// ```
/// use puzzledb::oracle::Oracle;
/// use puzzledb::grade::audit::audit;
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let misplaced = |board: &puzzledb::puzzle::Board| {
///     let cells = board.tiles().iter().zip(oracle.goal().tiles());
///     cells.filter(|(tile, home)| tile != home).count() as f64 // counts the blank too
/// };
/// let audit = audit(&oracle, misplaced)?;
/// assert_eq!(audit.overestimates, 78);
/// assert_eq!(audit.first_overestimate.unwrap().board.to_string(), "123450786");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`QueryError`] if the table is wrong.
pub fn audit<B: AsRef<[u8]> + Send + Sync>(
    oracle: &Oracle<B>,
    value: impl Fn(&Board) -> f64 + Sync,
) -> Result<Audit, QueryError> {
    room_for_values(oracle)?;
    let states = oracle.table().header().states() as usize;
    let mut values = vec![0.0; states];
    let tasks = values.par_chunks_mut(TASK).enumerate();
    tasks.for_each(|(task, values)| {
        for (index, known) in (task * TASK..).zip(values) {
            *known = value(&oracle.unrank(StateIndex(index as u64)));
        }
    });
    audit_values(oracle, &values)
}

/// Audits a heuristic from its values by state index.
///
/// # Errors
/// [`QueryError`] if the table is wrong.
///
/// # Panics
/// If there is not one value for each state.
pub fn audit_values<B: AsRef<[u8]> + Send + Sync>(
    oracle: &Oracle<B>,
    values: &[f64],
) -> Result<Audit, QueryError> {
    let states = oracle.table().header().states() as usize;
    assert_eq!(values.len(), states, "a value for each state");
    let distances = oracle.distances()?;
    let tasks = (0..values.len()).step_by(TASK).collect::<Vec<_>>();
    let parts: Vec<Part> = tasks
        .par_iter()
        .map(|&first| {
            let mut part = Part::default();
            for index in first..values.len().min(first + TASK) {
                part.look_at(oracle, values, &distances, index);
            }
            part
        })
        .collect();
    // The parts are put together in their order, so that sums come out the same every time.
    let total = parts.into_iter().fold(Part::default(), Part::and);
    let goal = oracle.table().ranking().goal();
    let goal = oracle.table().ranking().index(goal);
    Ok(total.finish(oracle, values, &distances, values[goal.0 as usize]))
}

/// What a part of the boards adds up to.
#[derive(Default)]
struct Part {
    boards: u64,
    overestimates: u64,
    first_overestimate: Option<First<usize>>,
    edges: u64,
    inconsistent_edges: u64,
    first_inconsistent: Option<First<(usize, usize, Move)>>,
    exact: u64,
    max: f64,
    sum: f64,
    sum_of_squares: f64,
    sum_of_distances: f64,
    sum_of_distance_squares: f64,
    sum_of_products: f64,
    absolute_error: f64,
    errors: BTreeMap<i64, u64>,
}

/// A board that breaks a promise, to be compared by distance and then by its word.
type First<T> = (u8, Board, T);

/// The first of two, if there are any.
fn first<T: Ord>(a: Option<First<T>>, b: Option<First<T>>) -> Option<First<T>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Part {
    fn look_at<B: AsRef<[u8]>>(
        &mut self,
        oracle: &Oracle<B>,
        values: &[f64],
        distances: &[u8],
        index: usize,
    ) {
        let (h, d) = (values[index], f64::from(distances[index]));
        self.boards += 1;
        self.max = if self.boards == 1 { h } else { self.max.max(h) };
        self.sum += h;
        self.sum_of_squares += h * h;
        self.sum_of_distances += d;
        self.sum_of_distance_squares += d * d;
        self.sum_of_products += h * d;
        self.absolute_error += (d - h).abs();
        self.exact += u64::from((d - h).abs() <= TOLERANCE);
        *self
            .errors
            .entry((d - h + TOLERANCE).floor() as i64)
            .or_default() += 1;
        let board = || oracle.unrank(StateIndex(index as u64));
        if h > d + TOLERANCE {
            self.overestimates += 1;
            let found = Some((distances[index], board(), index));
            self.first_overestimate = first(self.first_overestimate, found);
        }
        let ranking = oracle.table().ranking();
        let state = ranking.state(StateIndex(index as u64));
        for mv in Move::ALL {
            let Some(next) = ranking.step(state, mv) else {
                continue;
            };
            let next = ranking.index(next).0 as usize;
            self.edges += 1;
            if h - values[next] > 1.0 + TOLERANCE {
                self.inconsistent_edges += 1;
                let mv = oracle.frame().user_move(mv);
                let found = Some((distances[index], board(), (index, next, mv)));
                self.first_inconsistent = first(self.first_inconsistent, found);
            }
        }
    }

    fn and(mut self, other: Part) -> Part {
        if self.boards == 0 {
            return other;
        }
        self.first_overestimate = first(self.first_overestimate, other.first_overestimate);
        self.first_inconsistent = first(self.first_inconsistent, other.first_inconsistent);
        self.boards += other.boards;
        self.overestimates += other.overestimates;
        self.edges += other.edges;
        self.inconsistent_edges += other.inconsistent_edges;
        self.exact += other.exact;
        self.max = self.max.max(other.max);
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.sum_of_distances += other.sum_of_distances;
        self.sum_of_distance_squares += other.sum_of_distance_squares;
        self.sum_of_products += other.sum_of_products;
        self.absolute_error += other.absolute_error;
        for (error, boards) in other.errors {
            *self.errors.entry(error).or_default() += boards;
        }
        self
    }

    fn finish<B: AsRef<[u8]>>(
        self,
        oracle: &Oracle<B>,
        values: &[f64],
        distances: &[u8],
        goal_value: f64,
    ) -> Audit {
        let board = |index: usize| oracle.unrank(StateIndex(index as u64));
        let n = self.boards as f64;
        let covariance = n * self.sum_of_products - self.sum * self.sum_of_distances;
        let spread = n * self.sum_of_squares - self.sum * self.sum;
        let spread_of_distances =
            n * self.sum_of_distance_squares - self.sum_of_distances * self.sum_of_distances;
        let scale = (spread * spread_of_distances).sqrt();
        Audit {
            boards: self.boards,
            goal_value,
            overestimates: self.overestimates,
            first_overestimate: self.first_overestimate.map(|(_, _, index)| Overestimate {
                board: board(index),
                value: values[index],
                distance: distances[index],
            }),
            edges: self.edges,
            inconsistent_edges: self.inconsistent_edges,
            first_inconsistent: self.first_inconsistent.map(|(_, _, (from, to, mv))| {
                Inconsistency {
                    from: board(from),
                    distance: distances[from],
                    value: values[from],
                    mv,
                    to: board(to),
                    value_after: values[to],
                }
            }),
            mean: self.sum / n,
            max: self.max,
            mean_absolute_error: self.absolute_error / n,
            correlation: (scale > 0.0).then(|| covariance / scale),
            exact: self.exact,
            errors: self.errors,
        }
    }
}
