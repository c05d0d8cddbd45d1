//! Admissibility, consistency and accuracy of a heuristic, from its value for every board.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::basics::available_memory;
use crate::basics::parallel::{each, first};
use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};
use crate::space::{Space, StateIndex};

/// Admissibility, consistency and accuracy of a heuristic over all boards of an oracle's space.
///
/// With d the distance and h the heuristic's value, it is **admissible** if h <= d for every board,
/// and **consistent** if h(a) <= 1 + h(b) for every move from a to b and h(goal) = 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Audit {
    /// The number of boards, all of the space.
    pub boards: u64,
    /// Whether no board has h > d.
    pub admissible: bool,
    /// Whether no move lowers h by more than 1 and h(goal) = 0.
    pub consistent: bool,
    /// h of the goal.
    pub goal_value: f64,
    /// Boards with h > d.
    pub overestimates: u64,
    /// The board with h > d that comes first by distance and then by its text.
    pub first_overestimate: Option<Overestimate>,
    /// Moves of all boards; each edge of the state space is counted in both directions.
    pub edges: u64,
    /// Moves from a to b with h(a) > 1 + h(b).
    pub inconsistent_edges: u64,
    /// The one that comes first by the distance of a and then by the text of a.
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
    #[serde(rename = "perfect")]
    pub exact: u64,
    /// Their share of all boards, 0 to 1.
    pub perfect_share: f64,
    /// The number of boards for each d - h, rounded down to a whole number.
    #[serde(serialize_with = "error_list")]
    pub errors: BTreeMap<i64, u64>,
}

/// A board whose value is above its distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Overestimate {
    /// The board.
    pub board: Board,
    /// Its value.
    pub value: f64,
    /// Its distance.
    pub distance: u8,
}

/// A move along which the value falls by more than the move costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Inconsistency {
    /// The board before the move.
    pub from: Board,
    /// The distance of that board.
    pub distance: u8,
    /// Its heuristic value.
    pub value: f64,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The board after it.
    pub to: Board,
    /// Its value.
    pub value_after: f64,
}

/// Writes errors as a list of objects.
fn error_list<S: Serializer>(errors: &BTreeMap<i64, u64>, out: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct ErrorCount {
        error: i64,
        boards: u64,
    }
    let errors = errors.iter();
    out.collect_seq(errors.map(|(&error, &boards)| ErrorCount { error, boards }))
}

/// Values that differ by no more than this count as equal, since sums of fractions are rounded.
const TOLERANCE: f64 = 1e-9;

/// Boards per parallel task.
const TASK_BOARDS: usize = 4096;

/// Returns the space of an oracle with a table.
///
/// # Errors
/// [`QueryError::TooLittleMemory`] if there is no memory for a value and a distance of every board.
#[doc(hidden)]
pub fn checked_space(oracle: &Oracle) -> Result<Space, QueryError> {
    let space = oracle.space()?;
    let needed = space.ranking().states() * (size_of::<f64>() + 2) as u64;
    match available_memory() {
        Some(available) if available < needed => {
            Err(QueryError::TooLittleMemory { needed, available })
        }
        _ => Ok(space),
    }
}

/// Audits a heuristic that is given as a function.
///
/// ```
/// use puzzledb::oracle::Oracle;
/// use puzzledb::search::audit;
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
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
/// [`QueryError`] if there is too little memory, the table is wrong, or the oracle was cancelled.
pub fn audit(oracle: &Oracle, value: impl Fn(&Board) -> f64 + Sync) -> Result<Audit, QueryError> {
    let space = checked_space(oracle)?;
    let states = space.ranking().states() as usize;
    let mut values = vec![0.0; states];
    let tasks = values.chunks_mut(TASK_BOARDS).enumerate();
    let values_of_task = |(task, values): (usize, &mut [f64])| {
        for (index, entry) in (task * TASK_BOARDS..).zip(&mut *values) {
            *entry = value(&space.unrank(StateIndex(index as u64)));
        }
        let progress = oracle.progress.iter();
        progress.for_each(|progress| progress.visit(values.len() as u64));
        oracle.cancel.check().err()
    };
    first(tasks, values_of_task).map_or(Ok(()), Err)?;
    audit_values(oracle, &values)
}

