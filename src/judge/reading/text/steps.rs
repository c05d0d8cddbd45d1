//! Moves of which each stands on a line of its own.

use crate::judge::Way;
use crate::judge::reading::ways::counts;
use crate::puzzle::{Move, Numbering, Shape};

/// Collects steps.
#[derive(Default)]
pub(super) struct Steps {
    moves: Vec<Move>,
    /// The numbers beside each.
    numbers: Vec<Vec<u32>>,
    /// Was there a step that cannot be read?
    broken: bool,
}

impl Steps {
    pub(super) fn push(&mut self, mv: Move, numbers: Vec<u32>) {
        self.moves.push(mv);
        self.numbers.push(numbers);
    }

    /// There is a step that cannot be read.
    pub(super) fn spoil(&mut self) {
        self.broken = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Are there none, or the same as in these ways?
    pub(super) fn agree(&self, ways: &[Way]) -> bool {
        let same = |way: &Way| matches!(way, Way::Directions(moves) if *moves == self.moves);
        self.moves.is_empty() || ways.iter().any(same)
    }

    /// What they can mean: directions, or the numbers of tiles where each step has one that does
    /// not count the steps. `None` if one of them cannot be read.
    pub(super) fn ways(self, shape: Shape, numbering: Numbering) -> Option<Vec<Way>> {
        if self.moves.is_empty() {
            return Some(Vec::new());
        }
        if self.broken {
            return None;
        }
        let mut ways = vec![Way::Directions(self.moves)];
        let columns = self.numbers.iter().map(Vec::len).min().unwrap_or(0);
        for column in 0..columns {
            let numbers: Vec<u32> = self.numbers.iter().map(|of_step| of_step[column]).collect();
            let tile = |&number: &u32| numbering.tile(shape, number).filter(|&tile| tile != 0);
            let tiles: Option<Vec<u8>> = numbers.iter().map(tile).collect();
            ways.extend(tiles.filter(|_| !counts(&numbers)).map(Way::Tiles));
        }
        Some(ways)
    }
}
