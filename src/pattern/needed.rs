//! States and memory of a search of patterns, computed before the search.

use std::collections::BTreeMap;

use crate::space::factorial;

use super::blocks::{Blocks, Counts};
use super::orders::Orders;
use super::partition::Partition;
use super::search::Search;

/// States and memory of the search of a partition's patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needed {
    /// States of all patterns.
    pub states: u64,
    /// Bytes of memory.
    pub memory: u64,
}

/// Most tiles of patterns that are searched side by side. Larger patterns are searched one after the other: each has
/// work for all threads, and two at once would need the memory of two.
pub(super) const MOST_TILES_SIDE_BY_SIDE: usize = 6;

/// Returns whether the patterns are searched side by side.
pub(super) fn are_side_by_side(sizes: &[usize]) -> bool {
    sizes.iter().all(|&tiles| tiles <= MOST_TILES_SIDE_BY_SIDE)
}

impl Needed {
    pub fn new(partition: &Partition) -> Needed {
        let (shape, sizes) = (partition.shape, partition.sizes());
        let counts: BTreeMap<usize, Counts> = sizes
            .iter()
            .map(|&tiles| (tiles, Counts::new(shape, tiles)))
            .collect();
        let states = |tiles: &usize| counts[tiles].blocks * factorial(*tiles);
        let search = |tiles: &usize| Search::memory(*tiles, counts[tiles]);
        let numberings = counts
            .iter()
            .map(|(&tiles, &counts)| Blocks::memory(shape, counts) + Orders::memory(tiles));
        let searches = if are_side_by_side(&sizes) {
            sizes.iter().map(search).sum()
        } else {
            let mut finished = 0;
            let with_finished = sizes.iter().map(|tiles| {
                let most = finished + search(tiles);
                finished += states(tiles).div_ceil(8);
                most
            });
            with_finished.max().unwrap_or(0)
        };
        Needed {
            states: sizes.iter().map(states).sum(),
            memory: numberings.sum::<u64>() + searches,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{PatternNames, Patterns};
    use crate::puzzle::{Shape, UsualGoal};

    fn partition(rows: usize, cols: usize, names: &str) -> Partition {
        let goal = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
        Partition::new(&goal, &names.parse::<PatternNames>().unwrap()).unwrap()
    }

    #[test]
    fn sets_and_blocks_are_counted_as_they_are() {
        for (rows, cols, most) in [(2, 2, 3), (3, 2, 5), (3, 3, 8), (4, 4, 8), (8, 2, 4)] {
            let shape = Shape::new(rows, cols).unwrap();
            for tiles in 1..=most {
                let (counts, blocks) = (Counts::new(shape, tiles), Blocks::new(shape, tiles));
                assert_eq!(counts.sets, blocks.sets().count() as u64);
                assert_eq!(counts.blocks, blocks.count() as u64, "{shape} {tiles}");
            }
        }
    }

    #[test]
    fn the_states_are_those_of_the_databases() {
        for names in ["4-4-4-3", "5-5-5", "6-3", "7"] {
            let partition = partition(4, 4, names);
            let patterns = Patterns::build(&partition).unwrap();
            assert_eq!(partition.states(), patterns.states(), "{names}");
        }
    }

    /// 22 GiB, which are too much where 20 are free.
    #[test]
    fn eight_tiles_of_the_24_puzzle_need_what_their_search_takes() {
        let eight = partition(5, 5, "8");
        assert_eq!(eight.states(), 87_358_400_640);
        let gib = eight.memory() as f64 / f64::from(1 << 30);
        assert!((21.7..22.5).contains(&gib), "{gib}");
        assert_eq!(partition(4, 4, "7-8").states(), 1_565_040_960);
        // The second of two is searched beside the first database.
        let (two, one) = (partition(5, 5, "8-8"), eight.memory());
        assert_eq!(two.memory(), one + eight.states().div_ceil(8));
        // Patterns of six tiles are searched side by side.
        let [one, four] = ["6", "6-6-6-6"].map(|names| partition(5, 5, names).memory());
        assert!(four > 3 * one && four < 4 * one, "{one} {four}");
    }

    #[test]
    fn the_memory_of_a_search_is_that_of_its_parts() {
        for (rows, cols, tiles) in [(3, 3, 4), (4, 4, 5), (4, 4, 6), (5, 3, 7)] {
            let shape = Shape::new(rows, cols).unwrap();
            let counts = Counts::new(shape, tiles);
            let blocks = Blocks::new(shape, tiles).into();
            let search = Search::new(&blocks, (1 << tiles) - 1, shape.cells() - 1).unwrap();
            assert_eq!(Search::memory(tiles, counts), search.bytes(), "{shape}");
            assert!(Blocks::memory(shape, counts) >= blocks.bytes(), "{shape}");
            assert!(Orders::memory(tiles) >= Orders::new(tiles).bytes());
        }
    }
}
