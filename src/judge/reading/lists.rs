//! Lists of steps in a clause.

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Reader, paths_of};
use crate::judge::replay::best;
use crate::puzzle::{Board, Move};

use super::lex::{Token, count_work, numbers};
use super::scan::LONGEST;
use super::words::Sense;

/// A list with more steps is not read.
pub(super) const MOST_STEPS: usize = 100_000;

/// What is asked of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    /// The start and the goal.
    pub ends: [Board; 2],
    pub reader: &'a Reader,
}

impl Question<'_> {
    /// Whether the start is the goal.
    pub(super) fn is_solved(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// What a text claims that is nothing but a value: a length, moves, or the word that there is none.
    pub(super) fn value(&self, text: &str) -> Option<Answer> {
        let answer = self.reader.answer(&self.ends[0], "", text);
        answer.ok()
    }

    /// The answer of a record: a JSON object, or a line that begins with the board. A tile alone is not accused.
    pub(super) fn record(&self, line: usize, text: &str) -> Option<Found> {
        let claim = match text.starts_with('{') {
            true => self.reader.object(text.as_bytes(), Some(self.ends)),
            false if text.len() > LONGEST || text.contains('\n') => return None,
            false => self.reader.line(text.as_bytes()),
        };
        let claim = claim.ok().filter(|claim| claim.board == self.ends[0])?;
        let mut found = self.found(line, claim.answer.candidates.clone());
        let is_tile =
            matches!(claim.answer.candidates[..], [Path::Tiles(_)]) && found.answer.steps() == 1;
        found.sure = found.solves || claim.answer.length.is_some() || !is_tile;
        (found.strong, found.answer) = (true, claim.answer);
        Some(found)
    }

    /// What paths claim that stand in a line.
    pub(super) fn found(&self, line: usize, paths: Vec<Path>) -> Found {
        let [start, goal] = &self.ends;
        let best = best(&paths, start, Some(goal), self.reader.only);
        let solves = best.is_some_and(|(_, _, replay)| replay.reaches(goal));
        Found {
            line,
            solves,
            sure: paths.first().is_some_and(is_sure),
            strong: false,
            answer: Answer::of_paths(paths),
        }
    }
}

/// Whether a path is several directions that are no legend.
pub(super) fn is_sure(path: &Path) -> bool {
    let Path::Directions(moves) = path else {
        return false;
    };
    moves.len() > 1 && (moves.len() != 4 || Move::ALL.iter().any(|mv| !moves.contains(mv)))
}

/// An answer in a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub line: usize,
    pub answer: Answer,
    pub solves: bool,
    /// Whether it is unmistakable, so that it may be accused: directions that are no legend, or boards.
    pub sure: bool,
    /// Whether it is a record, has a label, or solves the board, and not by chance.
    pub strong: bool,
}

/// Whether a token is one or more steps in directions.
pub(super) fn is_steps(token: &Token<'_>) -> bool {
    let letter = |c: char| Move::from_letter(c).is_some() || c.is_ascii_digit();
    let letters = || token.text.len() < MOST_STEPS && token.text.chars().all(letter);
    token.step.is_some() || token.is_word() && letters()
}

/// Whether a token can stand in a list of steps.
pub(super) fn fits(token: &Token<'_>) -> bool {
    let beside = token.sense.has(Sense::FILLER | Sense::END);
    is_steps(token) || beside || !token.is_word() && !token.is("?…")
}

/// Cuts a value into what stands before its list of steps, the list, and what stands behind it. Without steps the list is
/// a value of several numbers; or else it is empty, and words such as `the answer is` stand before the rest.
pub(super) fn cut<'a, 't>(value: &'a [Token<'t>]) -> [&'a [Token<'t>]; 3] {
    let other = |token: &Token<'_>| !fits(token);
    let Some(first) = value.iter().position(is_steps) else {
        if numbers(value).count() > 1 && !value.iter().any(other) {
            return [&[], value, &[]];
        }
        let label = |token: &Token<'_>| token.sense.has(Sense::ANSWER | Sense::IS);
        let (before, rest) = value.split_at(value.iter().rposition(label).map_or(0, |at| at + 1));
        return [before, &[], rest];
    };
    let last = value.iter().rposition(is_steps).unwrap_or(first);
    let from = value[..first].iter().rposition(other);
    let to = value[last + 1..].iter().position(other);
    let from = from.map_or(0, |at| at + 1);
    let to = to.map_or(value.len(), |at| last + 1 + at);
    [&value[..from], &value[from..to], &value[to..]]
}

/// Reads all of the tokens as one list. Numbers among directions may be a length.
pub(super) fn list(tokens: &[Token<'_>], line: usize, asked: &Question<'_>) -> Option<Found> {
    count_work(tokens);
    let read =
        |tokens: &[Token<'_>]| paths_of(tokens, asked.ends[0].shape(), asked.reader.numbering);
    let words = || tokens.iter().filter(|token| token.number().is_none());
    let directions =
        || Some(words().copied().collect::<Vec<_>>()).filter(|_| tokens.iter().any(is_steps));
    let paths = read(tokens).or_else(|| read(&directions()?))?;
    let found = asked.found(line, paths);
    let steps = found.answer.steps();
    (1..=MOST_STEPS).contains(&steps).then_some(found)
}

/// Whether there are words of which nothing is known beside steps, so that they may be steps that were not understood.
pub(super) fn is_unknown(tokens: &[Token<'_>]) -> bool {
    let beside = Sense::FILLER | Sense::MOVES | Sense::BLANK;
    let unknown = |token: &Token<'_>| token.is_word() && !token.sense.has_other(Sense::BLANK);
    let known = |token: &Token<'_>| token.sense.has_other(beside) && !token.sense.has(Sense::END);
    let mut others = tokens.iter().filter(|token| !is_steps(token));
    others.any(unknown) && !tokens.iter().any(known)
}
