//! Moves as people write them.

use crate::judge::answer::Path;
use crate::puzzle::{Board, Move, Numbering, Shape};

use crate::judge::reading::{Sense, direction, meaning};

/// Words for the two ends of a path, which are no step.
const ENDS: [&str; 8] = [
    "start", "goal", "none", "null", "initial", "end", "finish", "root",
];

/// Whether a word stands for one of the ends of a path.
pub(in crate::judge) fn is_end(word: &str) -> bool {
    ENDS.iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// Whether a word stands beside steps without being one.
fn is_filler(word: &str) -> bool {
    meaning(word).0.has(Sense::FILLER)
}

/// The largest count of moves in one direction, as in `R2U2L`: more than any board has cells in a line.
const MOST_REPEATS: usize = 64;

/// All that a text of moves can mean on boards of `shape`, most likely first; `None` if it is no
/// list of moves. An empty list is one path of no moves.
///
/// Read are `UDLR` and `udlr`, with counts (`R2U2L`), apart or together; the words up, down,
/// left, right, also behind a name (`Action.UP`, `MOVE_LEFT`); north, south, west, east; arrows;
/// tile numbers; boards; all as a plain list, or a list of JSON, Python or other brackets.
pub(in crate::judge) fn paths(
    text: &[u8],
    shape: Shape,
    numbering: Numbering,
) -> Option<Vec<Path>> {
    if let Some(moves) = letters(text) {
        return Some(vec![Path::Directions(moves)]);
    }
    let text = std::str::from_utf8(text).ok()?;
    if let Some(moves) = arrows(text) {
        return Some(vec![Path::Directions(moves)]);
    }
    if text.matches('[').count() != text.matches(']').count() {
        return None; // a list of which a part is missing
    }
    Found::read(text, shape, numbering)?.paths(shape, numbering)
}

/// The usual case, fast: nothing but letters.
fn letters(text: &[u8]) -> Option<Vec<Move>> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return None;
    }
    let mut moves = Vec::with_capacity(text.len());
    for &byte in text {
        moves.push(Move::from_letter(char::from(byte))?);
    }
    Some(moves)
}

/// A text of arrows only, one at least.
fn arrows(text: &str) -> Option<Vec<Move>> {
    let (mut moves, mut carets) = (Vec::new(), true);
    for c in text.chars() {
        carets &= "^~ \t".contains(c);
        moves.push(match c {
            '↑' | '⬆' | '▲' | '^' => Move::Up,
            '↓' | '⬇' | '▼' | 'v' => Move::Down,
            '←' | '⬅' | '◀' | '<' => Move::Left,
            '→' | '➡' | '▶' | '>' => Move::Right,
            '\u{fe0f}' | ',' | '[' | ']' | '\'' | '"' | ';' => continue,
            c if c.is_whitespace() => continue,
            _ => return None,
        });
    }
    // `^^^^` alone marks a place in the line above, as in a traceback, and `vv` is a word.
    let letters = moves.len() > 1 && text.trim().bytes().all(|byte| b"v \t".contains(&byte));
    (!moves.is_empty() && !carets && !letters).then_some(moves)
}

/// The words of a text of moves.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let apart = |c: char| c.is_whitespace() || ",;/|[](){}<>\"'→⇒=!*`$、，。\\".contains(c);
    text.split(apart).filter(|token| !token.is_empty())
}

/// The parts of a word such as `Action.UP`.
fn parts(token: &str) -> impl Iterator<Item = &str> {
    token
        .split(['.', '_', ':', '-'])
        .filter(|part| !part.is_empty())
}

/// What the words of a text are.
#[derive(Default)]
struct Found<'a> {
    directions: Vec<Move>,
    numbers: Vec<&'a str>,
    boards: Vec<Board>,
    /// Words that say nothing of their own, like "move".
    others: usize,
    /// Words for the ends of a way: a start or a goal that is no step.
    ends: usize,
}

