//! Finding an answer in text that was written for people.
//!
//! [`Finder`] goes through the lines. What it takes for a path it must read whole: a path of
//! which a part cannot be read makes the output one without an answer, since the length beside it
//! would hide what is wrong with it.

mod blocks;
mod forms;
mod labels;
mod lines;
mod looks;
mod pairs;
mod rows;
mod sentences;
mod steps;
mod trace;

use crate::judge::{Answer, Way};
use crate::puzzle::{Board, Numbering};

use super::columns::Columns;
use super::phrases::{Label, length_told, words};
use super::{Reader, fields, ways};
use steps::Steps;
use trace::Trace;

pub(super) use blocks::{claims, heading};

/// See [`find_answer`](super::find_answer).
pub(super) fn find(text: &str, board: &Board, numbering: Numbering) -> Option<Answer> {
    let mut finder = Finder::new(board, numbering);
    if finder.object(text.trim()) {
        return finder.answer();
    }
    lines::each(text, |line| finder.line(line));
    finder.answer()
}

/// The best that was found so far: the smallest rank, and among equals the last.
struct Best<T>(Option<(u8, T)>);

impl<T> Best<T> {
    fn offer(&mut self, rank: u8, value: T) {
        if self.0.as_ref().is_none_or(|&(best, _)| rank <= best) {
            self.0 = Some((rank, value));
        }
    }
}

struct Finder<'a> {
    board: &'a Board,
    /// How the boards of this shape are numbered.
    reader: Reader,
    /// The ways of the path; `None` for a path that cannot be read whole.
    path: Best<Option<Vec<Way>>>,
    length: Best<u64>,
    /// A number where a path could stand: a length, or the one tile that slides.
    lone: Option<u64>,
    says_none: bool,
    /// Is there what could be a path, and cannot be read?
    unread: bool,
    /// Was the line before `Path:` or the like?
    path_next: bool,
    steps: Steps,
    trace: Trace,
    /// The columns of the table that the lines are rows of, and what separates them.
    table: Option<(Columns, u8)>,
}

impl<'a> Finder<'a> {
    fn new(board: &'a Board, numbering: Numbering) -> Finder<'a> {
        Finder {
            board,
            reader: Reader {
                numbering: numbering.of(board.shape()),
                only: None,
            },
            path: Best(None),
            length: Best(None),
            lone: None,
            says_none: false,
            unread: false,
            path_next: false,
            steps: Steps::default(),
            trace: Trace::new(board, numbering),
            table: None,
        }
    }

    fn ways(&self, text: &str) -> Option<Vec<Way>> {
        ways::ways(text.as_bytes(), self.board.shape(), self.reader.numbering)
    }

    fn line(&mut self, line: &str) {
        if self.trace.take(line) {
            return;
        }
        self.leftover();
        if !line.is_empty() {
            self.words(line);
        }
    }

    /// A line that looked like the row of a board may be the length, or tiles that slide.
    fn leftover(&mut self) {
        if let Some(row) = self.trace.leftover() {
            self.words(&row);
        }
    }

    fn words(&mut self, line: &str) {
        if self.object_within(line) || self.table_row(line) || self.own_form(line) {
            return;
        }
        if line.contains(char::is_alphabetic) {
            self.trace.heading(words(line));
        }
        let pairs = pairs::pairs(line);
        if self.step(line, pairs.first().map(|&(label, _)| label)) {
            return;
        }
        let path_next = line
            .strip_suffix(':')
            .is_some_and(|label| Label::of(label).path);
        let path_here = std::mem::replace(&mut self.path_next, path_next);
        let mut used = false;
        for &(label, value) in &pairs {
            used |= self.pair(label, value);
        }
        if let Some(at) = line.find('[').filter(|&at| at > 0 && pairs.is_empty()) {
            used |= self.pair(&line[..at], &line[at..]);
        }
        if !used && !self.sentence(line) && path_here && !line.contains(' ') {
            self.look(3, looks::of_value(line));
        }
    }

    /// Takes one step; was it one?
    fn step(&mut self, line: &str, label: Option<&str>) -> bool {
        let is_path = label.is_some_and(|label| {
            let counted = label.contains(|c: char| c.is_ascii_digit());
            let after = words(label)
                .next()
                .is_some_and(|w| w.eq_ignore_ascii_case("after"));
            let told = !after && length_told(label).is_some();
            Label::of(label).path && (!counted || told)
        });
        let step = ways::step(line, self.board.shape(), self.reader.numbering);
        match step.filter(|_| !is_path) {
            Some((mv, numbers)) => self.steps.push(mv, numbers),
            None => return false,
        }
        true
    }

    fn answer(mut self) -> Option<Answer> {
        self.leftover();
        let told = self.path.0.is_some();
        let mut moves = !self.steps.is_empty() || self.trace.moves();
        let ways = match self.path.0 {
            // Numbers alone on a line can be a row of a board that cannot be read.
            Some((3, Some(ways))) if self.trace.broken() && is_tiles(&ways) => None,
            // Nor is it plain what both mean, if they differ.
            Some((2.., Some(ways))) if !self.steps.agree(&ways) => None,
            Some((_, ways)) => ways,
            None => traced(
                self.steps.ways(self.board.shape(), self.reader.numbering),
                self.trace.way(),
            ),
        };
        let no_moves = |way: &Way| matches!(way, Way::Directions(moves) if moves.is_empty());
        moves |= told && !ways.as_ref().is_some_and(|ways| ways.iter().all(no_moves));
        let length_told = matches!(self.length.0, Some((0..=2, length)) if length > 0);
        if self.says_none && !moves && !length_told {
            return Some(Answer {
                unsolvable: true,
                ..Answer::default()
            });
        }
        let ways = ways?;
        if ways.is_empty() && self.unread {
            return None;
        }
        // A depth or a bare number beside a path may be about something else.
        let surest = match (told, ways.is_empty()) {
            (true, _) => 1,
            (false, false) => 2,
            (false, true) => u8::MAX,
        };
        let length = self.length.0.filter(|&(rank, _)| rank <= surest);
        let length = length.map(|(_, length)| length);
        if ways.is_empty() && length.is_some() && length == self.lone {
            return Some(fields::lone_number(
                length?,
                self.board,
                self.reader.numbering,
            ));
        }
        (length.is_some() || !ways.is_empty()).then_some(Answer {
            length,
            ways,
            ..Answer::default()
        })
    }
}

fn is_tiles(ways: &[Way]) -> bool {
    matches!(ways, [Way::Tiles(_), ..])
}

/// Steps and boards, either of which can be there and can be unreadable.
fn traced(steps: Option<Vec<Way>>, boards: Option<Option<Way>>) -> Option<Vec<Way>> {
    let readable = steps.is_some() && boards.is_some();
    let ways: Vec<Way> = steps
        .into_iter()
        .flatten()
        .chain(boards.flatten())
        .collect();
    (readable || !ways.is_empty()).then_some(ways)
}

#[cfg(test)]
mod tests;
