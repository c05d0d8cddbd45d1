//! Readings of a text that a person holds to one kind of claim.

use serde::{Deserialize, Serialize};

use crate::basics::names;
use crate::judge::answer::{Answer, Path};
use crate::judge::records::{Claim, is_none, paths};

use super::boards::Placed;
use super::lengths::{MOST_MOVES, length};
use super::lex::{lex, numbers};
use super::lists::list;
use super::scan::{LONGEST, Scan, end_of};

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

names!(ReadAs, "a kind of claim", [Boards: "boards", Lines: "lines", Last: "last", Length: "length"]);

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
            ReadAs::Last => self.held_last().map(|answer| (usize::MAX, answer)),
            ReadAs::Length => self.held_length(),
        };
        let sections = self.sections.iter();
        let none = sections.filter_map(|it| it.unsolvable).max();
        let solved = || self.at_goal().filter(|_| self.asked.is_solved());
        let answer = match found {
            found if none > found.as_ref().map(|found| found.0) => Answer::none(),
            Some((_, answer)) => answer,
            None => solved()?,
        };
        answer.written_as(self.asked.reader.only)
    }

    /// The last chain from the start to the goal, else all boards behind the last start.
    fn held_boards(&self) -> Option<(usize, Answer)> {
        if let Some(way) = &self.way {
            return Some((way.line, way.answer.clone()));
        }
        let placed = &self.boards.placed;
        let is_start = |it: &Placed| it.board == self.asked.start;
        let behind = &placed[placed.iter().rposition(is_start)? + 1..];
        let mut boards: Vec<_> = behind.iter().map(|it| it.board).collect();
        boards.dedup();
        Some((
            behind.last()?.line,
            Answer::of_paths(vec![Path::Boards(boards)]),
        ))
    }

    /// The steps of all lines with one.
    fn held_lines(&self) -> Option<(usize, Answer)> {
        let (moves, line) = self.steps.clone();
        (!moves.is_empty()).then(|| (line, Answer::of_moves(&moves)))
    }

    /// The last line, or what stands behind its last colon or equals sign.
    fn held_last(&self) -> Option<Answer> {
        let line = end_of(self.text.trim_end().rsplit('\n').next()?);
        if is_none(line.as_bytes()) {
            return Some(Answer::none());
        }
        let tokens = lex(line);
        let label = tokens.iter().rposition(|token| token.is(":=："));
        let value = &tokens[label.map_or(0, |label| label + 1)..];
        if let Some(number) = numbers(value).next().filter(|_| value.len() == 1) {
            return (number < MOST_MOVES).then(|| Answer::of_length(number));
        }
        let found = list(value, 0, &self.asked).or_else(|| list(&tokens, 0, &self.asked));
        let length = || Some(Answer::of_length(length(&tokens, true)?.0));
        found.map(|found| found.answer).or_else(length)
    }

    /// The last length.
    fn held_length(&self) -> Option<(usize, Answer)> {
        let lengths = self.sections.iter().filter_map(|section| section.length);
        match lengths.max_by_key(|length| length.0) {
            Some((line, moves, _)) => Some((line, Answer::of_length(moves))),
            None => Some((usize::MAX, self.lone_line()?)),
        }
    }

    /// The readings of a text in which no answer is beyond doubt.
    pub(super) fn readings(&self) -> Vec<(Hold, Claim)> {
        let held = |kind: ReadAs| Some((Hold::Read(kind), self.held(kind)?));
        let kinds = ReadAs::ALL.into_iter().filter_map(held);
        let (board, goal) = (self.asked.start, Some(self.asked.goal));
        let claim = |(hold, answer)| {
            (
                hold,
                Claim {
                    board,
                    goal,
                    answer,
                },
            )
        };
        kinds.chain(self.behind_label()).map(claim).collect()
    }

    /// The moves behind the label of one of the last lines, and a regular expression for them.
    fn behind_label(&self) -> Option<(Hold, Answer)> {
        const LINES: usize = 1 << 10;
        const LONGEST_LABEL: usize = 60;
        let moves = |line: &str| {
            let label = line.rfind([':', '=']).filter(|&at| at < LONGEST_LABEL)?;
            let (label, value) = line.split_at(label + 1);
            let shape = self.asked.start.shape();
            let found = paths(value.as_bytes(), shape, self.asked.reader.numbering)?;
            let moves = matches!(&found[..], [Path::Directions(moves), ..] if !moves.is_empty());
            let answer = Answer::of_paths(found).written_as(self.asked.reader.only);
            let hold = Hold::Answer(format!("{} *(.*)", escaped(label)));
            Some((hold, answer.filter(|_| moves)?))
        };
        let lines = self.text.lines().rev().take(LINES);
        let mut lines = lines.filter(|line| line.len() < LONGEST);
        lines.find_map(|line| moves(line.trim()))
    }
}

/// A text as a regular expression for itself.
fn escaped(text: &str) -> String {
    let meta = |c: char| r"\.+*?()|[]{}^$".contains(c).then_some('\\');
    text.chars()
        .flat_map(|c| meta(c).into_iter().chain([c]))
        .collect()
}
