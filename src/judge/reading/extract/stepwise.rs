//! Moves of which each stands on a line of its own.

use crate::judge::reading::moves;
use crate::judge::reading::steps::Steps;
use crate::judge::reading::vocabulary::{Label, algorithm, length_told, words};
use crate::puzzle::Move;

use super::found::{Finder, Strength};

impl Finder<'_> {
    /// Takes one step; was it one?
    pub(super) fn step(&mut self, line: &str, label: Option<&str>) -> bool {
        let is_path = label.is_some_and(|label| {
            let counted = label.contains(|c: char| c.is_ascii_digit());
            let after = words(label)
                .next()
                .is_some_and(|w| w.eq_ignore_ascii_case("after"));
            let told = !after && length_told(label).is_some();
            let kind = Label::of(label);
            kind.path && (!counted || told) || kind.other || algorithm(label).is_some()
        });
        let step = moves::step(line, self.board.shape(), self.reader.numbering);
        let Some((mv, numbers)) = step.filter(|_| !is_path) else {
            return false;
        };
        if self.steps.begin_again(&numbers) {
            let steps = std::mem::take(&mut self.steps);
            self.end_steps(steps);
        }
        self.push_step(mv, numbers);
        true
    }

    pub(super) fn push_step(&mut self, mv: Move, numbers: Vec<u32>) {
        self.step_lines += 1;
        self.steps.labelled |= std::mem::take(&mut self.path_next);
        self.steps.push(mv, numbers, self.line);
    }

    /// Takes a list of steps that is at its end.
    pub(super) fn end_steps(&mut self, steps: Steps) {
        if !steps.is_empty() && !steps.spoiled {
            self.all_steps.extend(&steps);
            self.propose_steps(&steps, steps.labelled);
        }
    }

    pub(super) fn propose_steps(&mut self, steps: &Steps, labelled: bool) {
        let shape = self.board.shape();
        let strength = if labelled {
            Strength::Labelled
        } else {
            Strength::Line
        };
        self.propose(strength, steps.paths(shape, self.reader.numbering));
        self.candidates.last_mut().expect("just proposed").line = steps.line;
    }
}
