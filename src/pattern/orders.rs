//! The rank of the order of a pattern's tiles, and how a move changes it.

use crate::puzzle::Move;
use crate::space::{Rotation, factorial, rank_order, rotation};

use super::blocks::TileMove;

/// The orders of a pattern's tiles, of cells in reading order: 0 is the order in the goal, and ranks
/// are those of the Lehmer code, all k! of them.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    tiles: usize,
    /// Rotations by the direction of the blank, the first tile rotated and the number of tiles that it is rotated with.
    rotations: Vec<Rotation>,
    changes: Vec<i32>,
}

/// Most columns of a shape. A tile passes fewer others in a move: those between two cells of a column. The shape that
/// is kept has no more columns than rows.
const MOST_COLUMNS: usize = 5;

fn place(mv: Move, first: usize, passed: usize) -> usize {
    ((first * MOST_COLUMNS) + passed) * 2 + usize::from(mv == Move::Down)
}

impl Orders {
    /// Makes the tables for the orders of `tiles` tiles.
    pub fn new(tiles: usize) -> Orders {
        let mut changes = Vec::new();
        let none = rotation(tiles, 0, 1, Move::Up, &mut changes); // of one tile: it changes nothing
        let mut rotations = vec![none; tiles * MOST_COLUMNS * 2];
        for first in 0..tiles {
            for passed in 1..MOST_COLUMNS.min(tiles - first) {
                for mv in [Move::Up, Move::Down] {
                    rotations[place(mv, first, passed)] =
                        rotation(tiles, first, passed + 1, mv, &mut changes);
                }
            }
        }
        Orders {
            tiles,
            rotations,
            changes: changes.into_iter().map(|change| change as i32).collect(),
        }
    }

    /// Returns the bytes of memory that the tables take.
    pub fn memory(&self) -> u64 {
        size_of_val(&*self.changes) as u64
    }

    /// Number of orders: k!.
    pub fn count(&self) -> usize {
        factorial(self.tiles) as usize
    }

    /// Returns the rank of an order of the labels 1..k.
    pub fn rank(&self, order: impl Iterator<Item = u8>) -> u32 {
        rank_order(self.tiles, order).0 as u32
    }

    /// Returns the rank after a move of a tile of the set `mask`.
    #[inline]
    pub fn after(&self, rank: u32, mask: u32, mv: &TileMove) -> u32 {
        if mask & mv.between == 0 {
            return rank; // the order stays
        }
        let (first, passed) = mv.rotated(mask);
        let rotation = &self.rotations[place(mv.mv, first, passed)];
        rank.wrapping_add_signed(self.changes[rotation.entry(rank.into())])
    }
}
