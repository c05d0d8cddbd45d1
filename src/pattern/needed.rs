//! States and memory of a search of patterns, computed from the numbering of the states before the search.

use std::sync::Arc;

use super::database::States;
use super::partition::Partition;
use super::search::Search;

impl Partition {
    /// Number of states of all patterns, which is that of the bits in their databases: for each placement
    /// of a pattern's tiles one for each region of the blank among the other cells.
    pub fn states(&self) -> u64 {
        count(&self.all_states())
    }

    /// Returns the bytes of memory that building the databases takes.
    pub fn memory(&self) -> u64 {
        memory(&self.all_states())
    }
}

/// Number of states of all these patterns.
pub(super) fn count(all: &[States]) -> u64 {
    all.iter().map(States::count).sum()
}

/// Returns the bytes of memory that building databases takes: two bits for each state, in words of 60 states, the tables
/// of the search, and the databases that are finished.
pub(super) fn memory(all: &[States]) -> u64 {
    let (mut most, mut finished, mut numberings) = (0, 0, 0);
    for (i, states) in all.iter().enumerate() {
        most = most.max(finished + Search::memory(&states.blocks));
        finished += states.count().div_ceil(8);
        if !(all[..i].iter()).any(|before| Arc::ptr_eq(&before.blocks, &states.blocks)) {
            numberings += states.blocks.memory() + states.orders.memory();
        }
    }
    most + numberings
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Blocks;
    use super::super::database::State;
    use super::*;
    use crate::pattern::{PatternNames, Patterns};
    use crate::puzzle::{Shape, UsualGoal};

    fn partition(rows: usize, cols: usize, names: &str) -> Partition {
        let goal = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
        Partition::new(&goal, &names.parse::<PatternNames>().unwrap()).unwrap()
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
    }

    #[test]
    fn the_memory_of_a_search_is_that_of_its_parts() {
        for (rows, cols, tiles) in [(3, 3, 4), (4, 4, 5), (4, 4, 6), (5, 3, 7)] {
            let shape = Shape::new(rows, cols).unwrap();
            let blocks = Blocks::new(shape, tiles).into();
            let goal = State {
                mask: (1 << tiles) - 1,
                blank: shape.cells() - 1,
                order: 0,
            };
            let search = Search::new(&blocks, &goal).unwrap();
            assert_eq!(Search::memory(&blocks), search.bytes(), "{shape}");
        }
    }
}
