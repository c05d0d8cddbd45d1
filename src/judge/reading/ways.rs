//! Moves as people write them.

use crate::judge::Way;
use crate::puzzle::{Board, Move, Numbering, Shape};

/// More moves than anybody's path has; a count in a text like `R999999999` must not fill memory.
const MOST_MOVES: usize = 1 << 20;

/// All that a text of moves can mean on boards of `shape`, most likely first; `None` if it is no
/// list of moves. An empty list is one way of no moves.
///
/// Read are `UDLR` and `udlr`, with counts (`R2U2L`), apart or together; the words up, down,
/// left, right, also behind a name (`Action.UP`, `MOVE_LEFT`); north, south, west, east; arrows;
/// tile numbers; boards; all as a plain list, or a list of JSON, Python or other brackets.
pub(super) fn ways(text: &[u8], shape: Shape, numbering: Numbering) -> Option<Vec<Way>> {
    if let Some(moves) = letters(text) {
        return Some(vec![Way::Directions(moves)]);
    }
    let text = std::str::from_utf8(text).ok()?;
    if let Some(moves) = arrows(text) {
        return Some(vec![Way::Directions(moves)]);
    }
    if text.matches('[').count() != text.matches(']').count() {
        return None; // a list of which a part is missing
    }
    Found::read(text, shape, numbering)?.ways(shape, numbering)
}

/// The move in a line that tells one step, as `3. Right` or `Move tile 5 left`, and the numbers
/// beside it.
pub(super) fn step(line: &str, shape: Shape, numbering: Numbering) -> Option<(Move, Vec<u32>)> {
    if let Some(&[mv]) = arrows(line).as_deref() {
        return Some((mv, Vec::new()));
    }
    let found = Found::read(line, shape, numbering)?;
    let numbers = found.numbers.iter().map(|n| n.parse());
    match found.directions[..] {
        [mv] if found.boards.is_empty() => Some((mv, numbers.collect::<Result<_, _>>().ok()?)),
        _ => None,
    }
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
    let mut moves = Vec::new();
    for c in text.chars() {
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
    (!moves.is_empty()).then_some(moves)
}

/// The words of a text of moves.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let apart = |c: char| c.is_whitespace() || ",;/|[](){}<>\"'→⇒=!".contains(c);
    text.split(apart).filter(|token| !token.is_empty())
}

/// The parts of a word such as `Action.UP`.
pub(super) fn parts(token: &str) -> impl Iterator<Item = &str> {
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
            } else if let Some(moves) = run(word, MOST_MOVES - self.directions.len()) {
                self.directions.extend(moves);
            } else if is_filler(word) {
                self.others += 1;
            } else if is_end(word) {
                self.ends += 1;
            } else {
                return None;
            }
        }
        (self.directions.len() <= MOST_MOVES).then_some(())
    }

    fn ways(self, shape: Shape, numbering: Numbering) -> Option<Vec<Way>> {
        let nothing =
            self.directions.is_empty() && self.numbers.is_empty() && self.boards.is_empty();
        if nothing {
            let empty = Way::Directions(Vec::new());
            return (self.others + self.ends == 0).then(|| vec![empty]);
        }
        if self.ends > 0 && !self.boards.is_empty() {
            return None; // such as "Goal: 123456780"
        }
        let mut ways = Vec::new();
        let steps = self.directions.len();
        let tiles = numbers(&self.numbers, shape, numbering);
        let one_each = self.numbers.len() == steps;
        if steps > 0 {
            if !self.numbers.is_empty() && !one_each {
                return None;
            }
            ways.push(Way::Directions(self.directions));
        }
        if !self.boards.is_empty() {
            ways.push(Way::Boards(self.boards));
        } else if !(one_each && is_count(&self.numbers)) {
            ways.extend(tiles);
        }
        (!ways.is_empty()).then_some(ways)
    }
}

