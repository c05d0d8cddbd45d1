//! Claims of a text: what each line says, read line by line.

use rustc_hash::FxHashMap;

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{ClaimError, Reader};
use crate::puzzle::{Board, Move};

use super::boards::{Boards, Placed};
use super::column::{Column, strange_form};
use super::lengths::{Firmness, sense, words};
use super::lex::{Token, has, lex};
use super::lists::{MOST_STEPS, Question, is_legend, is_steps, list, steps_of};
use super::solving::Solving;
use super::words::Sense;

/// An answer, or one that was not understood.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub line: usize,
    /// `None` if it was not understood.
    pub answer: Option<Answer>,
    pub solves: bool,
    /// Whether it is unmistakable, so that it may be accused.
    pub sure: bool,
}

impl Found {
    /// A path that solves the board, or may be accused.
    pub(super) fn of_paths(line: usize, candidates: Vec<Path>, solves: bool, sure: bool) -> Found {
        let answer = Answer {
            candidates,
            ..Answer::default()
        };
        Found {
            line,
            answer: Some(answer),
            solves,
            sure,
        }
    }

    /// An answer that was not understood.
    pub(super) fn unread(line: usize) -> Found {
        Found {
            line,
            answer: None,
            solves: false,
            sure: false,
        }
    }

    pub(super) fn steps(&self) -> usize {
        let answer = self.answer.as_ref();
        answer
            .and_then(|answer| answer.candidates.first())
            .map_or(0, Path::steps)
    }
}

/// What an algorithm claims, or all of a text that names none. Of each kind the last claim is kept.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// A record, or a path behind a label.
    pub labelled: Option<Found>,
    /// Path without a label.
    pub bare: Option<Found>,
    pub length: Option<(usize, u64, Firmness)>,
    pub unsolvable: Option<usize>,
    pub gave_up: Option<usize>,
    /// Line that looks like steps and was not understood.
    pub unread: Option<usize>,
    /// Whether the goal was reached.
    pub solved: bool,
}

/// A line, and what all of its words say.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub number: usize,
    pub text: &'a str,
    pub said: Sense,
    /// Whether it is a line of a column.
    pub step: bool,
    /// Number of its tokens.
    pub whole: usize,
}

/// Numbers from here on are no lengths.
pub(super) const MOST_MOVES: u64 = 1_000_000;

/// Sections that are kept apart.
const MOST_SECTIONS: usize = 32;

