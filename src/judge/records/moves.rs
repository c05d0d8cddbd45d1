//! Moves as people write them.

use crate::judge::answer::Path;
use crate::judge::reading::{Kind, Sense, Token, lex};
use crate::puzzle::{Move, Numbering, Shape};

/// Words for the two ends of a path, which are no step.
const ENDS: [&str; 7] = ["start", "goal", "none", "null", "end", "finish", "root"];

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
    if let Some(moves) = letters.filter(|moves| !moves.is_empty()) {
        return Some(vec![Path::Directions(moves)]);
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
    let (mut steps, mut words, mut boards) = (Vec::new(), Vec::new(), Vec::new());
    // Words that say nothing of their own, like "move", and those for the ends of a way.
    let (mut others, mut ends) = (0, 0);
    for (i, token) in tokens.iter().enumerate() {
        let whole = token.text.len() == shape.cells();
        if let Ok(board) = numbering.of(shape).board(token.text.as_bytes())
            && whole
        {
            boards.push(board);
            continue;
        }
        match token.kind {
            Kind::Number(u64::MAX) | Kind::Symbol('?' | '…') => return None,
            Kind::Number(_) => words.push(token.text),
            Kind::Symbol('→') => {}
            Kind::Symbol(_) => steps.extend(token.step),
            Kind::Word if is_joint(tokens, i) => return None,
            Kind::Word if token.step.is_some() => steps.extend(token.step),
            Kind::Word if is_end(token.text) => ends += 1,
            Kind::Word => match run(token.text) {
                Some(moves) => steps.extend(moves),
                None if token.sense.has(Sense::FILLER) || token.text == "M" => others += 1,
                None => return None,
            },
        }
    }
    if steps.is_empty() && words.is_empty() && boards.is_empty() {
        return (others + ends == 0).then(|| vec![Path::Directions(steps)]);
    }
    // Two numbers for each step: that of the step, and the tile.
    let firsts: Vec<&str> = words.iter().step_by(2).copied().collect();
    if others > 0
        && words.len() == 2 * firsts.len()
        && firsts.len() == steps.len().max(2)
        && is_count(&firsts)
    {
        words = words.into_iter().skip(1).step_by(2).collect();
    }
    let tiles = numbers(&words, shape, numbering);
    let one_each = words.len() == steps.len();
    // Beside each step its number, or the board before or after it.
    let board_each =
        matches!(&tiles[..], [Path::Boards(b), ..] if b.len().abs_diff(steps.len()) < 2);
    let known = steps.is_empty() || words.is_empty() || one_each || board_each;
    if !known || ends > 0 && !boards.is_empty() {
        return None; // such as "Goal: 123456780"
    }
    let mut paths: Vec<Path> = Vec::new();
    if !steps.is_empty() {
        paths.push(Path::Directions(steps));
    }
    if !boards.is_empty() {
        paths.push(Path::Boards(boards));
    } else if !(one_each && is_count(&words)) {
        paths.extend(tiles);
    }
    (!paths.is_empty()).then_some(paths)
}

/// Whether the word at `i` is glued to the one before, and not as in `moveLeft` or `RightM`.
fn is_joint(tokens: &[Token<'_>], i: usize) -> bool {
    let Some([before, token]) = i.checked_sub(1).and_then(|from| tokens.get(from..=i)) else {
        return false;
    };
    let camel = before.sense.has(Sense::FILLER) && token.step.is_some()
        || token.text == "M" && before.step.is_some();
    before.is_word() && !token.apart && token.text.is_ascii() && !camel
}

/// A list of arrows only, of which one is no caret.
fn arrows(tokens: &[Token<'_>]) -> Option<Vec<Move>> {
    let sign = |token: &&Token<'_>| !token.is(",[]'\";");
    let signs = tokens.iter().filter(sign).map(|token| match token.text {
        "^" => Some(Move::Up),
        "<" => Some(Move::Left),
        ">" => Some(Move::Right),
        "v" => Some(Move::Down),
        _ => token.step.filter(|_| !token.is_word()),
    });
    let moves: Vec<Move> = signs.collect::<Option<_>>()?;
    // `^^^^` alone marks a place in the line above, as in a traceback, and `v v` are words.
    let is = |symbols: &str| {
        tokens
            .iter()
            .all(|token| token.is(symbols) || symbols == token.text)
    };
    (!moves.is_empty() && !is("^") && !is("v")).then_some(moves)
}

/// Whether a word stands for one of the ends of a path.
pub(in crate::judge) fn is_end(word: &str) -> bool {
    ENDS.iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// The moves of a run of letters with counts behind or before them, as `R2U2L` or `2L`; `None` if it is none.
fn run(word: &str) -> Option<Vec<Move>> {
    let letters = word.char_indices().filter(|(_, c)| !c.is_ascii_digit());
    let letters: Vec<(usize, char)> = letters.collect();
    let ahead = word.starts_with(|c: char| c.is_ascii_digit());
    let mut moves = Vec::new();
    let mut from = 0;
    for (i, &(at, letter)) in letters.iter().enumerate() {
        let mv = Move::from_letter(letter)?;
        let next = letters.get(i + 1).map_or(word.len(), |next| next.0);
        let count = if ahead {
            &word[from..at]
        } else {
            &word[at + 1..next]
        };
        let count = if count.is_empty() {
            Ok(1)
        } else {
            count.parse()
        };
        moves.extend(std::iter::repeat_n(
            mv,
            count.ok().filter(|&count| count <= MOST_REPEATS)?,
        ));
        from = at + 1;
    }
    (!ahead || from == word.len()).then_some(moves)
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
