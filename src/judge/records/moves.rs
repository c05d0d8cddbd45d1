//! Moves as people write them.

use crate::judge::answer::Path;
use crate::judge::reading::{Kind, Sense, Token, lex};
use crate::puzzle::{Board, Move, Numbering, Shape};

/// Words for the two ends of a path, which are no step.
const ENDS: [&str; 8] = [
    "start", "goal", "none", "null", "initial", "end", "finish", "root",
];

/// The largest count of moves in one direction, as in `R2U2L`: more than any board has cells in a line.
const MOST_REPEATS: usize = 64;

/// All that a text of moves can mean on boards of `shape`, most likely first; `None` if it is no
/// list of moves. An empty list is one path of no moves.
///
/// Read are `UDLR` and `udlr`, with counts (`R2U2L`), apart or together; the words up, down,
/// left, right, also behind a name (`Action.UP`, `MOVE_LEFT`); arrows;
/// tile numbers; boards; all as a plain list, or a list of JSON, Python or other brackets.
pub(in crate::judge) fn paths(
    text: &[u8],
    shape: Shape,
    numbering: Numbering,
) -> Option<Vec<Path>> {
    // The usual case, fast: nothing but letters.
    let letters: Option<Vec<Move>> = text
        .trim_ascii()
        .iter()
        .map(|&byte| Move::from_letter(char::from(byte)))
        .collect();
    if let Some(moves) = letters {
        return (!moves.is_empty()).then(|| vec![Path::Directions(moves)]);
    }
    let mut tokens = Vec::new();
    lex(std::str::from_utf8(text).ok()?, &mut tokens);
    paths_of(&tokens, shape, numbering)
}

/// All that a list of moves can mean.
pub(in crate::judge) fn paths_of(
    tokens: &[Token<'_>],
    shape: Shape,
    numbering: Numbering,
) -> Option<Vec<Path>> {
    if let Some(moves) = arrows(tokens) {
        return Some(vec![Path::Directions(moves)]);
    }
    let count = |bracket| tokens.iter().filter(|token| token.is(bracket)).count();
    if count("[") != count("]") {
        return None; // a list of which a part is missing
    }
    let mut found = Found::default();
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        let glued =
            before.filter(|before| before.is_word() && !token.apart && before.end() == token.start);
        found.take(token, glued, &numbering.of(shape))?;
        before = Some(token);
    }
    found.paths(shape, numbering)
}

