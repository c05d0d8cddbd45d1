//! Moves as people write them.

use crate::oracle::Way;
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
    let mut found = Found::default();
    for token in text.split(is_separator).filter(|t| !t.is_empty()) {
        found.take(token, shape, numbering)?;
    }
    found.ways(shape, numbering)
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

fn is_separator(c: char) -> bool {
    c.is_whitespace() || ",;/|[](){}<>\"'→⇒=".contains(c)
}

/// What the words of a text are.
#[derive(Default)]
struct Found<'a> {
    directions: Vec<Move>,
    numbers: Vec<&'a str>,
    boards: Vec<Board>,
    /// Words that say nothing of their own, like "move".
    others: usize,
}

impl<'a> Found<'a> {
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
        for word in token.split(['.', '_', ':', '-']).filter(|w| !w.is_empty()) {
            if word.bytes().all(|b| b.is_ascii_digit()) {
                self.numbers.push(word);
            } else if let Some(mv) = direction(word) {
                self.directions.push(mv);
            } else if !self.counted(word) {
                self.others += 1;
                if !is_filler(word) {
                    return None;
                }
            }
        }
        (self.directions.len() <= MOST_MOVES).then_some(())
    }

    /// Takes a run of letters with counts, as in `R2U2L`; is it one?
    fn counted(&mut self, word: &str) -> bool {
        let before = self.directions.len();
        let mut rest = word;
        while let Some(letter) = rest.chars().next() {
            let Some(mv) = Move::from_letter(letter) else {
                self.directions.truncate(before);
                return false;
            };
            rest = &rest[1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let count = match digits {
                0 => Some(1),
                1..=7 => rest[..digits].parse().ok(),
                _ => None,
            };
            let Some(count) = count.filter(|c| self.directions.len() + c <= MOST_MOVES) else {
                self.directions.truncate(before);
                return false;
            };
            self.directions.extend(std::iter::repeat_n(mv, count));
            rest = &rest[digits..];
        }
        true
    }

    fn ways(self, shape: Shape, numbering: Numbering) -> Option<Vec<Way>> {
        let nothing =
            self.directions.is_empty() && self.numbers.is_empty() && self.boards.is_empty();
        if nothing {
            let empty = Way::Directions(Vec::new());
            return (self.others == 0).then(|| vec![empty]);
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

/// Are these the numbers of a list, 1 2 3 ... or 0 1 2 ...?
fn is_count(numbers: &[&str]) -> bool {
    let from = |first: usize| (first..).zip(numbers).all(|(i, n)| n.parse() == Ok(i));
    numbers.len() > 1 && (from(0) || from(1))
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

fn direction(word: &str) -> Option<Move> {
    const WORDS: [(&str, Move); 8] = [
        ("up", Move::Up),
        ("down", Move::Down),
        ("left", Move::Left),
        ("right", Move::Right),
        ("north", Move::Up),
        ("south", Move::Down),
        ("west", Move::Left),
        ("east", Move::Right),
    ];
    let known = |&&(name, _): &&(&str, Move)| word.eq_ignore_ascii_case(name);
    WORDS.iter().find(known).map(|&(_, mv)| mv)
}

/// Words that stand beside moves without being one.
fn is_filler(word: &str) -> bool {
    const FILLERS: [&str; 14] = [
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
    ];
    FILLERS
        .iter()
        .any(|filler| word.eq_ignore_ascii_case(filler))
}
