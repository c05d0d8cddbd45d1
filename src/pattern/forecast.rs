//! Forecast of a build of patterns on this machine: its states and memory, computed from the numbering of the states, and
//! its time, measured.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use crate::puzzle::{Shape, UsualGoal};
use crate::table::{Checkpoints, Needs};

use super::database::States;
use super::partition::{Partition, PatternNames};
use super::patterns::Patterns;
use super::search::Search;

impl Partition {
    /// Number of states of all patterns, which is that of the bits in their databases: for each placement
    /// of a pattern's tiles one for each region of the blank among the other cells.
    pub fn states(&self) -> u64 {
        self.needs().0
    }

    /// Returns the bytes of memory that building the databases takes.
    pub fn memory(&self) -> u64 {
        self.needs().1
    }

    /// Number of states of all patterns, and bytes of memory that building the databases takes.
    pub(super) fn needs(&self) -> (u64, u64) {
        let all = self.all_states();
        (all.iter().map(States::count).sum(), memory(&all))
    }
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

/// Returns the memory, disk and time that a build of patterns takes. The time is that of as many states of a pattern of
/// seven tiles of the 15-puzzle, which is searched here in less than a second, on the threads of rayon.
///
/// # Errors
/// If the system does not give the memory for that.
pub fn measure(partition: &Partition, checkpoints: Checkpoints) -> io::Result<Needs> {
    let fifteen = Shape::new(4, 4).expect("4x4 is a shape");
    let goal = UsualGoal::Last.board(fifteen);
    let sample = Partition::new(&goal, &PatternNames::Sizes(vec![7])).expect("7 is a size");
    let start = Instant::now();
    let searched = Patterns::build(&sample)?;
    let seconds = start.elapsed().as_secs_f64() / searched.states() as f64;
    let (states, memory) = partition.needs();
    let pages = 2 + partition.sizes().len() as u64; // each section begins on one
    let file = states.div_ceil(8) + 4096 * pages;
    Ok(Needs {
        memory,
        disk: checkpoints.disk(states, file),
        read: 0,
        written: file,
        seconds: states as f64 * seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Blocks;
    use super::super::database::State;
    use super::*;

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
