//! Lines without any label that is known.

use crate::judge::answer::Path;
use crate::judge::reading::length::whole_number;
use crate::judge::reading::moves;
use crate::judge::reading::near::{self, Nearness};
use crate::judge::reading::vocabulary::{Label, is_none, length_told, says_none, says_solved};

use super::boards::only_board;
use super::found::{ALONE, BARE, Finder, LABELLED, SENTENCE, Strength};
use super::labelled::number;

impl Finder<'_> {
    /// A line without any label that is known. `path_here` if the line before was `Path:` or the like.
    pub(super) fn sentence(&mut self, line: &str, path_here: bool) {
        self.solved |= says_solved(line) || line.bytes().all(|byte| b"[]() ".contains(&byte));
        if self.board == self.goal && line.eq_ignore_ascii_case("nil") {
            self.solved = true; // the empty list of Lisp
            return;
        }
        if is_none(line.as_bytes()) || says_none(line) {
            return self.none.push(self.section);
        }
        if let Some(length) = whole_number(line.as_bytes()) {
            if line.len() > 6 {
                // A cell is missing.
                self.no_board()
            } else {
                self.tell(BARE, length)
            }
            return;
        }
        if let Some((length, _)) = number(line) {
            return self.tell(ALONE, length);
        }
        let found = self.value(line);
        if let Some((paths, length)) = found.filter(|(paths, _)| !is_no_path(line, paths)) {
            if let Some(board) = only_board(&paths) {
                return self.see(board);
            }
            let length = length.or_else(|| length_told(line));
            let strength = if path_here || length.is_some() {
                Strength::Labelled
            } else {
                Strength::Line
            };
            self.propose(strength, paths);
            length
                .into_iter()
                .for_each(|length| self.tell(LABELLED, length));
            return;
        }
        if let Some(length) = length_told(line) {
            self.tell(SENTENCE, length);
        }
        let nearness = if path_here && !line.contains(' ') {
            near::of_value(line)
        } else {
            self.last_word(line).unwrap_or_else(|| near::of_line(line))
        };
        match nearness {
            Nearness::Other => self.stray(line),
            Nearness::Doubtful | Nearness::Moves => self.doubt(line),
        }
    }

    /// Takes a run of capital letters at the end of a sentence about a path, as in `The moves are RD`,
    /// and tells how it looks if it is none.
    pub(super) fn last_word(&mut self, line: &str) -> Option<Nearness> {
        let (before, last) = line.rsplit_once(' ')?;
        let last = last.trim_end_matches(['.', '!']);
        let capitals = last.len() > 1 && last.bytes().all(|b| b.is_ascii_uppercase());
        if !capitals || !Label::of(before).path {
            return None;
        }
        match self.paths(last) {
            Some(paths) => self.propose(Strength::Line, paths),
            None => return Some(near::of_line(last)),
        }
        Some(Nearness::Other)
    }

    /// Proposes the runs of moves within a text.
    pub(super) fn stray(&mut self, text: &str) {
        for run in moves::runs(text) {
            self.propose(Strength::Unlabelled, vec![Path::Directions(run)]);
        }
    }
}

/// Are these no moves that fill a line: none at all, or the number of a sentence such as `Step 1`?
fn is_no_path(line: &str, paths: &[Path]) -> bool {
    match paths {
        [Path::Tiles(_), ..] => line.contains(char::is_alphabetic),
        [Path::Directions(moves)] => moves.is_empty(),
        _ => false,
    }
}
