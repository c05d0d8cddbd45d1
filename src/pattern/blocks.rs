//! Cells of the pattern's tiles, and regions of the blank.

use crate::bfs::ones;
use crate::puzzle::{Move, Shape};

/// The most cells of a shape that has pattern databases.
pub const MAX_PATTERN_CELLS: usize = 25;

/// The blocks of all patterns of some number of tiles on a shape.
///
/// A *set* is the cells that the tiles are in, as a mask; sets are numbered in the order of their masks. The other
/// cells fall into *regions* of cells that are connected by their sides, numbered by their first cells. The blank's
/// cell within a region makes no difference: the blank goes from cell to cell there without moving a tile of the
/// pattern. So a set and a region make a *block* of states, one for each order of the tiles; blocks are numbered by
/// set, then by region.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub shape: Shape,
    /// Number of tiles of the pattern.
    pub tiles: usize,
    borders: Borders,
    /// Number of cells that are looked up in `low`; the others in `high`.
    low_cells: usize,
    /// Share of the low cells in the number of a set, and the index where the entries of `high` for so many of them
    /// begin.
    low: Vec<(u32, u32)>,
    high: Vec<u32>,
    /// The first block of each set, and at the end the number of blocks.
    first: Vec<u32>,
    /// The region of each cell, set by set.
    regions: Vec<u8>,
}

/// Returns the number of ways to take k of n.
pub(super) fn choose(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |ways, i| ways * (n as u64).saturating_sub(i) / (i + 1))
}

impl Blocks {
    /// Numbers the blocks of patterns of `tiles` tiles, 1 to 12.
    pub fn new(shape: Shape, tiles: usize) -> Blocks {
        let cells = shape.cells();
        let low_cells = cells.div_ceil(2);
        let highs = 1usize << (cells - low_cells);
        // The i-th lowest cell c of a set is preceded by the choose(c, i) sets that differ from it
        // from there down and have only lower cells.
        let rank = |mask: usize, first_cell: usize, before: usize| {
            let set = (0..cells).filter(|c| mask >> c & 1 == 1);
            let ways = (before + 1..)
                .zip(set)
                .map(|(i, c)| choose(c + first_cell, i));
            ways.sum::<u64>() as u32
        };
        let low = |mask: usize| (rank(mask, 0, 0), mask.count_ones() * highs as u32);
        let high = |i: usize| rank(i % highs, low_cells, i / highs);
        let mut blocks = Blocks {
            shape,
            tiles,
            borders: Borders::new(shape),
            low_cells,
            low: (0..1 << low_cells).map(low).collect(),
            high: (0..(low_cells.min(tiles) + 1) * highs).map(high).collect(),
            first: vec![0],
            regions: Vec::new(),
        };
        for mask in blocks.sets() {
            let start = blocks.regions.len();
            blocks.regions.resize(start + cells, 0);
            let mut count = 0;
            for region in blocks.regions(mask) {
                bits(region).for_each(|cell| blocks.regions[start + cell] = count);
                count += 1;
            }
            let before = blocks.first[blocks.first.len() - 1];
            blocks.first.push(before + u32::from(count));
        }
        blocks
    }

    /// Returns the bytes of memory that the blocks take.
    pub fn memory(&self) -> u64 {
        let tables = size_of_val(&*self.low) + size_of_val(&*self.high);
        (tables + size_of_val(&*self.first) + size_of_val(&*self.regions)) as u64
    }

    /// Number of moves of tiles out of all blocks: a tile and the blank are on either side of an inner side, and the
    /// others anywhere else.
    pub fn count_moves(&self) -> u64 {
        let (shape, cells) = (self.shape, self.shape.cells());
        let sides = 2 * cells - shape.rows() - shape.cols();
        2 * sides as u64 * choose(cells - 2, self.tiles - 1)
    }

    /// Number of blocks.
    pub fn count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// Returns the sets as masks, in order.
    pub fn sets(&self) -> impl Iterator<Item = u32> + use<> {
        let end = 1u64 << self.shape.cells();
        let next = |&mask: &u64| {
            let lowest = mask & mask.wrapping_neg();
            let carried = mask + lowest;
            Some(carried | ((mask ^ carried) / lowest) >> 2) // Gosper's next number with as many bits
        };
        let masks = std::iter::successors(Some((1 << self.tiles) - 1), next);
        let masks = masks.take_while(move |&mask| mask < end);
        masks.map(|mask| mask as u32)
    }

    /// Returns the regions of the cells outside a set as masks, in the order of their first cells.
    pub fn regions(&self, mask: u32) -> impl Iterator<Item = u32> + use<> {
        let (borders, mut free) = (self.borders, self.borders.all & !mask);
        std::iter::from_fn(move || {
            let region = borders.region(free, free & free.wrapping_neg());
            free &= !region;
            (region != 0).then_some(region)
        })
    }

