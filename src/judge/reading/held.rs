//! Readings of a text that a person holds to one kind of claim.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Claim, is_none, paths};

use super::lengths::{MOST_MOVES, length};
use super::lex::{lex, numbers};
use super::lists::list;
use super::scan::Scan;

/// The kind of claim that a text for people is held to, where a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReadAs {
    /// The boards on the way, from the start on
    Boards,
    /// Moves, one in each of several lines
    Lines,
    /// The last line
    Last,
    /// A length, and no path
    Length,
}

impl ReadAs {
    /// All kinds, the one that proves most first.
    pub const ALL: [ReadAs; 4] = [ReadAs::Boards, ReadAs::Lines, ReadAs::Last, ReadAs::Length];
}

impl fmt::Display for ReadAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ReadAs::Boards => "boards",
            ReadAs::Lines => "lines",
            ReadAs::Last => "last",
            ReadAs::Length => "length",
        })
    }
}

/// What holds the reader to one reading of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The kind of claim.
    Read(ReadAs),
    /// A regular expression for a line: its first group has the moves.
    Answer(String),
}

impl Scan<'_> {
    /// What the text answers if it is held to one kind of claim.
    pub(super) fn held(&self, kind: ReadAs) -> Option<Answer> {
        let found = match kind {
            ReadAs::Boards => self.held_boards(),
            ReadAs::Lines => self.held_lines(),
            ReadAs::Last => self.held_last().map(|answer| (self.last_line, answer)),
            ReadAs::Length => self.held_length(),
        };
        let none = self
            .sections
            .iter()
            .filter_map(|section| section.unsolvable)
            .max();
        let given_up = self
            .sections
            .iter()
            .filter_map(|section| section.gave_up)
            .max();
        let line = found.as_ref().map(|found| found.0);
        let answer = match found {
            _ if none > line && none >= given_up && kind != ReadAs::Last => Answer::none(),
            Some((_, answer)) => answer,
            None => self
                .at_goal()
                .filter(|_| self.asked.start == self.asked.goal)?,
        };
        answer.written_as(self.reader.only)
    }

    /// The last chain from the start to the goal, else all boards behind the last start.
    fn held_boards(&self) -> Option<(usize, Answer)> {
        if let Some(way) = &self.way {
            return Some((way.line, way.answer.clone()));
        }
        let placed = &self.boards.placed;
        let start = placed
            .iter()
            .rposition(|placed| placed.board == self.asked.start)?;
        let mut boards: Vec<_> = placed[start + 1..].iter().map(|it| it.board).collect();
        boards.dedup();
        let answer = Answer::of_paths(vec![Path::Boards(boards)]);
        (placed.len() > start + 1).then_some((self.last_line, answer))
    }

    /// The longest column, or else the steps of all lines with one.
    fn held_lines(&self) -> Option<(usize, Answer)> {
        let column = self.longest.clone().unwrap_or_default();
        let mut answer = column.answer;
        if !self.steps.0.is_empty() {
            answer
                .candidates
                .push(Path::Directions(self.steps.0.clone()));
        }
        (!answer.candidates.is_empty()).then_some((column.line.max(self.steps.1), answer))
    }

    /// The last line, or what stands behind its last colon or equals sign.
    fn held_last(&self) -> Option<Answer> {
        let (asked, text) = (&self.asked, self.text.trim_end());
        let line = super::decision::end_of(text.rsplit('\n').next()?);
        if is_none(line.as_bytes()) {
            return Some(Answer::none());
        }
        let mut tokens = Vec::new();
        lex(line, &mut tokens);
        let label = tokens.iter().rposition(|token| token.is(":=："));
        let value = &tokens[label.map_or(0, |label| label + 1)..];
        if let Some(number) = numbers(value).next().filter(|_| value.len() == 1) {
            return (number < MOST_MOVES).then(|| Answer::of_length(number));
        }
        let lists = [value, &tokens].into_iter();
        if let Some(found) = lists.filter_map(|value| list(value, 0, asked)).next() {
            return Some(found.answer);
        }
        length(&tokens, true).map(|length| Answer::of_length(length.0))
    }

    /// The last length.
    fn held_length(&self) -> Option<(usize, Answer)> {
        let lengths = self.sections.iter().filter_map(|section| section.length);
        let last = lengths.max_by_key(|length| length.0);
        let alone = || Some((self.last_line, self.lone_line()?));
        last.map(|(line, moves, _)| (line, Answer::of_length(moves)))
            .or_else(alone)
    }

    /// The readings of a text in which no answer is beyond doubt.
    pub(super) fn readings(&self) -> Vec<(Hold, Claim)> {
        let held = |kind: ReadAs| Some((Hold::Read(kind), self.held(kind)?));
        let kinds = ReadAs::ALL.into_iter().filter_map(held);
        let claim = |(hold, answer)| {
            let claim = Claim {
                board: self.asked.start,
                goal: Some(self.asked.goal),
                answer,
            };
            (hold, claim)
        };
        kinds.chain(self.behind_label()).map(claim).collect()
    }

    /// The moves behind the label of one of the last lines, and a regular expression for them.
    fn behind_label(&self) -> Option<(Hold, Answer)> {
        const LINES: usize = 1 << 10;
        let lines = self.text.lines().rev().take(LINES);
        let (label, candidates) = lines.filter_map(|line| self.labelled_moves(line)).next()?;
        let meta = |c: char| r"\.+*?()|[]{}^$".contains(c).then_some('\\');
        let escaped = label.chars().flat_map(|c| meta(c).into_iter().chain([c]));
        let answer = Answer {
            candidates,
            ..Answer::default()
        };
        let answer = answer.written_as(self.reader.only)?;
        Some((
            Hold::Answer(escaped.chain(" *(.*)".chars()).collect()),
            answer,
        ))
    }

    /// The label of a line, if moves stand behind it, and the moves.
    fn labelled_moves<'t>(&self, line: &'t str) -> Option<(&'t str, Vec<Path>)> {
        const LONGEST: usize = 60;
        let line = line.trim();
        let (label, value) = line.split_at(line.rfind([':', '='])? + 1);
        let asked = &self.asked;
        let read = || paths(value.as_bytes(), asked.start.shape(), asked.numbering);
        let found = (label.len() <= LONGEST).then(read).flatten()?;
        let reads = matches!(&found[..], [Path::Directions(moves), ..] if !moves.is_empty());
        reads.then_some((label, found))
    }
}
