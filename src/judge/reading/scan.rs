//! Claims of a text: what each line says, read line by line.

use std::collections::BTreeSet;

use crate::judge::answer::Path;
use crate::judge::records::ClaimError;

use super::boards::{Boards, last_way};
use super::clauses::clauses;
use super::lengths::{length, says_none, sense};
use super::lex::{Token, lex, numbers};
use super::lists::{Found, MOST_STEPS, Question, cut, fits, is_steps, is_unknown, list};
use super::words::Sense;

/// Most lists without a label that are tried beside one that solves the board.
const MOST_TRIES: usize = 4;

/// Lines that are read between two checks of the flag.
const UNCHECKED: usize = 1 << 10;

/// What the lines of a text claim. Of each kind the last claim is kept, with its line.
#[derive(Default)]
pub(super) struct Claims {
    /// A path; one that is not strong solves the board.
    pub path: Option<Found>,
    /// The last boards from the start to the goal.
    pub way: Option<Found>,
    /// A length, and whether its label names a length or a cost.
    pub length: Option<(usize, u64, bool)>,
    pub unsolvable: Option<usize>,
    pub gave_up: Option<usize>,
    /// Steps that were not understood, or do not solve the board.
    pub unread: Option<usize>,
    /// Whether the goal was reached.
    pub solved: bool,
    /// Place of the first board behind the last label of an answer.
    pub labelled: Option<usize>,
    /// Whether a label of boards names a step of a search.
    pub traced: bool,
    /// The names of algorithms.
    pub algorithms: BTreeSet<String>,
    /// Number of lists without a label that do not solve the board.
    tries: usize,
    /// What the last heading says.
    heading: Sense,
    /// Whether a thought, or a traceback, is skipped.
    aside: [bool; 2],
}

/// A text, and what is read of it.
pub(super) struct Scan<'a> {
    pub text: &'a str,
    pub asked: Question<'a>,
    pub boards: Boards,
    pub claims: Claims,
    /// Neighbouring lines with a step each, as one, the last of them, and what their labels say, if there is a step yet.
    column: (Vec<Token<'a>>, usize, Option<Sense>),
}