    /// Returns the number of a set.
    #[inline]
    pub fn set(&self, mask: u32) -> usize {
        let (low, row) = self.low[mask as usize & ((1 << self.low_cells) - 1)];
        (low + self.high[row as usize + (mask as usize >> self.low_cells)]) as usize
    }

    /// Returns the block of a set, given by its mask, where the blank is in `cell`.
    #[inline]
    pub fn block(&self, mask: u32, cell: usize) -> usize {
        let set = self.set(mask);
        self.first[set] as usize + usize::from(self.regions[set * self.shape.cells() + cell])
    }

    /// Returns the moves that the pattern's tiles can make into the region of `blank`.
    pub fn moves(&self, mask: u32, blank: usize) -> impl Iterator<Item = TileMove> {
        let shape = self.shape;
        let region = (self.borders).region(self.borders.all & !mask, 1 << blank);
        bits(region).flat_map(move |from| {
            let step = move |mv| Some(TileMove::new(mv, from, shape.step(from, mv)?));
            let moves = Move::ALL.into_iter().filter_map(step);
            moves.filter(move |mv| mask >> mv.to & 1 == 1)
        })
    }
}

/// Move of the blank from a cell to the next, while a tile of the pattern goes the other way.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileMove {
    /// Direction of the blank.
    pub mv: Move,
    /// The blank's cell after the move.
    pub to: usize,
    /// The two cells.
    pub both: u32,
    /// The cells before both.
    below: u32,
    /// The cells between them: the tiles there change places with the one that moves.
    pub between: u32,
}

impl TileMove {
    /// Makes the move of the blank by `mv` from a cell `to` another.
    pub fn new(mv: Move, from: usize, to: usize) -> TileMove {
        let both = 1 << from | 1 << to;
        let below = (1 << from.min(to)) - 1;
        let between = ((1u32 << from.max(to)) - 1) & !below & !both;
        TileMove {
            mv,
            to,
            both,
            below,
            between,
        }
    }

    /// Returns the tiles of the set `mask` whose order the move rotates, in which one passes the others: the place of the
    /// first, and the number of the others.
    #[inline]
    pub fn rotated(&self, mask: u32) -> (usize, usize) {
        let count = |cells: u32| (mask & cells).count_ones() as usize;
        (count(self.below), count(self.between))
    }
}

/// Returns the cells of a mask, in order.
#[inline]
pub(super) fn bits(mask: u32) -> impl Iterator<Item = usize> {
    ones(mask.into())
}

/// Masks of a shape's cells.
#[derive(Clone, Copy, Debug)]
struct Borders {
    all: u32,
    first_column: u32,
    last_column: u32,
    cols: usize,
}

impl Borders {
    fn new(shape: Shape) -> Borders {
        let cols = shape.cols();
        let first_column = (0..shape.rows()).fold(0, |mask, row| mask | 1 << (row * cols));
        Borders {
            all: u32::MAX >> (32 - shape.cells()),
            first_column,
            last_column: first_column << (cols - 1),
            cols,
        }
    }

    /// Returns the cells of `free` that are connected with those of `seed`.
    fn region(&self, free: u32, mut seed: u32) -> u32 {
        loop {
            let sideways = (seed & !self.last_column) << 1 | (seed & !self.first_column) >> 1;
            let grown = (seed | sideways | seed << self.cols | seed >> self.cols) & free;
            if grown == seed {
                return seed;
            }
            seed = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_of_the_fifteen_puzzle_are_as_many_as_published() {
        let shape = Shape::new(4, 4).unwrap();
        let count = |tiles| Blocks::new(shape, tiles).count();
        assert_eq!([6, 7, 8].map(count), [16_412, 27_748, 35_347]);
    }

    #[test]
    fn sets_are_numbered_in_their_order_and_regions_by_their_first_cells() {
        for (rows, cols, tiles) in [(2, 2, 1), (3, 2, 5), (3, 3, 4), (5, 3, 7), (5, 5, 3)] {
            let shape = Shape::new(rows, cols).unwrap();
            let blocks = Blocks::new(shape, tiles);
            let mut block = 0;
            for (i, mask) in blocks.sets().enumerate() {
                assert_eq!((blocks.set(mask), mask.count_ones() as usize), (i, tiles));
                let mut reached = 0u32;
                for cell in (0..shape.cells()).filter(|cell| mask >> cell & 1 == 0) {
                    if reached >> cell & 1 == 0 {
                        // A plain flood of the region.
                        let mut open = vec![cell];
                        while let Some(cell) = open.pop() {
                            reached |= 1 << cell;
                            assert_eq!(blocks.block(mask, cell), block);
                            let next = Move::ALL.iter().filter_map(|&mv| shape.step(cell, mv));
                            open.extend(next.filter(|c| (mask | reached) >> c & 1 == 0));
                        }
                        block += 1;
                    }
                }
            }
            assert_eq!(block, blocks.count());
        }
    }
}