/// Reads the lines of a text.
pub(super) struct Scan<'a> {
    pub text: &'a str,
    pub reader: &'a Reader,
    pub asked: Question,
    pub boards: Boards,
    pub sections: Vec<Section>,
    names: FxHashMap<String, usize>,
    section: usize,
    /// Lines at which another section begins.
    entered: Vec<(usize, usize)>,
    /// What the last heading says.
    pub heading: Sense,
    /// Whether it ends with a colon.
    pub opened: bool,
    column: Option<Column>,
    /// Tokens of the line before, where it may be a step that was not understood.
    strange: Option<super::column::Form>,
    /// Whether lines of a thought, or of a traceback, are skipped.
    aside: bool,
    pub last_line: usize,
    /// Steps that solve the board, wherever they stand.
    pub solving: Solving,
    /// The last line of the longest column, and what it can mean.
    pub longest: Option<(usize, Vec<Path>)>,
    /// The steps of all lines with one.
    pub steps: Vec<Move>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, reader: &'a Reader, start: Board, goal: Board) -> Scan<'a> {
        let numbering = reader.numbering.of(start.shape());
        let only = reader.only;
        Scan {
            text,
            reader,
            asked: Question {
                start,
                goal,
                numbering,
                only,
            },
            boards: Boards::new(start.shape(), numbering),
            sections: vec![Section::default()],
            names: FxHashMap::default(),
            section: 0,
            entered: Vec::new(),
            heading: Sense::default(),
            opened: false,
            column: None,
            strange: None,
            aside: false,
            last_line: 0,
            solving: Solving::new(start, goal),
            longest: None,
            steps: Vec::new(),
        }
    }

    pub(super) fn here(&mut self) -> &mut Section {
        &mut self.sections[self.section]
    }

    /// Reads a line.
    pub(super) fn line(&mut self, number: usize, text: &'a str, tokens: &mut Vec<Token<'a>>) {
        if self.is_aside(text) {
            return;
        }
        lex(text, tokens);
        if tokens.is_empty() {
            return;
        }
        let tag = tokens.len() < 5 && tokens[0].is('<') && tokens[tokens.len() - 1].is('>');
        if tag
            && tokens
                .iter()
                .any(|token| token.is_word() && token.text != "v")
        {
            return;
        }
        self.last_line = number;
        let said = sense(tokens);
        let no_answer = Sense::OTHER | Sense::TRACE | Sense::GAVE_UP;
        let aside = (said | self.heading).has(no_answer);
        self.solving.line(number, if aside { &[] } else { tokens });
        if self.boards.push(number, tokens) {
            self.record(number, text, tokens);
            if !self.boards.words {
                return;
            }
        }
        if self.boards.row {
            let found =
                list(tokens, text, &self.asked).filter(|list| list.solves && !self.boards.second);
            self.opened = false;
            if let Some(list) = found {
                self.keep(Found::of_paths(number, list.paths, true, false), false);
            }
            return;
        }
        let says =
            |token: &Token<'_>| token.is_word() || token.number().is_some() || is_steps(token);
        if !tokens.iter().any(says) {
            return; // a frame
        }
        if said.has(Sense::ALGORITHM) {
            self.enter(number, tokens);
        }
        let step = self.column(number, tokens);
        if step && tokens.len() == 1 {
            return self.heading = Sense::default();
        }
        let line = Line {
            number,
            text,
            said,
            step,
            whole: tokens.len(),
        };
        self.clauses(line, tokens);
    }

    /// Whether a line is a thought, a comment, a quotation, or a place in a traceback.
    fn is_aside(&mut self, line: &str) -> bool {
        let thinks = line.contains("<think");
        let within = self.aside && !line.starts_with(|c: char| c.is_alphabetic());
        self.aside = (within || thinks || self.aside && self.heading.has(Sense::OTHER))
            && !line.contains("</think")
            || line.starts_with("Traceback");
        if thinks {
            self.heading = Sense::OTHER;
        }
        let line = line.trim_start();
        let quoted = |rest: &str| rest.contains(|c: char| c.is_alphabetic() && c != 'v');
        within || thinks || self.aside || line.strip_prefix("> ").is_some_and(quoted)
    }

    /// Keeps the answers of a record in the text, each in a section of its own.
    pub(super) fn records(&mut self, line: usize, answers: Vec<Result<Answer, ClaimError>>) {
        self.last_line = line;
        let several = answers.len() > 1;
        for answer in answers {
            if several && self.sections.len() < MOST_SECTIONS {
                self.sections.push(Section::default());
                self.section = self.sections.len() - 1;
            }
            let doubt = |answer: &Answer| {
                let tile =
                    matches!(&answer.candidates[..], [Path::Tiles(tiles)] if tiles.len() == 1);
                tile && answer.length.is_none() && !self.asked.is_solved_by(&answer.candidates)
            };
            let answer = answer.ok().filter(|answer| !doubt(answer));
            self.here().labelled = Some(Found {
                answer,
                sure: true,
                ..Found::unread(line)
            });
        }
    }

    /// Reads a line that begins with the board as a record: a board, and a length or moves.
    fn record(&mut self, number: usize, line: &str, tokens: &[Token<'_>]) {
        let start = self.asked.start;
        let begins = |placed: &Placed| {
            placed.board == start && !placed.drawn && placed.at == tokens[0].start
        };
        if self.boards.placed.last().is_some_and(begins)
            && !has(tokens, "([{<=")
            && let Ok(claim) = self.reader.line(line.as_bytes())
            && claim.board == start
            && !matches!(claim.answer.candidates[..], [Path::Boards(_), ..])
        {
            self.records(number, vec![Ok(claim.answer)]);
        }
    }

    /// Goes to the section of the algorithm that a line names.
    fn enter(&mut self, line: usize, tokens: &[Token<'_>]) {
        let names = tokens
            .iter()
            .filter(|token| token.sense.has(Sense::ALGORITHM));
        let name: String = names.map(|token| token.text.to_lowercase()).collect();
        let next = self.sections.len();
        let section = *self.names.entry(name).or_insert(next);
        if section == next && next < MOST_SECTIONS {
            self.sections.push(Section::default());
        }
        if section != self.section && section < self.sections.len() {
            self.end_column();
            self.section = section;
            self.entered.push((line, section));
        }
    }

    /// The section of a line.
    pub(super) fn section_at(&self, line: usize) -> usize {
        let next = self.entered.partition_point(|entered| entered.0 <= line);
        next.checked_sub(1).map_or(0, |at| self.entered[at].1)
    }

    /// Adds the line to a column; false if it is none of its lines.
    fn column(&mut self, line: usize, tokens: &[Token<'_>]) -> bool {
        if words(tokens) == 0 && !tokens.iter().any(is_steps) && self.column.is_some() {
            return false; // a row of a board
        }
        let mut steps = tokens.iter().flat_map(steps_of);
        if let (Some(step), None) = (steps.next(), steps.next())
            && self.steps.len() < MOST_STEPS
        {
            self.steps.push(step);
        }
        let next = Column::of_line(line, tokens, self.heading);
        if let (Some(column), Some(next)) = (&mut self.column, &next)
            && column.push(next)
        {
            return true;
        }
        let strange = strange_form(tokens).filter(|_| next.is_none());
        if let Some(column) = &mut self.column {
            column.tear(strange);
        }
        self.end_column();
        let before = std::mem::replace(&mut self.strange, strange);
        let Some(mut next) = next else {
            return false;
        };
        next.tear(before);
        self.column = Some(next);
        true
    }

    /// Ends the column and keeps what it claims.
    pub(super) fn end_column(&mut self) {
        let Some(column) = self.column.take() else {
            return;
        };
        let (line, label) = (column.line, column.label);
        let found = column.claimed(&self.asked);
        let longest = |found: &(usize, Vec<Path>)| found.1.first().map_or(0, Path::steps);
        if !found.paths.is_empty() && self.longest.as_ref().map_or(0, longest) <= found.steps {
            self.longest = Some((line, found.paths.clone()));
        }
        let several = found.steps > 1;
        let solves = !found.torn && self.asked.is_solved_by(&found.paths);
        if label.has(Sense::OTHER) || !(found.directions || solves && several) {
            let line = found.directions.then_some(line);
            let section = self.here();
            section.unread = line.or(section.unread);
            return;
        }
        let named = label.has(Sense::ANSWER | Sense::MOVES) || found.numbered;
        let strong = named && found.directions && (several || solves && label.has(Sense::ANSWER));
        let alone = !self.text.trim().contains('\n');
        let sure =
            found.directions && (several || alone) && !found.torn && !is_legend(&found.paths);
        let path = Found::of_paths(line, found.paths, solves, sure);
        let unread = Found::unread(line);
        self.keep(if found.torn { unread } else { path }, strong);
    }

    /// Keeps a path.
    pub(super) fn keep(&mut self, found: Found, strong: bool) {
        let section = self.here();
        if !strong && section.unread == Some(found.line) {
            return; // a part of the line was not understood
        }
        let shown = section.bare.as_ref().is_some_and(|bare| bare.solves);
        if strong {
            section.labelled = Some(found);
        } else if found.solves || !shown || found.answer.is_none() || found.steps() > 1 {
            section.unread = if found.solves {
                section.unread
            } else {
                Some(found.line)
            };
            section.bare = Some(found);
        }
    }
}
