//! Columns: neighbouring lines with one step each.

use crate::judge::answer::Path;
use crate::puzzle::Move;

use super::lengths::{sense, words};
use super::lex::{Kind, Token, numbers};
use super::lists::{MOST_STEPS, Question, is_steps, steps_of};
use super::words::Sense;

/// Kinds of the first and the last token of a line, and whether the line has numbers.
pub(super) type Form = ([Kind; 2], bool);

/// Lines with a step or a tile each, and no words but those that stand beside steps.
#[derive(Debug)]
pub(super) struct Column {
    /// Steps; none if each line has a tile.
    steps: Vec<Move>,
    /// The first and the last number of each line.
    numbers: Vec<Option<(u64, u64)>>,
    /// The last line.
    pub line: usize,
    /// What the heading and the label of its lines say.
    pub label: Sense,
    /// What the label of its lines says.
    own: Sense,
    form: Form,
    /// Whether a line beside it may be a step that was not understood.
    torn: bool,
}

/// What a column claims.
pub(super) struct Claimed {
    pub paths: Vec<Path>,
    pub steps: usize,
    pub numbered: bool,
    pub directions: bool,
    /// Whether a part of it may be missing.
    pub torn: bool,
}

impl Column {
    /// The column that a line begins; `None` if it has not one step, or other words.
    pub(super) fn of_line(line: usize, tokens: &[Token<'_>], heading: Sense) -> Option<Column> {
        let sep = tokens.iter().position(|token| token.is_any(":="));
        let (own, value) = tokens.split_at(sep.unwrap_or(0));
        let known = Sense::FILLER | Sense::MOVES;
        let beside =
            |token: &Token<'_>| !token.is_word() || is_steps(token) || token.sense.has(known);
        let mut steps = value.iter().filter(|token| is_steps(token));
        let (first, second) = (steps.next(), steps.next());
        let numbers: Vec<u64> = numbers(tokens).collect();
        let tile = sep.is_none() && (1..3).contains(&numbers.len()) && words(tokens) > 0;
        let steps: Vec<Move> = first.into_iter().flat_map(steps_of).take(2).collect();
        let single = first.map_or(tile, |_| steps.len() == 1 && second.is_none());
        let own = sense(own);
        (single && value.iter().all(beside)).then(|| Column {
            steps,
            numbers: vec![numbers.first().copied().zip(numbers.last().copied())],
            line,
            label: heading | own,
            own,
            form: form(tokens),
            torn: false,
        })
    }

    /// Adds a line to the column; false if it is none of its lines.
    pub(super) fn push(&mut self, next: &Column) -> bool {
        let same = self.steps.is_empty() == next.steps.is_empty() && self.own == next.own;
        if same && self.numbers.len() < MOST_STEPS {
            self.steps.extend(&next.steps);
            self.numbers.extend(&next.numbers);
            self.line = next.line;
        } else {
            self.torn |= same;
        }
        same
    }

    /// Takes the form of a neighbouring line that may be a step that was not understood.
    pub(super) fn tear(&mut self, strange: Option<Form>) {
        self.torn |= strange == Some(self.form);
    }

    /// What all lines claim.
    pub(super) fn claimed(self, asked: &Question) -> Claimed {
        let first = |both: &Option<(u64, u64)>| both.map(|both| both.0);
        let counts = |from: u64| {
            let mut numbers = (0..).zip(&self.numbers);
            numbers.all(|(i, both)| from.checked_add(i) == first(both))
        };
        let begin = first(&self.numbers[0]).unwrap_or(0);
        let steps = self.numbers.len();
        let numbered = steps > 1 && begin < 2 && counts(begin);
        let tile = |both: &Option<(u64, u64)>| {
            let number = u32::try_from((*both)?.1).ok()?;
            let tile = asked.numbering.tile(asked.start.shape(), number);
            tile.filter(|&tile| tile > 0)
        };
        let beside = self.numbers.iter().flatten().any(|both| both.0 != both.1);
        let tiles = self.numbers.iter().map(tile).collect::<Option<Vec<u8>>>();
        let tiles = tiles.filter(|_| !numbered || beside).map(Path::Tiles);
        let any = Question {
            only: None,
            ..*asked
        };
        let by_tiles = any.is_solved_by(tiles.as_slice());
        let directions = !self.steps.is_empty();
        // Where the tiles that are named beside numbered directions do not slide, neither is read.
        let torn = directions && numbered && beside && tiles.is_some() && !by_tiles;
        let path = Path::Directions(self.steps);
        let path = Some(path).filter(|_| directions);
        Claimed {
            paths: path.into_iter().chain(tiles).collect(),
            steps,
            numbered,
            directions,
            torn: torn || self.torn || begin > 1 && counts(begin) && !by_tiles,
        }
    }
}

fn form(tokens: &[Token<'_>]) -> Form {
    let kind = |token: &Token<'_>| match token.kind {
        Kind::Number(_) => Kind::Number(0),
        Kind::Symbol('?' | '.' | ':' | '\'' | ',' | ']') => Kind::Word,
        kind => kind,
    };
    let ends = [&tokens[0], &tokens[tokens.len() - 1]];
    (ends.map(kind), numbers(tokens).next().is_some())
}

/// The form of a line that may be a step that was not understood.
pub(super) fn strange_form(tokens: &[Token<'_>]) -> Option<Form> {
    is_strange(tokens).then(|| form(tokens))
}

/// Whether a few words, of which nothing is known beside steps, may be a step that was not understood.
pub(super) fn is_strange(values: &[Token<'_>]) -> bool {
    let beside = Sense::FILLER | Sense::MOVES | Sense::BLANK;
    let unknown = |token: &Token<'_>| token.is_word() && !token.sense.has_other(Sense::BLANK);
    let known = |token: &Token<'_>| token.sense.has_other(beside) || token.is('!');
    (1..4).contains(&words(values)) && values.iter().any(unknown) && !values.iter().any(known)
}