impl<'a> Scan<'a> {
    /// Reads a text line by line.
    ///
    /// # Errors
    /// [`ClaimError::Cancelled`]
    pub(super) fn read(text: &'a str, asked: Question<'a>) -> Result<Scan<'a>, ClaimError> {
        let mut scan = Scan {
            text,
            asked,
            boards: Boards::new(asked.reader.numbering),
            claims: Claims::default(),
            column: Default::default(),
        };
        for (number, line) in text.split('\n').enumerate() {
            if number % UNCHECKED == 0 && asked.reader.cancel.is_cancelled() {
                return Err(ClaimError::Cancelled);
            }
            let end = end_of(line);
            if end.len() < line.len() {
                scan.claims.heading = Sense::default(); // it is not about a part of a list
            }
            if !scan.is_aside(end) {
                scan.line(number, end);
            }
        }
        scan.end_column();
        scan.keep_way();
        Ok(scan)
    }

    /// Reads a line.
    fn line(&mut self, number: usize, text: &'a str) {
        let tokens = &lex(text)[..];
        if tokens.is_empty() {
            return;
        }
        let placed = self.boards.placed.len();
        if self.boards.push(number, tokens) {
            let said = std::mem::take(&mut self.claims.heading) | sense(tokens);
            let is_answer = said.has(Sense::ANSWER | Sense::MOVES);
            self.claims.labelled = is_answer.then_some(placed).or(self.claims.labelled);
            self.claims.traced |= said.has(Sense::TRACE);
            let record = self.asked.record(number, text.trim());
            self.claims.path = record.or(self.claims.path.take());
            return;
        }
        let names = tokens.iter().filter(|it| it.sense.has(Sense::ALGORITHM));
        let names = names.map(|name| name.text.to_lowercase());
        self.claims.algorithms.extend(names);
        let at = tokens.iter().position(|token| token.is(":="));
        let (label, value) = tokens.split_at(at.map_or(0, |at| at + 1));
        let steps = value.iter().filter(|token| is_steps(token)).count();
        let fits = steps > 0 && value.iter().all(fits) && !sense(label).has(Sense::ANSWER);
        let named = value.iter().any(|token| token.step.is_some());
        if fits && steps == 1 && named && !label.iter().any(is_steps) {
            let (column, last, said) = &mut self.column;
            if column.len() > 4 * MOST_STEPS {
                *column = vec![Token::new("…", 0, true)]; // it is too long to be read
            }
            column.extend(value);
            column.push(Token::new(",", 0, true));
            (*last, *said) = (number, Some(said.unwrap_or_default() | sense(label)));
            return;
        }
        // A line that may be a step that was not understood tears a column beside it.
        let tear = (fits || is_strange(tokens)).then(|| Token::new("…", 0, true));
        self.column.0.extend(tear);
        self.end_column();
        self.statement(number, tokens);
        self.column.0.extend(tear);
    }

    /// Reads a line, or a column of lines, by its clauses.
    fn statement(&mut self, number: usize, tokens: &[Token<'_>]) {
        let said = sense(tokens);
        let clauses = clauses(tokens);
        let mut above = self.claims.heading;
        for &[label, value] in &clauses {
            self.clause(number, [label, value], std::mem::take(&mut above), said);
        }
        // What a line says as the heading of those below it, or that it may be a step that was not understood.
        let labelled = clauses.iter().any(|[label, _]| !label.is_empty());
        let path = self.claims.path.as_ref();
        let read = path.is_some_and(|path| path.line == number);
        if !read && is_strange(tokens) && !(labelled && length(tokens, false).is_some()) {
            self.claims.unread = Some(number);
        }
        let opens = clauses.last().is_none_or(|[_, value]| value.is_empty());
        let opens = opens || !labelled && numbers(tokens).next().is_none();
        let names = labelled || said.has(Sense::ANSWER | Sense::MOVES);
        let heading = Some(said).filter(|_| opens && names && !read);
        self.claims.heading = heading.unwrap_or_default();
    }

    /// Reads a clause below a heading, in a line that says `said`.
    fn clause(
        &mut self,
        line: usize,
        [label, value]: [&[Token<'_>]; 2],
        above: Sense,
        said: Sense,
    ) {
        let [before, steps, behind] = cut(value);
        let about = sense(label) | above | sense(before);
        let named = about.has(Sense::ANSWER | Sense::MOVES);
        let other = about.has(Sense::OTHER | Sense::TRACE);
        let ends = Sense::ANSWER | Sense::MOVES | Sense::IS | Sense::ALGORITHM | Sense::SOLVED;
        let joins = |token: &Token<'_>| token.sense.has(ends) || token.is(",");
        let known = |token: &Token<'_>| match token.is_word() {
            true => token.sense != Sense::default() && !is_steps(token),
            false => !token.is("?…"),
        };
        let whole = before.last().is_none_or(joins) && behind.iter().all(known);
        // A number alone is the tile that slides, if it solves the board.
        let counted = about.has(Sense::LENGTH | Sense::DEPTH | Sense::MOVES | Sense::COUNT);
        let lone = about.has(Sense::ANSWER) && (!counted || length(label, false).is_some());
        let lone = lone && numbers(behind).count() == 1 && !behind.iter().any(Token::is_word);
        let value_of = if lone { behind } else { steps };
        let found = (lone || whole && !steps.is_empty()) && !other;
        let found = found.then(|| list(value_of, line, &self.asked)).flatten();
        if let Some(mut found) = found.filter(|found| !lone || found.solves) {
            found.answer.length = length(value, false).map(|length| length.0);
            let guess = found.answer.steps() > 3 && steps.iter().any(is_steps);
            self.claims.tries += usize::from(guess && !named && !found.solves);
            let guess = guess && self.claims.tries <= MOST_TRIES;
            found.strong = named && found.answer.steps() > 1 || found.solves && (named || guess);
            return self.keep(found);
        }
        let labelled = named && (!label.is_empty() || above != Sense::default());
        let listed = behind.first().is_some_and(|first| first.is("[({"));
        let listed = labelled && listed && numbers(behind).count() != 1;
        let unread = !value_of.is_empty() || named && (listed || is_unknown(behind));
        // Moves before a colon are an answer with a misprint.
        let letters =
            |token: &Token<'_>| is_steps(token) && token.step.is_none_or(|_| token.text.len() == 1);
        if unread && !other || label.iter().any(letters) {
            let says = |token: &Token<'_>| token.is_word() || token.number().is_some();
            let strong = labelled && !other && value.iter().any(says);
            self.keep(Found {
                line,
                strong,
                ..Found::default()
            });
        }
        self.numbers(line, &[label, value].concat(), said, other);
    }

    /// Reads a length, or the statement that there is no solution.
    fn numbers(&mut self, line: usize, clause: &[Token<'_>], said: Sense, other: bool) {
        let least = u64::from(!self.asked.is_solved());
        let length =
            length(clause, self.claims.solved).filter(|length| !other && length.0 >= least);
        let length = length.map(|(moves, named)| (line, moves, named));
        self.claims.length = length.or(self.claims.length);
        self.claims.solved |= sense(clause).has(Sense::SOLVED) && !sense(clause).has(Sense::NO);
        match says_none(clause, said) {
            Some(true) if self.claims.gave_up.is_none() => self.claims.unsolvable = Some(line),
            Some(false) => {}
            _ => self.claims.gave_up = Some(line),
        }
    }

    /// Whether a line is a thought, a quotation, or a place in a traceback.
    fn is_aside(&mut self, line: &'a str) -> bool {
        let [thought, trace] = self.claims.aside;
        let thinks = thought || line.contains("<think");
        let traced = line.starts_with("Traceback") || trace && line.starts_with(' ');
        self.claims.aside = [thinks && !line.contains("</think"), traced];
        let quoted = |rest: &str| rest.contains(|c: char| c.is_alphabetic() && c != 'v');
        let inner = |tag: &'a str| tag.strip_prefix('<')?.strip_suffix('>');
        let quotation = line.trim_start().strip_prefix("> ").or_else(|| inner(line));
        thinks || traced || quotation.is_some_and(quoted)
    }

    /// Keeps the way that the boards show, unless a path stands behind it.
    fn keep_way(&mut self) {
        let (placed, ends) = (self.boards.placed.iter(), self.asked.ends);
        let way = last_way(placed.clone(), ends).or_else(|| last_way(placed.rev(), ends));
        if let Some((line, boards)) = way.filter(|_| !self.boards.torn) {
            let mut found = self.asked.found(line, vec![Path::Boards(boards)]);
            found.strong = found.answer.steps() > 1;
            self.claims.way = Some(found.clone());
            let path = self.claims.path.as_ref().filter(|path| path.strong);
            if path.is_none_or(|path| path.line <= line) {
                self.keep(found);
            }
        }
    }

    /// Ends the column, and keeps what it claims.
    fn end_column(&mut self) {
        let (column, last, said) = std::mem::take(&mut self.column);
        if let Some(said) = said {
            let said = said | std::mem::take(&mut self.claims.heading);
            self.clause(last, [&[], &column], said, said);
        }
    }

    /// Keeps a path.
    fn keep(&mut self, found: Found) {
        if !(found.strong || found.solves) {
            self.claims.unread = Some(found.line);
        } else if found.strong || self.claims.path.as_ref().is_none_or(|path| !path.strong) {
            self.claims.path = Some(found);
        }
    }
}

/// Of a longer line only the end is read.
pub(super) const LONGEST: usize = 1 << 20;

/// The end of a line that is longer than any with an answer: where an answer stands.
pub(super) fn end_of(line: &str) -> &str {
    let from = (line.len().saturating_sub(LONGEST)..).find(|&from| line.is_char_boundary(from));
    &line[from.unwrap_or(0)..]
}

/// Whether a line may be a step that was not understood.
fn is_strange(tokens: &[Token<'_>]) -> bool {
    tokens.iter().filter(|token| token.is_word()).count() < 5 && is_unknown(tokens)
}