/// A list of arrows only, two at least, of which one is no caret.
fn arrows(tokens: &[Token<'_>]) -> Option<Vec<Move>> {
    let sign = |token: &&Token<'_>| !token.is(",[]'\";");
    let signs = tokens.iter().filter(sign).map(|token| match token.text {
        "^" => Some(Move::Up),
        "<" => Some(Move::Left),
        ">" => Some(Move::Right),
        vs if vs.bytes().all(|byte| byte == b'v') => Some(Move::Down),
        _ => token.step.filter(|_| !token.is_word()),
    });
    let moves: Vec<Move> = signs.collect::<Option<_>>()?;
    let ascii = |symbols: &str| {
        tokens
            .iter()
            .all(|token| token.is(symbols) || symbols == "v" && token.is_word())
    };
    // `^^^^` alone marks a place in the line above, as in a traceback, and `vv` is a word.
    (!moves.is_empty() && !ascii("^~") && !ascii("v")).then_some(moves)
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
    /// Sorts a token in, and the word to which it is glued; `None` if it has no place in a list of moves.
    fn take(
        &mut self,
        token: &Token<'a>,
        glued: Option<&Token<'_>>,
        numbering: &Numbering,
    ) -> Option<()> {
        let word = token.text;
        let cells = numbering.shape.map_or(0, Shape::cells);
        let is_step = token.step.is_some() && token.is_word();
        if word.len() == cells
            && let Ok(board) = numbering.board(word.as_bytes())
        {
            self.boards.push(board);
        } else if let Kind::Number(_) = token.kind {
            self.numbers.push(word.trim_start_matches('t'));
        } else if token.kind == Kind::Fraction {
            return None;
        } else if !token.is_word() {
            // Two points stand for steps that are left out.
            return (token.step.is_some() && !token.is("→"))
                .then(|| self.directions.extend(token.step))
                .or((!token.is("?…")).then_some(()));
        } else if glued.is_some_and(|before| {
            word.is_ascii()
                && !(is_step && before.sense.has(Sense::FILLER)
                    || word == "M" && before.step.is_some())
        }) {
            return None;
        } else if word == "M" && glued.is_some() {
        } else if let Some(mv) = token.step {
            self.directions.push(mv);
        } else if let Some(moves) = run(word) {
            self.directions.extend(moves);
        } else if is_end(word) {
            self.ends += 1;
        } else if token.sense.has(Sense::FILLER) {
            self.others += 1;
        } else {
            return None;
        }
        Some(())
    }

    fn paths(mut self, shape: Shape, numbering: Numbering) -> Option<Vec<Path>> {
        let steps = self.directions.len();
        if steps == 0 && self.numbers.is_empty() && self.boards.is_empty() {
            return (self.others + self.ends == 0).then(|| vec![Path::Directions(Vec::new())]);
        }
        if self.ends > 0 && !self.boards.is_empty() {
            return None; // such as "Goal: 123456780"
        }
        // Two numbers for each step: that of the step, and the tile.
        let firsts: Vec<&str> = self.numbers.iter().step_by(2).copied().collect();
        if self.others > 0
            && self.numbers.len() == 2 * firsts.len()
            && firsts.len() == steps.max(2)
            && is_count(&firsts)
        {
            self.numbers = self.numbers.iter().skip(1).step_by(2).copied().collect();
        }
        let mut paths = Vec::new();
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

/// Whether a word stands for one of the ends of a path.
pub(in crate::judge) fn is_end(word: &str) -> bool {
    ENDS.iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// The moves of a run of letters with counts behind or before them, as `R2U2L` or `2L`; `None` if it is none.
fn run(word: &str) -> Option<Vec<Move>> {
    let ahead = word.starts_with(|c: char| c.is_ascii_digit());
    let (mut moves, mut count) = (Vec::new(), String::new());
    let mut last = None;
    let mut flush = |mv: Option<Move>, count: &mut String| {
        let times = if count.is_empty() {
            1
        } else {
            count.parse().ok()?
        };
        count.clear();
        moves.extend(std::iter::repeat_n(
            mv,
            Some(times).filter(|&times| times <= MOST_REPEATS)?,
        ));
        Some(())
    };
    for c in word.chars() {
        if c.is_ascii_digit() {
            count.push(c);
            continue;
        }
        let mv = Some(Move::from_letter(c)?);
        if ahead {
            flush(mv, &mut count)?;
        } else if let Some(last) = last.replace(mv) {
            flush(last, &mut count)?;
        }
    }
    match last {
        Some(last) => flush(last, &mut count)?,
        None if !count.is_empty() => return None,
        None => {}
    }
    moves.into_iter().collect()
}

/// Whether these are the numbers of a list, 1 2 3 ... or 0 1 2 ....
fn is_count(numbers: &[&str]) -> bool {
    let from = |first: u64| {
        (first..)
            .zip(numbers)
            .all(|(i, number)| number.parse() == Ok(i))
    };
    !numbers.is_empty() && (from(0) || from(1))
}

/// What numbers can be: tiles one each, the cells of boards, the digits of boards, or tiles of
/// one digit each without anything between them.
fn numbers(words: &[&str], shape: Shape, numbering: Numbering) -> Vec<Path> {
    let whole: Option<Vec<u32>> = words.iter().map(|word| word.parse().ok()).collect();
    let digits = || {
        words
            .iter()
            .flat_map(|word| word.bytes().map(|byte| u32::from(byte - b'0')))
            .collect()
    };
    let apart = shape.cells() <= 10 && words.iter().any(|word| word.len() > 1);
    let tiles = |numbers: &[u32]| {
        let tile = |&number: &u32| numbering.tile(shape, number).filter(|&tile| tile != 0);
        numbers
            .iter()
            .map(tile)
            .collect::<Option<_>>()
            .map(Path::Tiles)
    };
    let boards = |numbers: &[u32]| {
        let boards = numbers
            .chunks(shape.cells())
            .map(|cells| numbering.board_of(shape, cells).ok());
        boards.collect::<Option<_>>().map(Path::Boards)
    };
    let mut paths = Vec::new();
    if let Some(whole) = whole.filter(|whole| !whole.is_empty()) {
        paths.extend([tiles(&whole), boards(&whole)].into_iter().flatten());
    }
    if apart {
        let digits: Vec<u32> = digits();
        paths.extend([boards(&digits), tiles(&digits)].into_iter().flatten());
    }
    paths
}
