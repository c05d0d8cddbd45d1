//! Lists of steps in a clause.

use crate::judge::answer::{Path, Reading};
use crate::judge::records::paths;
use crate::puzzle::{Board, Move, Numbering};

use super::lengths::sense;
use super::lex::{Token, has, numbers};
use super::words::Sense;

/// A list with more steps is not read.
pub(super) const MOST_STEPS: usize = 100_000;

/// What is asked of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub start: Board,
    pub goal: Board,
    pub numbering: Numbering,
    pub only: Option<Reading>,
}

impl Question {
    /// Whether one of the paths leads from the start to the goal.
    pub(super) fn is_solved_by(&self, paths: &[Path]) -> bool {
        paths.iter().any(|path| {
            let mut readings = path.readings_as(self.only);
            readings.any(|reading| path.replay(&self.start, reading).reaches(&self.goal))
        })
    }
}

/// A list of steps that was read whole.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub paths: Vec<Path>,
    pub steps: usize,
    /// The length that stands in the same clause.
    pub length: Option<u64>,
    pub solves: bool,
}

impl List {
    /// Whether it can be accused: directions that are no legend, or boards that begin at the start.
    pub(super) fn is_unmistakable(&self, start: &Board) -> bool {
        let kind = match &self.paths[..] {
            [Path::Directions(_), ..] => true,
            [Path::Boards(boards)] => boards.first() == Some(start) && boards.len() > 2,
            _ => false,
        };
        kind && self.steps > 1 && !is_legend(&self.paths)
    }
}

/// Whether directions are each named once, as in a legend.
pub(super) fn is_legend(paths: &[Path]) -> bool {
    let once = |moves: &[Move]| moves.len() == 4 && Move::ALL.iter().all(|mv| moves.contains(mv));
    matches!(paths, [Path::Directions(moves), ..] if once(moves))
}

/// Whether a token is one or more steps in directions.
pub(super) fn is_steps(token: &Token<'_>) -> bool {
    let letter = |c: char| Move::from_letter(c).is_some() || c.is_ascii_digit();
    let letters = || token.text.len() < MOST_STEPS && token.text.chars().all(letter);
    token.step.is_some() && !token.is('→') || token.is_word() && letters()
}

/// The steps of a token, if it is some.
pub(super) fn steps_of(token: &Token<'_>) -> impl Iterator<Item = Move> {
    let letters = if token.step.is_none() && is_steps(token) {
        token.text
    } else {
        ""
    };
    let step = token.step.filter(|_| is_steps(token));
    step.into_iter()
        .chain(letters.chars().filter_map(Move::from_letter))
}

/// Whether a token can stand in a list of steps.
fn fits(token: &Token<'_>) -> bool {
    let sign = !token.is_word() && !token.is('?');
    is_steps(token) || sign || token.sense.has(Sense::FILLER)
}

/// Where the list behind a label begins: behind words that end in that of an answer, or in `is`.
pub(super) fn split_label(tokens: &[Token<'_>]) -> Option<usize> {
    let from = tokens.iter().rposition(|token| !fits(token))? + 1;
    let first = tokens[from..].iter().position(is_steps)? + from;
    let label = sense(&tokens[..first]);
    let named = label.has(Sense::ANSWER | Sense::MOVES);
    let ends = Sense::ANSWER | Sense::MOVES | Sense::IS | Sense::ALGORITHM;
    let last = tokens[from - 1].sense.has(ends);
    let opens = |token: &Token<'_>| token.is_word() || token.is_any("[({\"'*`$\\");
    let closed = tokens[from..first].iter().all(opens);
    (named && last && closed).then_some(first)
}

/// Reads all of the tokens as one list; a length may stand before or behind it.
pub(super) fn list(tokens: &[Token<'_>], line: &str, asked: &Question) -> Option<List> {
    let (tokens, length) = without_length(tokens);
    let (first, last) = (tokens.first()?, tokens.last()?);
    let text = &line[first.start..last.end()];
    let dots = |pair: &[Token<'_>]| pair[0].is('.') && pair[1].is('.');
    if tokens.windows(2).any(dots) || has(tokens, "…") {
        return None; // cut off
    }
    let arrow = |token: &Token<'_>| token.is_any("<>^→,") || token.text == "v";
    let arrows = tokens.len() > 1 && tokens.iter().all(arrow);
    let reads = arrows || tokens.iter().any(is_steps) || numbers(tokens).count() > 1;
    let read = || paths(text.as_bytes(), asked.start.shape(), asked.numbering);
    let found = reads.then(read).flatten();
    let steps = |paths: &[Path]| paths.first().map_or(0, Path::steps);
    let paths = found.filter(|paths| (1..=MOST_STEPS).contains(&steps(paths)))?;
    Some(List {
        steps: steps(&paths),
        solves: asked.is_solved_by(&paths),
        paths,
        length,
    })
}

/// Tokens of a list, without the length and the remark behind it, and the number before it.
fn without_length<'a, 't>(mut tokens: &'a [Token<'t>]) -> (&'a [Token<'t>], Option<u64>) {
    let mut length = None;
    if !tokens.iter().any(is_steps) {
        return (tokens, None);
    }
    // A remark in brackets.
    let last = tokens.iter().rposition(is_steps).unwrap_or(0);
    if let Some(open) = tokens[last + 1..].iter().position(|token| token.is('(')) {
        let (rest, remark) = tokens.split_at(last + 1 + open);
        let close = remark.iter().position(|token| token.is(')')).unwrap_or(0);
        if close > 0 && !remark[close..].iter().any(Token::is_word) {
            let unit = sense(remark).has(Sense::MOVES | Sense::LENGTH) || remark.len() == 3;
            length = numbers(remark).next().filter(|_| unit);
            tokens = rest;
        }
    }
    let rest = &tokens[last + 1..];
    let joins = |token: &Token<'_>| ["in", "with", "and"].contains(&token.text);
    let beside =
        |token: &Token<'_>| !token.is_word() || token.sense.has(Sense::MOVES) || joins(token);
    let number = |token: &Token<'_>| token.apart && token.number().is_some();
    if rest.iter().all(beside)
        && numbers(&tokens[..last]).next().is_none()
        && let Some(at) = rest.iter().position(number)
    {
        length = rest[at].number();
        let closing = |token: &&Token<'_>| token.is_any("])}\"'*`");
        tokens = &tokens[..last + 1 + rest[..at].iter().take_while(closing).count()];
    }
    // The number before a list of which no other step has one.
    if let [first, second, rest @ ..] = tokens
        && let Some(count) = first.number()
        && numbers(rest).next().is_none()
    {
        let steps = tokens.iter().filter(|token| is_steps(token)).count();
        let run = second.step.is_none() && second.text.len() > 1 || second.is_any("([{");
        if run || second.apart && count as usize == steps && steps > 1 {
            length = length.or(Some(count));
            tokens = &tokens[1..];
        }
    }
    (tokens, length)
}
