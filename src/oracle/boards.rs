//! Boards to try something on: drawn, or from a file.

use crate::oracle::Oracle;
use crate::oracle::generate::{GenerateError, Request, generate, generate_unsolvable};
use crate::puzzle::{Board, ParseError, Shape, parse_board};

/// Boards to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// So many of all solvable boards, each equally likely.
    Sample(usize),
    /// So many at every distance, or all where there are fewer.
    PerDistance(usize),
}

/// Draws boards, in the order of their distance, and then `unsolvable` boards that have no
/// solution. Equal seeds draw equal boards on every machine.
///
/// ```
/// use puzzledb::oracle::{Oracle, boards::{Draw, draw}};
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let boards = draw(&oracle, Draw::PerDistance(3), 10, 1)?;
/// // One board at distance 0, two at 1 and at 31, three at each of the others.
/// assert_eq!(boards.len(), 1 + 2 + 29 * 3 + 2 + 10);
/// assert_eq!(oracle.distance(&boards[0])?, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`generate`].
pub fn draw<B: AsRef<[u8]>>(
    oracle: &Oracle<B>,
    draw: Draw,
    unsolvable: usize,
    seed: u64,
) -> Result<Vec<Board>, GenerateError> {
    let levels = oracle.table().header().levels();
    let available = oracle.table().header().states();
    if available < unsolvable as u64 {
        let wanted = unsolvable;
        return Err(GenerateError::TooFew { available, wanted });
    }
    let request = |distances, count| Request {
        distances,
        unique: false,
        count,
        seed,
    };
    let mut boards = match draw {
        Draw::Sample(count) => generate(oracle, &request(0..=u8::MAX, count))?,
        Draw::PerDistance(count) => {
            let mut boards = Vec::new();
            for (distance, &states) in (0u8..).zip(levels) {
                let count = count.min(usize::try_from(states).unwrap_or(usize::MAX));
                boards.extend(generate(oracle, &request(distance..=distance, count))?);
            }
            boards
        }
    };
    boards.sort_by_cached_key(|board| oracle.distance(board).ok());
    boards.extend(generate_unsolvable(oracle, unsolvable, seed));
    Ok(boards)
}

/// Why a file of boards cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardsError {
    /// There is no board in it.
    #[error("there is no board in it")]
    Empty,
    /// A line is no board.
    #[error("line {line}: {source}")]
    Line {
        /// Which one, from 1.
        line: usize,
        /// What is wrong with it.
        source: ParseError,
    },
    /// The boards are of two shapes.
    #[error("line {line}: a {found} board among {first} boards; all must have one shape")]
    OtherShape {
        /// Which line, from 1.
        line: usize,
        /// The shape of the first board.
        first: Shape,
        /// The shape of this one.
        found: Shape,
    },
}

/// Reads boards, one a line, empty lines left out; or one board over several lines.
///
/// ```
/// use puzzledb::oracle::boards::read_boards;
///
/// assert_eq!(read_boards(b"704851632\n1 2 3 4 5 6 7 8 0\n", None)?.len(), 2);
/// assert_eq!(read_boards(b"3\n7 0 4\n8 5 1\n6 3 2\n", None)?.len(), 1);
/// # Ok::<(), puzzledb::oracle::boards::BoardsError>(())
/// ```
///
/// # Errors
/// [`BoardsError`] names the line that is no board, or not like the others.
pub fn read_boards(text: &[u8], shape: Option<Shape>) -> Result<Vec<Board>, BoardsError> {
    let lines = (1..).zip(text.split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let parsed: Vec<_> = lines
        .map(|(number, line)| (number, parse_board(line, shape)))
        .collect();
    if parsed.iter().all(|(_, board)| board.is_err())
        && let Ok(board) = parse_board(text, shape)
    {
        return Ok(vec![board]);
    }
    let mut boards: Vec<Board> = Vec::with_capacity(parsed.len());
    for (line, board) in parsed {
        let board = board.map_err(|source| BoardsError::Line { line, source })?;
        let (found, first) = (board.shape(), boards.first().unwrap_or(&board).shape());
        if found != first {
            return Err(BoardsError::OtherShape { line, first, found });
        }
        boards.push(board);
    }
    if boards.is_empty() {
        return Err(BoardsError::Empty);
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let refused = |text: &str| read_boards(text.as_bytes(), None).unwrap_err();
        assert_eq!(refused(" \n\n"), BoardsError::Empty);
        let message = refused("704851632\n\n704851633\n").to_string();
        assert!(
            message.starts_with("line 3: tile 3 is there twice"),
            "{message}"
        );
        let message = refused("704851632\n1230\n").to_string();
        assert!(
            message.starts_with("line 2: a 2x2 board among 3x3"),
            "{message}"
        );
    }

    #[test]
    fn draws_repeat_and_hold_what_was_asked_for() {
        let goal = parse_board(b"123450", Some("2x3".parse().unwrap())).unwrap();
        let oracle = Oracle::in_memory(&goal).unwrap();
        let sample = draw(&oracle, Draw::Sample(20), 5, 3).unwrap();
        assert_eq!(sample, draw(&oracle, Draw::Sample(20), 5, 3).unwrap());
        assert_ne!(sample, draw(&oracle, Draw::Sample(20), 5, 4).unwrap());
        let distances: Vec<_> = sample.iter().map(|b| oracle.distance(b).ok()).collect();
        assert!(distances[..20].is_sorted() && distances[..20].iter().all(Option::is_some));
        assert_eq!(distances[20..], [None; 5]);
        assert!(draw(&oracle, Draw::Sample(361), 0, 0).is_err());
    }
}
