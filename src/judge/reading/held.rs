//! Readings of a text that a person holds to one kind of claim.

use serde::{Deserialize, Serialize};

use crate::basics::names;
use crate::judge::answer::{Answer, Path};
use crate::puzzle::{Board, Move};

use super::lengths::length;
use super::lex::lex;
use super::lists::MOST_STEPS;
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
    /// The last moves behind a label
    Label,
}

names!(ReadAs, "a kind of claim", [Boards: "boards", Lines: "lines", Last: "last", Length: "length", Label: "label"]);

impl Scan<'_> {
    /// What the text answers if it is held to one kind of claim.
    pub(super) fn held(&self, kind: ReadAs) -> Option<Answer> {
        let found = match kind {
            ReadAs::Boards => self.held_boards(),
            ReadAs::Lines => self.held_lines(),
            ReadAs::Last => self.held_last().map(|answer| (usize::MAX, answer)),
            ReadAs::Length => self.held_length(),
            ReadAs::Label => self.held_label().map(|answer| (usize::MAX, answer)),
        };
        let (line, answer) = found.unzip();
        if self.claims.unsolvable > line {
            return Some(Answer::none());
        }
        answer.or_else(|| self.at_goal())
    }

    /// The last chain from the start to the goal, else all boards behind the last start.
    fn held_boards(&self) -> Option<(usize, Answer)> {
        if let Some(way) = &self.claims.way {
            return Some((way.line, way.answer.clone()));
        }
        let placed = &self.boards.placed;
        let is_start = |(_, board): &(usize, Board)| *board == self.asked.ends[0];
        let behind = &placed[placed.iter().rposition(is_start)? + 1..];
        let mut boards: Vec<Board> = behind.iter().map(|(_, board)| *board).collect();
        boards.dedup();
        let line = behind.last()?.0;
        Some((line, Answer::of_paths(vec![Path::Boards(boards)])))
    }

    /// The steps of all lines with one.
    fn held_lines(&self) -> Option<(usize, Answer)> {
        let step = |(number, line): (usize, &str)| {
            let tokens = lex(end_of(line));
            let mut steps = tokens.iter().filter_map(|token| token.step);
            let step = steps.next().filter(|_| steps.next().is_none());
            Some((number, step?))
        };
        let steps = self.text.split('\n').enumerate().filter_map(step);
        let (lines, moves): (Vec<usize>, Vec<Move>) = steps.take(MOST_STEPS).unzip();
        Some((*lines.last()?, Answer::of_moves(&moves)))
    }

    /// What stands behind the last colon or equals sign of a line, as a value.
    fn labelled_value(&self, line: &str) -> Option<Answer> {
        let label = line.rfind([':', '='])?;
        self.asked.value(&line[label + 1..])
    }

    /// The last line, or what stands behind its last colon or equals sign.
    fn held_last(&self) -> Option<Answer> {
        let line = last_line(self.text);
        let answer = self.labelled_value(line);
        let answer = answer.or_else(|| self.asked.value(line));
        answer.or_else(|| Some(Answer::of_length(length(&lex(line), true)?.0)))
    }

    /// The last length.
    pub(super) fn held_length(&self) -> Option<(usize, Answer)> {
        match self.claims.length {
            Some((line, moves, _)) => Some((line, Answer::of_length(moves))),
            None => Some((usize::MAX, self.lone_line()?)),
        }
    }

    /// The last moves behind a label.
    fn held_label(&self) -> Option<Answer> {
        const LINES: usize = 1 << 10;
        let lines = self.text.lines().rev().take(LINES);
        let lines = lines.filter(|line| line.len() < LONGEST);
        let mut values = lines.filter_map(|line| self.labelled_value(line));
        values.find(|value| matches!(&value.candidates[..], [Path::Directions(moves), ..] if !moves.is_empty()))
    }

    /// The readings of a text in which no answer is beyond doubt.
    pub(super) fn readings(&self) -> Vec<(ReadAs, Answer)> {
        let only = self.asked.reader.only;
        let held = |kind: ReadAs| Some((kind, self.held(kind)?.written_as(only)?));
        ReadAs::ALL.into_iter().filter_map(held).collect()
    }
}

/// The end of the last line of a text.
pub(super) fn last_line(text: &str) -> &str {
    end_of(text.trim_end().rsplit('\n').next().unwrap_or(text))
}
