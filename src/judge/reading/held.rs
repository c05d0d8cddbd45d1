//! Readings of a text that a person holds to one kind of claim.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Claim, is_none, paths};

use super::decision::Decision;
use super::lengths::length;
use super::lex::{lex, numbers};
use super::lists::list;
use super::scan::MOST_MOVES;

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

impl Decision<'_> {
    /// What the text answers if it is held to one kind of claim.
    pub(super) fn held(&self, kind: ReadAs) -> Option<Answer> {
        let scan = self.scan;
        let found = match kind {
            ReadAs::Boards => self.held_boards(),
            ReadAs::Lines => self.held_lines(),
            ReadAs::Last => self.held_last().map(|answer| (scan.last_line, answer)),
            ReadAs::Length => self.held_length(),
        };
        let sections = || scan.sections.iter();
        let none = sections().filter_map(|section| section.unsolvable).max();
        let given_up = sections().filter_map(|section| section.gave_up).max();
        let line = found.as_ref().map(|found| found.0);
        let answer = match found {
            _ if none > line && none >= given_up && kind != ReadAs::Last => Some(Answer::none()),
            Some((_, answer)) => Some(answer),
            None if scan.asked.start == scan.asked.goal => {
                let section = sections().next_back()?;
                self.at_goal(section)
            }
            None => None,
        };
        answer?.written_as(scan.reader.only)
    }

    /// The last chain from the start to the goal, else all boards behind the last start.
    fn held_boards(&self) -> Option<(usize, Answer)> {
        if let Some((boards, line)) = self.ways.iter().flatten().max_by_key(|way| way.1) {
            return Some((*line, self.boards(boards)));
        }
        let placed = &self.scan.boards.placed;
        let start = &self.scan.asked.start;
        let from = placed.iter().rposition(|placed| placed.board == *start)?;
        let mut boards: Vec<_> = placed[from + 1..].iter().map(|it| it.board).collect();
        boards.dedup();
        let line = placed.last()?.lines.1;
        (!boards.is_empty()).then(|| (line, self.boards(&boards)))
    }

    /// The longest column, or else the steps of all lines with one.
    fn held_lines(&self) -> Option<(usize, Answer)> {
        let (column, steps) = (self.scan.longest.clone(), &self.scan.steps);
        let (line, mut candidates) = column.unwrap_or((self.scan.last_line, Vec::new()));
        if !steps.is_empty() {
            candidates.push(Path::Directions(steps.clone()));
        }
        let answer = Answer {
            candidates,
            ..Answer::default()
        };
        (!answer.candidates.is_empty()).then_some((line, answer))
    }

    /// The last line, or what stands behind its last colon or equals sign.
    fn held_last(&self) -> Option<Answer> {
        let (asked, text) = (&self.scan.asked, self.scan.text.trim_end());
        let line = super::decision::end_of(text.rsplit('\n').next()?);
        if is_none(line.as_bytes()) {
            return Some(Answer::none());
        }
        let mut tokens = Vec::new();
        lex(line, &mut tokens);
        let label = tokens.iter().rposition(|token| token.is_any(":=："));
        let value = &tokens[label.map_or(0, |label| label + 1)..];
        if let Some(number) = numbers(value).next().filter(|_| value.len() == 1) {
            return (number < MOST_MOVES).then(|| Answer::of_length(number));
        }
        if let Some(list) = [value, &tokens]
            .into_iter()
            .find_map(|value| list(value, line, asked))
        {
            return Some(Answer {
                length: list.length,
                candidates: list.paths,
                ..Answer::default()
            });
        }
        length(&tokens, true).map(|length| Answer::of_length(length.0))
    }

    /// The last length.
    fn held_length(&self) -> Option<(usize, Answer)> {
        let lengths = self
            .scan
            .sections
            .iter()
            .filter_map(|section| section.length);
        let last = lengths.max_by_key(|length| length.0);
        let alone = || Some((self.scan.last_line, self.lone_line()?));
        last.map(|(line, moves, _)| (line, Answer::of_length(moves)))
            .or_else(alone)
    }

    /// The readings of a text in which no answer is beyond doubt.
    pub(super) fn readings(&self) -> Vec<(Hold, Claim)> {
        let held = |kind: ReadAs| Some((Hold::Read(kind), self.held(kind)?));
        let kinds = ReadAs::ALL.into_iter().filter_map(held);
        let claim = |(hold, answer)| {
            let claim = Claim {
                board: self.scan.asked.start,
                goal: Some(self.scan.asked.goal),
                answer,
            };
            (hold, claim)
        };
        kinds.chain(self.behind_label()).map(claim).collect()
    }

    /// The moves behind the label of one of the last lines, and a regular expression for them.
    fn behind_label(&self) -> Option<(Hold, Answer)> {
        const LINES: usize = 1 << 10;
        let lines = self.scan.text.lines().rev().take(LINES);
        let (label, candidates) = lines.filter_map(|line| self.labelled_moves(line)).next()?;
        let meta = |c: char| r"\.+*?()|[]{}^$".contains(c).then_some('\\');
        let escaped = label.chars().flat_map(|c| meta(c).into_iter().chain([c]));
        let answer = Answer {
            candidates,
            ..Answer::default()
        };
        let answer = answer.written_as(self.scan.reader.only)?;
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
        let asked = &self.scan.asked;
        let read = || paths(value.as_bytes(), asked.start.shape(), asked.numbering);
        let found = (label.len() <= LONGEST).then(read).flatten()?;
        let reads = matches!(&found[..], [Path::Directions(moves), ..] if !moves.is_empty());
        reads.then_some((label, found))
    }
}