/// The moves of a run of letters with counts, as `R2U2L`; `None` if it is none, or of more than
/// `most` moves.
fn run(word: &str, most: usize) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        let mv = Move::from_letter(letter)?;
        rest = &rest[1..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count = match digits {
            0 => 1,
            1..=7 => rest[..digits].parse().ok()?,
            _ => return None,
        };
        if moves.len() + count > most {
            return None;
        }
        moves.extend(std::iter::repeat_n(mv, count));
        rest = &rest[digits..];
    }
    Some(moves)
}

/// Is this word a move, or a run of moves?
pub(super) fn is_moves(word: &str) -> bool {
    direction(word).is_some() || !word.is_empty() && run(word, MOST_MOVES).is_some()
}

/// Are these the numbers of a list, 1 2 3 ... or 0 1 2 ...?
fn is_count(numbers: &[&str]) -> bool {
    let numbers: Option<Vec<u32>> = numbers.iter().map(|n| n.parse().ok()).collect();
    numbers.is_some_and(|numbers| counts(&numbers))
}

/// Do these numbers count something, from 0 or 1 on?
pub(super) fn counts(numbers: &[u32]) -> bool {
    let from = |first: u32| (first..).zip(numbers).all(|(i, &n)| i == n);
    !numbers.is_empty() && (from(0) || from(1))
}

/// What numbers can be: tiles one each, the cells of boards, the digits of boards, or tiles of
/// one digit each without anything between them.
fn numbers(words: &[&str], shape: Shape, numbering: Numbering) -> Vec<Way> {
    let mut ways = Vec::new();
    if words.is_empty() {
        return ways;
    }
    let numbers: Option<Vec<u32>> = words.iter().map(|w| w.parse().ok()).collect();
    if let Some(numbers) = &numbers {
        let tile = |&number: &u32| numbering.tile(shape, number).filter(|&tile| tile != 0);
        ways.extend(
            numbers
                .iter()
                .map(tile)
                .collect::<Option<_>>()
                .map(Way::Tiles),
        );
        ways.extend(boards(numbers, shape, numbering));
    }
    if shape.cells() <= 10 && words.iter().any(|word| word.len() > 1) {
        let digits: Vec<u32> = words
            .iter()
            .flat_map(|word| word.bytes().map(|b| u32::from(b - b'0')))
            .collect();
        let tile = |&digit: &u32| numbering.tile(shape, digit).filter(|&tile| tile != 0);
        ways.extend(boards(&digits, shape, numbering));
        ways.extend(
            digits
                .iter()
                .map(tile)
                .collect::<Option<_>>()
                .map(Way::Tiles),
        );
    }
    ways
}

/// Numbers as the cells of boards, one board after the other.
fn boards(numbers: &[u32], shape: Shape, numbering: Numbering) -> Option<Way> {
    let boards = numbers.chunks(shape.cells());
    let boards: Option<Vec<Board>> = boards.map(|b| numbering.board_of(shape, b).ok()).collect();
    boards.filter(|boards| !boards.is_empty()).map(Way::Boards)
}

/// The words for the moves.
pub(super) const WORDS: [(&str, Move); 8] = [
    ("up", Move::Up),
    ("down", Move::Down),
    ("left", Move::Left),
    ("right", Move::Right),
    ("north", Move::Up),
    ("south", Move::Down),
    ("west", Move::Left),
    ("east", Move::Right),
];

fn direction(word: &str) -> Option<Move> {
    let known = |&&(name, _): &&(&str, Move)| word.eq_ignore_ascii_case(name);
    WORDS.iter().find(known).map(|&(_, mv)| mv)
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_end(word: &str) -> bool {
    is_one_of(
        word,
        &[
            "start", "goal", "none", "null", "initial", "end", "finish", "root",
        ],
    )
}

/// Words that stand beside moves without being one.
pub(super) fn is_filler(word: &str) -> bool {
    const FILLERS: [&str; 22] = [
        "action",
        "direction",
        "dir",
        "move",
        "moves",
        "step",
        "tile",
        "blank",
        "slide",
        "swap",
        "the",
        "to",
        "and",
        "then",
        "after",
        "is",
        "solution",
        "path",
        "found",
        "solved",
        "steps",
        "result",
    ];
    is_one_of(word, &FILLERS)
}