impl<'a> Found<'a> {
    fn read(text: &'a str, shape: Shape, numbering: Numbering) -> Option<Found<'a>> {
        let mut found = Found::default();
        for token in tokens(text) {
            found.take(token, shape, numbering)?;
        }
        Some(found)
    }

    /// Sorts a word in; `None` if it has no place in a list of moves.
    fn take(&mut self, token: &'a str, shape: Shape, numbering: Numbering) -> Option<()> {
        let shaped = Numbering {
            shape: Some(shape),
            ..numbering
        };
        if token.len() == shape.cells()
            && let Ok(board) = shaped.board(token.as_bytes())
        {
            self.boards.push(board);
            return Some(());
        }
        for word in parts(token) {
            if word.bytes().all(|b| b.is_ascii_digit()) {
                self.numbers.push(word);
            } else if let Some(mv) = direction(word) {
                self.directions.push(mv);
            } else if let Some(moves) = run(word).or_else(|| signs(word)).or_else(|| camel(word)) {
                self.directions.extend(moves);
            } else if let (Some(count), Some(&last)) = (times(word), self.directions.last()) {
                self.directions.extend(std::iter::repeat_n(last, count - 1));
            } else if is_end(word) {
                self.ends += 1;
            } else if is_filler(word) {
                self.others += 1;
            } else {
                return None;
            }
        }
        Some(())
    }

    fn paths(self, shape: Shape, numbering: Numbering) -> Option<Vec<Path>> {
        let nothing =
            self.directions.is_empty() && self.numbers.is_empty() && self.boards.is_empty();
        if nothing {
            let empty = Path::Directions(Vec::new());
            return (self.others + self.ends == 0).then(|| vec![empty]);
        }
        if self.ends > 0 && !self.boards.is_empty() {
            return None; // such as "Goal: 123456780"
        }
        let mut paths = Vec::new();
        let steps = self.directions.len();
        let tiles = numbers(&self.numbers, shape, numbering);
        let one_each = self.numbers.len() == steps;
        if steps > 0 {
            // Beside each step its number, or the board before or after it.
            let a_board_each =
                matches!(&tiles[..], [Path::Boards(b), ..] if b.len().abs_diff(steps) < 2);
            if !self.numbers.is_empty() && !one_each && !a_board_each {
                return None;
            }
            paths.push(Path::Directions(self.directions));
        }
        if !self.boards.is_empty() {
            paths.push(Path::Boards(self.boards));
        } else if !(one_each && is_count(&self.numbers)) {
            paths.extend(tiles);
        }
        (!paths.is_empty()).then_some(paths)
    }
}

/// The count in a word such as `x2`.
fn times(word: &str) -> Option<usize> {
    let count = word.strip_prefix(['x', 'X', '×'])?.parse().ok()?;
    (1..=MOST_REPEATS).contains(&count).then_some(count)
}

/// The moves of a run of letters with counts behind or before them, as `R2U2L` or `2L`; `None` if it is none.
fn run(word: &str) -> Option<Vec<Move>> {
    let (mut moves, mut rest): (Vec<Move>, &str) = (Vec::new(), word);
    let number =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let ahead = number(word) > 0;
    while !rest.is_empty() {
        let (mut count, digits) = (1, number(rest));
        if ahead {
            count = rest[..digits].parse().unwrap_or(1);
            rest = &rest[digits..];
        }
        let mv = Move::from_letter(rest.chars().next()?)?;
        rest = &rest[1..];
        let digits = number(rest);
        if !ahead && digits > 0 {
            count = rest[..digits].parse().ok()?;
            rest = &rest[digits..];
        }
        moves.extend(std::iter::repeat_n(
            mv,
            Some(count).filter(|&count| count <= MOST_REPEATS)?,
        ));
    }
    Some(moves)
}

/// The moves of a word of signs of one letter each, as `右下`.
fn signs(word: &str) -> Option<Vec<Move>> {
    let signs = word
        .char_indices()
        .map(|(at, c)| &word[at..at + c.len_utf8()]);
    let moves = signs.filter(|sign| !is_filler(sign)).map(direction);
    (!word.is_ascii()).then(|| moves.collect()).flatten()
}

/// The move of a word of two, as `moveLeft` or `RightM`.
fn camel(word: &str) -> Option<Vec<Move>> {
    let at = 1 + word.get(1..)?.find(|c: char| c.is_ascii_uppercase())?;
    let (first, second) = word.split_at(at);
    let moved = match direction(first) {
        Some(mv) => (second == "M" || is_filler(second)).then_some(mv),
        None => direction(second).filter(|_| is_filler(first)),
    };
    moved.map(|mv| vec![mv])
}

/// Whether these are the numbers of a list, 1 2 3 ... or 0 1 2 ....
fn is_count(numbers: &[&str]) -> bool {
    let numbers: Option<Vec<u32>> = numbers.iter().map(|n| n.parse().ok()).collect();
    numbers.is_some_and(|numbers| counts(&numbers))
}

/// Whether these numbers count something, from 0 or 1 on.
fn counts(numbers: &[u32]) -> bool {
    let from = |first: u32| (first..).zip(numbers).all(|(i, &n)| i == n);
    !numbers.is_empty() && (from(0) || from(1))
}

/// What numbers can be: tiles one each, the cells of boards, the digits of boards, or tiles of
/// one digit each without anything between them.
fn numbers(words: &[&str], shape: Shape, numbering: Numbering) -> Vec<Path> {
    let mut paths = Vec::new();
    if words.is_empty() {
        return paths;
    }
    let numbers: Option<Vec<u32>> = words.iter().map(|w| w.parse().ok()).collect();
    if let Some(numbers) = &numbers {
        let tile = |&number: &u32| numbering.tile(shape, number).filter(|&tile| tile != 0);
        paths.extend(
            numbers
                .iter()
                .map(tile)
                .collect::<Option<_>>()
                .map(Path::Tiles),
        );
        paths.extend(boards(numbers, shape, numbering));
    }
    if shape.cells() <= 10 && words.iter().any(|word| word.len() > 1) {
        let digits: Vec<u32> = words
            .iter()
            .flat_map(|word| word.bytes().map(|b| u32::from(b - b'0')))
            .collect();
        let tile = |&digit: &u32| numbering.tile(shape, digit).filter(|&tile| tile != 0);
        paths.extend(boards(&digits, shape, numbering));
        paths.extend(
            digits
                .iter()
                .map(tile)
                .collect::<Option<_>>()
                .map(Path::Tiles),
        );
    }
    paths
}

/// Numbers as the cells of boards, one board after the other.
fn boards(numbers: &[u32], shape: Shape, numbering: Numbering) -> Option<Path> {
    let boards = numbers.chunks(shape.cells());
    let boards: Option<Vec<Board>> = boards.map(|b| numbering.board_of(shape, b).ok()).collect();
    boards.filter(|boards| !boards.is_empty()).map(Path::Boards)
}
