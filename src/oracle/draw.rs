//! Draws boards for tests.

use std::ops::RangeInclusive;

use crate::puzzle::Board;

use super::front::Oracle;
use super::generate::{GenerateError, Request, check_enough, generate_unsolvable};

/// Selection of the boards to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Draw {
    /// Number of boards of all solvable ones, each equally likely.
    Sample(usize),
    /// Number of boards at every distance, or all where there are fewer.
    PerDistance(usize),
}

/// Draws solvable boards and sorts them by distance; then follow `unsolvable` boards that cannot be
/// solved. Equal seeds draw equal boards on every machine.
///
/// ```
/// use puzzledb::Oracle;
/// use puzzledb::oracle::draw::{Draw, draw};
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let boards = draw(&oracle, Draw::PerDistance(3), 10, 1)?;
/// // One board at distance 0, two at 1 and at 31, three at each of the others.
/// assert_eq!(boards.len(), 1 + 2 + 29 * 3 + 2 + 10);
/// assert_eq!(oracle.distance(&boards[0])?, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Oracle::generate`]; [`QueryError::NeedsTable`](super::QueryError::NeedsTable) if there is no table.
pub fn draw(
    oracle: &Oracle,
    draw: Draw,
    unsolvable: usize,
    seed: u64,
) -> Result<Vec<Board>, GenerateError> {
    check_enough(oracle.by_table()?.table.header().states(), unsolvable)?;
    let mut boards = match draw {
        Draw::Sample(count) => oracle.generate(&Request::new(0..=u8::MAX, count, seed))?,
        Draw::PerDistance(count) => draw_at_each(oracle, 0..=u8::MAX, count, seed)?,
    };
    boards.sort_by_cached_key(|board| oracle.distance(board).ok());
    boards.extend(generate_unsolvable(oracle.space()?, unsolvable, seed));
    Ok(boards)
}

/// Draws so many boards at each of some distances, or all where there are fewer, the nearest first.
///
/// # Errors
/// As [`Oracle::generate`]; [`QueryError::NeedsTable`](super::QueryError::NeedsTable) if there is no table.
pub fn draw_at_each(
    oracle: &Oracle,
    distances: RangeInclusive<u8>,
    count: usize,
    seed: u64,
) -> Result<Vec<Board>, GenerateError> {
    let levels = oracle.by_table()?.table.header().levels();
    let mut boards = Vec::new();
    for (distance, &states) in (0u8..).zip(levels) {
        if distances.contains(&distance) {
            let count = count.min(usize::try_from(states).unwrap_or(usize::MAX));
            boards.extend(oracle.generate(&Request::new(distance..=distance, count, seed))?);
        }
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse_board;

    #[test]
    fn draws_repeat_and_hold_what_was_asked_for() {
        let goal = parse_board(b"123450", Some("2x3".parse().unwrap())).unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        let sample = draw(&oracle, Draw::Sample(20), 5, 3).unwrap();
        assert_eq!(sample, draw(&oracle, Draw::Sample(20), 5, 3).unwrap());
        assert_ne!(sample, draw(&oracle, Draw::Sample(20), 5, 4).unwrap());
        let distances: Vec<_> = sample.iter().map(|b| oracle.distance(b).ok()).collect();
        assert!(distances[..20].is_sorted() && distances[..20].iter().all(Option::is_some));
        assert_eq!(distances[20..], [None; 5]);
        assert!(draw(&oracle, Draw::Sample(361), 0, 0).is_err());
    }
}
