//! What is found in a text: candidates, lengths, words for no solution.

use std::ops::Range;

use crate::judge::answer::Path;
use crate::judge::reading::claim::{Reader, shorten};
use crate::judge::reading::columns::Columns;
use crate::judge::reading::moves::paths;
use crate::judge::reading::rows::Rows;
use crate::judge::reading::steps::Steps;
use crate::puzzle::Board;

/// How surely a path is meant as the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::judge::reading) enum Strength {
    /// Nothing says what it is: boards that a search prints, moves within a sentence.
    Unlabelled,
    /// It fills a line, or lines one after the other.
    Line,
    /// It stands under a label such as path, solution or moves, or under a key or column of a record.
    Labelled,
}

/// A stretch of text read as a path.
#[derive(Debug)]
pub(in crate::judge::reading) struct Candidate {
    /// All that it can mean, the likeliest first.
    pub(in crate::judge::reading) paths: Vec<Path>,
    pub(in crate::judge::reading) strength: Strength,
    pub(in crate::judge::reading) line: usize,
    /// The algorithm whose answer it is, where the text names one.
    pub(in crate::judge::reading) section: Option<&'static str>,
    /// A number in the place of a path, which can be its length as well.
    pub(in crate::judge::reading) lone: Option<u64>,
}

/// A length that the text tells.
#[derive(Clone, Copy, Debug)]
pub(in crate::judge::reading) struct Told {
    pub(in crate::judge::reading) length: u64,
    /// How sure it is that it is the solution's; smaller is surer. See the constants.
    pub(in crate::judge::reading) rank: u8,
    pub(in crate::judge::reading) section: Option<&'static str>,
}

/// Under a label for lengths, or beside the path itself.
pub(in crate::judge::reading) const LABELLED: u8 = 1;
/// In a sentence that tells it.
pub(in crate::judge::reading) const SENTENCE: u8 = 2;
/// Under a label such as depth, which is often printed for other reasons.
pub(in crate::judge::reading) const DEPTH: u8 = 3;
/// A number with its unit on a line of its own.
pub(super) const ALONE: u8 = 4;
/// A number on a line of its own.
pub(in crate::judge::reading) const BARE: u8 = 9;

/// What was found in a text.
pub(in crate::judge::reading) struct Finder<'a> {
    pub(in crate::judge::reading) board: Board,
    pub(in crate::judge::reading) reader: &'a Reader,
    /// The same for lines that begin with a board of this shape.
    pub(super) shaped: Reader,
    pub(super) goal: Board,
    pub(in crate::judge::reading) candidates: Vec<Candidate>,
    pub(in crate::judge::reading) lengths: Vec<Told>,
    /// The sections in which the text says that there is no solution.
    pub(in crate::judge::reading) none: Vec<Option<&'static str>>,
    /// A path under a label that cannot be read: its line and text.
    pub(in crate::judge::reading) unreadable: Option<(usize, String)>,
    /// What looks like a path and cannot be read.
    pub(in crate::judge::reading) doubtful: Option<(usize, String)>,
    /// Lines that are not empty.
    pub(in crate::judge::reading) lines: usize,
    /// Are there boards, or rows that make none?
    pub(in crate::judge::reading) boards: bool,
    /// Are there rows that make no board?
    pub(in crate::judge::reading) broken: bool,
    /// Boards other than the start and the goal.
    pub(in crate::judge::reading) between: u64,
    /// Lines that are no board.
    pub(in crate::judge::reading) words: usize,
    /// Does it say that the search has come to its end with success?
    pub(in crate::judge::reading) success: bool,
    /// Does it speak of an error, or of giving up?
    pub(in crate::judge::reading) failed: bool,
    /// Does it say that nothing is left to do: an empty list of moves, `already solved`?
    pub(in crate::judge::reading) solved: bool,
    pub(super) line: usize,
    pub(super) section: Option<&'static str>,
    /// Was the line before `Path:` or the like?
    pub(super) path_next: bool,
    pub(super) rows: Rows,
    /// Lines that are a part of a board so far, which may come to nothing.
    pub(super) parts: Vec<String>,
    /// The candidates of a line that looked like a row.
    pub(super) from_row: Range<usize>,
    /// Is the last of them too short for a row?
    pub(super) no_row: bool,
    /// Boards from the start on, of which each is one move from the one before.
    pub(super) chain: Vec<Board>,
    /// Was the board to be solved among those that were seen?
    pub(super) start_seen: bool,
    /// Are there words since the last board?
    pub(super) words_between: bool,
    pub(super) steps: Steps,
    /// All steps so far, in however many lists.
    pub(super) all_steps: Steps,
    pub(super) step_lines: usize,
    /// The columns of the table that the lines are rows of, and what separates them.
    pub(super) table: Option<(Columns, u8)>,
}

impl<'a> Finder<'a> {
    pub(in crate::judge::reading) fn new(
        board: &Board,
        goal: &Board,
        reader: &'a Reader,
    ) -> Finder<'a> {
        Finder {
            board: *board,
            reader,
            shaped: Reader {
                numbering: reader.numbering.of(board.shape()),
                ..reader.clone()
            },
            goal: *goal,
            candidates: Vec::new(),
            lengths: Vec::new(),
            none: Vec::new(),
            unreadable: None,
            doubtful: None,
            lines: 0,
            boards: false,
            broken: false,
            between: 0,
            words: 0,
            success: false,
            failed: false,
            solved: false,
            line: 0,
            section: None,
            path_next: false,
            rows: Rows::new(board.shape(), reader.numbering.of(board.shape())),
            parts: Vec::new(),
            from_row: 0..0,
            no_row: false,
            chain: Vec::new(),
            start_seen: false,
            words_between: false,
            steps: Steps::default(),
            all_steps: Steps::default(),
            step_lines: 0,
            table: None,
        }
    }

    /// The paths that a text can mean; none if a part of it is left out.
    pub(super) fn paths(&self, text: &str) -> Option<Vec<Path>> {
        if text.ends_with(['…']) || text.ends_with("..") {
            return None;
        }
        let shape = self.board.shape();
        paths(text.as_bytes(), shape, self.reader.numbering)
    }

    pub(super) fn propose(&mut self, strength: Strength, paths: Vec<Path>) {
        self.candidates.push(Candidate {
            paths,
            strength,
            line: self.line,
            section: self.section,
            lone: None,
        });
    }

    pub(super) fn tell(&mut self, rank: u8, length: u64) {
        let section = self.section;
        self.lengths.push(Told {
            length,
            rank,
            section,
        });
    }

    pub(super) fn doubt(&mut self, text: &str) {
        self.doubtful = Some((self.line, shorten(text.as_bytes())));
    }
}
