//! Moves as people write them.

use crate::judge::answer::Path;
use crate::judge::reading::{Kind, Sense, Token, lex};
use crate::puzzle::{Move, Numbering, Shape};

/// The largest count of moves in one direction, as in `R2U2L`: more than any board has cells in a line.
const MOST_REPEATS: usize = 64;

/// All that a text of moves can mean on boards of `shape`, most likely first; `None` if it is no
/// list of moves. An empty list is one path of no moves.
///
/// Read are `UDLR` and `udlr`, with counts (`R2U2L`), apart or together; the words up, down,
/// left, right, also behind a name (`Action.UP`, `MOVE_LEFT`); arrows;
/// tile numbers; boards; all as a plain list, or a list of JSON, Python or other brackets.
pub(in crate::judge) fn paths(text: &str, shape: Shape, numbering: Numbering) -> Option<Vec<Path>> {
    // The usual case, fast: nothing but letters.
    let letters: Option<Vec<Move>> = text.trim_ascii().chars().map(Move::from_letter).collect();
    match letters.filter(|moves| !moves.is_empty()) {
        Some(moves) => Some(vec![Path::Directions(moves)]),
        None => paths_of(&lex(text), shape, numbering),
    }
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
    let mut others = false;
    for token in tokens {
        let is_whole = token.text.len() == shape.cells();
        let board = || numbering.of(shape).board(token.text.as_bytes()).ok();
        if let Some(board) = is_whole.then(board).flatten() {
            boards.push(board);
            continue;
        }
        match token.kind {
            Kind::Number(u64::MAX) | Kind::Symbol('?' | '…') => return None,
            Kind::Number(_) => words.push(token.text),
            Kind::Word if token.step.is_none() => match run(token.text) {
                Some(moves) => steps.extend(moves),
                None if token.sense.has(Sense::FILLER | Sense::END) => others = true,
                None => return None,
            },
            Kind::Word | Kind::Symbol(_) => steps.extend(token.step),
        }
    }
    let one_each = words.len() == steps.len();
    if !(steps.is_empty() || words.is_empty() || one_each) {
        return None;
    }
    let mut paths = Vec::new();
    if !steps.is_empty() || one_each && boards.is_empty() && !others {
        paths.push(Path::Directions(steps));
    }
    if !boards.is_empty() {
        paths.push(Path::Boards(boards));
    } else if !(one_each && is_count(&words)) {
        paths.extend(numbers(&words, shape, numbering));
    }
    (!paths.is_empty()).then_some(paths)
}

/// A list of arrows only, of which one is no caret.
fn arrows(tokens: &[Token<'_>]) -> Option<Vec<Move>> {
    let sign = |token: &&Token<'_>| !token.is(",[]'\";");
    let signs = tokens.iter().filter(sign).map(|token| match token.text {
        "^" => Some(Move::Up),
        "<" => Some(Move::Left),
        ">" => Some(Move::Right),
        "v" => Some(Move::Down),
        "→" => Some(Move::Right),
        _ => token.step.filter(|_| !token.is_word()),
    });
    let moves: Vec<Move> = signs.collect::<Option<_>>()?;
    // `^^^^` alone marks a place in the line above, as in a traceback, and `v v` are words.
    let all = |text: &str| tokens.iter().all(|token| token.text == text);
    (!moves.is_empty() && !all("^") && !all("v")).then_some(moves)
}

/// The moves of a run of letters with counts behind them, as `R2U2L`; `None` if it is none.
fn run(word: &str) -> Option<Vec<Move>> {
    let (mut moves, mut rest) = (Vec::new(), word);
    while let Some(letter) = rest.chars().next() {
        let mv = Move::from_letter(letter)?;
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (count, next) = rest[1..].split_at(digits);
        let count = match count {
            "" => 1,
            count => count.parse().ok()?,
        };
        let count = Some(count).filter(|&count| count <= MOST_REPEATS)?;
        moves.extend(std::iter::repeat_n(mv, count));
        rest = next;
    }
    Some(moves)
}

/// Whether these are the numbers of a list, 1 2 3 ... or 0 1 2 ....
fn is_count(numbers: &[&str]) -> bool {
    let is_next = |(i, number): (u64, &&str)| number.parse() == Ok(i);
    let from = |first| (first..).zip(numbers).all(is_next);
    !numbers.is_empty() && (from(0) || from(1))
}

/// What numbers can be: tiles one each, the cells of boards, the digits of boards, or tiles of
/// one digit each without anything between them.
fn numbers(words: &[&str], shape: Shape, numbering: Numbering) -> Vec<Path> {
    let whole: Option<Vec<u32>> = words.iter().map(|word| word.parse().ok()).collect();
    let digits = words.iter().flat_map(|word| word.chars());
    let digits: Option<Vec<u32>> = digits.map(|digit| digit.to_digit(10)).collect();
    let apart = shape.cells() <= 10 && words.iter().any(|word| word.len() > 1);
    let paths = |numbers: Vec<u32>| {
        let tile = |&number: &u32| numbering.tile(shape, number).filter(|&tile| tile != 0);
        let tiles = numbers.iter().map(tile).collect::<Option<_>>();
        let boards = numbers.chunks(shape.cells());
        let boards = boards.map(|cells| numbering.board_of(shape, cells).ok());
        let boards = boards.collect::<Option<_>>();
        [tiles.map(Path::Tiles), boards.map(Path::Boards)]
    };
    let lists = [whole, digits.filter(|_| apart)].into_iter().flatten();
    let lists = lists.filter(|list| !list.is_empty());
    lists.flat_map(paths).flatten().collect()
}