/// Audits a heuristic from its values by state index.
///
/// # Errors
/// [`QueryError`] if the table is wrong.
///
/// # Panics
/// If there is not one value for each state.
pub fn audit_values(oracle: &Oracle, values: &[f64]) -> Result<Audit, QueryError> {
    let space = oracle.space()?;
    let ranking = space.ranking();
    assert_eq!(
        values.len() as u64,
        ranking.states(),
        "a value for each state"
    );
    let distances = oracle.distances()?;
    let board = |index: usize| space.unrank(StateIndex(index as u64));
    let error = |index: usize| f64::from(distances[index]) - values[index];
    let of_task = |first: usize| {
        let mut part = Part::default();
        for index in first..values.len().min(first + TASK_BOARDS) {
            let (h, d) = (values[index], f64::from(distances[index]));
            part.add_sums([h, h * h, d, d * d, h * d, error(index).abs()]);
            let error = (error(index) + TOLERANCE).floor() as i64;
            *part.errors.entry(error).or_default() += 1;
            let state = ranking.state(StateIndex(index as u64));
            for mv in Move::ALL {
                let next = ranking
                    .step(state, mv)
                    .map(|next| ranking.index(next).0 as usize);
                if let Some(next) = next.filter(|&next| h - values[next] > 1.0 + TOLERANCE) {
                    let mv = space.user_move(mv);
                    part.inconsistent_edges += 1;
                    let found = (distances[index], board(index), index, next, mv);
                    part.first = Some(part.first.map_or(found, |first| first.min(found)));
                }
            }
        }
        part
    };
    let parts = each((0..values.len()).step_by(TASK_BOARDS), of_task);
    // Merged in order, so that the rounded sums do not depend on the threads.
    let all = parts.into_iter().reduce(Part::merge).unwrap_or_default();
    let [h, hh, d, dd, hd, absolute_error] = all.sums;
    let n = values.len() as f64;
    let scale = ((n * hh - h * h) * (n * dd - d * d)).sqrt();
    let overestimates = all.errors.range(..0).map(|(_, boards)| boards).sum();
    let over = || (0..values.len()).filter(|&index| error(index) < -TOLERANCE);
    let nearest = over().map(|index| distances[index]).min();
    let first = over().filter(|&index| Some(distances[index]) == nearest);
    let exact = (0..values.len()).filter(|&index| error(index).abs() <= TOLERANCE);
    let exact = exact.count() as u64;
    let (rows, cols) = (ranking.shape().rows() as u64, ranking.shape().cols() as u64);
    let goal_value = values[ranking.index(ranking.goal()).0 as usize];
    Ok(Audit {
        boards: ranking.states(),
        admissible: overestimates == 0,
        consistent: all.inconsistent_edges == 0 && goal_value.abs() <= TOLERANCE,
        goal_value,
        overestimates,
        first_overestimate: first
            .min_by_key(|&index| board(index))
            .map(|index| Overestimate {
                board: board(index),
                value: values[index],
                distance: distances[index],
            }),
        // Each cell has the blank in equally many boards.
        edges: ranking.states() / (rows * cols) * 2 * (2 * rows * cols - rows - cols),
        inconsistent_edges: all.inconsistent_edges,
        first_inconsistent: all
            .first
            .map(|(distance, from, index, next, mv)| Inconsistency {
                from,
                distance,
                value: values[index],
                mv,
                to: board(next),
                value_after: values[next],
            }),
        mean: h / n,
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        mean_absolute_error: absolute_error / n,
        correlation: (scale > 0.0).then(|| (n * hd - h * d) / scale),
        exact,
        perfect_share: exact as f64 / n,
        errors: all.errors,
    })
}

/// Sums and findings of some of the boards.
#[derive(Default)]
struct Part {
    /// Of the value h and the distance d of each board: h, h h, d, d d, h d, |d - h|.
    sums: [f64; 6],
    errors: BTreeMap<i64, u64>,
    inconsistent_edges: u64,
    first: Option<InconsistentMove>,
}

/// A move along which the value falls by too much, ordered by the distance and the board before it: the indices of the
/// boards before and after it, and the move.
type InconsistentMove = (u8, Board, usize, usize, Move);

impl Part {
    fn add_sums(&mut self, more: [f64; 6]) {
        (self.sums.iter_mut().zip(more)).for_each(|(sum, more)| *sum += more);
    }

    fn merge(mut self, other: Part) -> Part {
        self.add_sums(other.sums);
        self.inconsistent_edges += other.inconsistent_edges;
        self.first = [self.first, other.first].into_iter().flatten().min();
        for (error, boards) in other.errors {
            *self.errors.entry(error).or_default() += boards;
        }
        self
    }
}
