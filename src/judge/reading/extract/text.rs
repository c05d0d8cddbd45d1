//! Going through the lines of a text.

use crate::judge::answer::Path;
use crate::judge::reading::moves::is_legend;
use crate::judge::reading::pairs::pairs;
use crate::judge::reading::rows::Row;
use crate::judge::reading::vocabulary::{
    Label, algorithm, says_failure, says_success, without_log,
};

use super::found::{Candidate, Finder, Strength};

/// Bytes of a line that is not looked at: a path of a move for every board of the 8-puzzle, in words, is
/// shorter.
const LONGEST_LINE: usize = 4 << 20;

impl Finder<'_> {
    /// Takes the next line.
    pub(in crate::judge::reading) fn take(&mut self, line: &str) {
        self.line += 1;
        self.lines += usize::from(!line.trim().is_empty());
        if line.len() > LONGEST_LINE {
            self.leftover();
            return self.doubt(line);
        }
        match self.rows.take(line) {
            Row::Board(board) => {
                let before = std::mem::take(&mut self.parts).len();
                if before >= board.shape().rows() {
                    self.no_board(); // rows that belong to no board
                }
                self.see(board);
            }
            Row::Beside(boards) => {
                self.parts.clear();
                boards.into_iter().for_each(|board| self.see(board));
            }
            row @ (Row::Part | Row::Perhaps) => {
                self.no_row = row == Row::Perhaps;
                self.parts.push(line.trim().to_owned());
            }
            Row::Frame => {}
            Row::No => {
                self.leftover();
                let line = without_log(line).trim_matches([' ', '\t', '*', '`']);
                if !line.is_empty() {
                    self.words(line);
                }
            }
        }
    }

    /// Ends the text.
    pub(in crate::judge::reading) fn finish(&mut self) {
        self.leftover();
        let steps = std::mem::take(&mut self.steps);
        self.end_steps(steps);
        let all = std::mem::take(&mut self.all_steps);
        // A step among them that cannot be read leaves only the lists between such lines.
        if !all.is_empty() && self.doubtful.is_none() {
            let labelled = all.labelled || self.step_lines == self.lines;
            self.propose_steps(&all, labelled);
        }
        if self.lines == 1 {
            for candidate in &mut self.candidates {
                let legend = |path: &Path| matches!(path, Path::Directions(m) if is_legend(m));
                if candidate.strength == Strength::Line && !candidate.paths.iter().any(legend) {
                    candidate.strength = Strength::Labelled;
                }
            }
        }
    }

    /// A line that looked like the row of a board may be the length, or tiles that slide; not beside others
    /// like it, which are the rows of a board that cannot be read.
    pub(super) fn leftover(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        if parts.is_empty() {
            return;
        }
        let among_others = self.broken;
        if parts.len() > 1 || self.boards && !self.no_row {
            self.no_board();
        }
        if among_others {
            self.candidates.drain(std::mem::take(&mut self.from_row));
        } else if let [row] = &parts[..] {
            let before = self.candidates.len();
            self.words(row);
            self.from_row = before..self.candidates.len();
        }
    }

    pub(super) fn words(&mut self, line: &str) {
        (self.words, self.words_between) = (self.words + 1, true);
        self.success |= says_success(line);
        self.failed |= says_failure(line);
        if self.object_within(line) || self.table_row(line) || self.own_form(line) {
            return;
        }
        let pairs = pairs(line);
        let first_label = pairs.first().map(|&(label, _)| label);
        if self.step(line, first_label) {
            return;
        }
        // A line beside them that looks like a step and is none spoils the steps before and after it.
        let steps = std::mem::take(&mut self.steps);
        self.line_of_words(line, &pairs);
        let is_doubtful = self.doubtful.as_ref();
        let is_doubtful = is_doubtful.is_some_and(|(line, _)| *line == self.line);
        let has_path = |c: &Candidate| c.line == self.line && c.strength > Strength::Unlabelled;
        let spoils = is_doubtful || self.candidates.last().is_some_and(has_path);
        if !spoils {
            self.end_steps(steps);
        }
        self.steps.spoiled = spoils;
    }

    /// A line that is neither a record nor a step.
    pub(super) fn line_of_words(&mut self, line: &str, pairs: &[(&str, &str)]) {
        let path_next = line
            .strip_suffix(':')
            .is_some_and(|label| Label::of(label).path && !Label::of(label).other);
        let path_here = std::mem::replace(&mut self.path_next, path_next);
        let candidates = self.candidates.len();
        let mut used = false;
        for &(label, value) in pairs {
            used |= self.pair(label, value);
        }
        if let Some(at) = line.find('[').filter(|&at| at > 0 && pairs.is_empty()) {
            used |= self.pair(&line[..at], &line[at..]);
        }
        if !used {
            self.sentence(line, path_here);
        }
        if self.candidates.len() == candidates
            && let Some(name) = algorithm(line)
        {
            self.section = Some(name);
        }
    }
}
