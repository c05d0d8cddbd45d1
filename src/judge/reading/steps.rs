//! Moves of which each stands on a line of its own.

use crate::judge::answer::Path;
use crate::puzzle::{Move, Numbering, Shape};

use super::moves::counts;

/// Steps that follow each other.
#[derive(Debug, Default)]
pub(super) struct Steps {
    moves: Vec<Move>,
    /// The numbers beside each.
    numbers: Vec<Vec<u32>>,
    /// The line of the last.
    pub line: usize,
    /// Do they stand under a label such as `Path:`?
    pub labelled: bool,
    /// Stands a line before them that looks like a step and is none?
    pub spoiled: bool,
}

impl Steps {
    pub(super) fn push(&mut self, mv: Move, numbers: Vec<u32>, line: usize) {
        self.moves.push(mv);
        self.numbers.push(numbers);
        self.line = line;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Does a step with these numbers begin another list: one counted from 0 or 1 again?
    pub(super) fn begin_again(&self, numbers: &[u32]) -> bool {
        let (Some([first @ (0 | 1), ..]), Some(Some(last))) = (
            numbers.get(..1),
            self.numbers.last().map(|last| last.first()),
        ) else {
            return false;
        };
        last >= first && self.numbers.len() > 1
    }

    /// The steps of both.
    pub(super) fn extend(&mut self, other: &Steps) {
        self.moves.extend(&other.moves);
        self.numbers.extend(other.numbers.iter().cloned());
        self.line = other.line;
        self.labelled |= other.labelled;
    }

    /// What they can mean: directions, or the numbers of tiles where each step has one that does
    /// not count the steps.
    pub(super) fn paths(&self, shape: Shape, numbering: Numbering) -> Vec<Path> {
        let mut paths = vec![Path::Directions(self.moves.clone())];
        let columns = self.numbers.iter().map(Vec::len).min().unwrap_or(0);
        for column in 0..columns {
            let numbers: Vec<u32> = self.numbers.iter().map(|of_step| of_step[column]).collect();
            let tile = |&number: &u32| numbering.tile(shape, number).filter(|&tile| tile != 0);
            let tiles: Option<Vec<u8>> = numbers.iter().map(tile).collect();
            paths.extend(tiles.filter(|_| !counts(&numbers)).map(Path::Tiles));
        }
        paths
    }
}
