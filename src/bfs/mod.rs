//! The search: breadth-first from the goal over bit planes, for any shape.
//!
//! `Layout` gives the place of a state's bit, `Planes` hold the bits, `Pulls` move the bits
//! of one plane to another by a move of the blank, and [`Search`] runs the levels. Whole words are
//! moved at once: no board is unpacked, ranked or hashed. The search stops after each finished
//! level and does not depend on encodings. It can be saved ([`Search::save`]) and resumed, and
//! the same loop verifies a table ([`Search::verify`]). A space whose planes do not fit the memory
//! is cut into slabs. These are kept coded, in files or in memory ([`Search::in_slabs`]), or shared among the ranks of an
//! [`Exchange`] ([`Search::shared`]), or both.
//!
//! # From a level to its bits
//!
//! 1. [`Search::advance`] (`engine/levels.rs`) returns a level that `next_level` has found.
//! 2. `Search::next_level` goes through the steps of the level: `Files` (`scratch/files.rs`), if there are any, load the
//!    planes of a step and save them; all ranks add up what they have found.
//! 3. `Step::expand` (`engine/step.rs`) hands the chunks of the planes to the threads, and the crossing words to other
//!    ranks.
//! 4. `Task::expand` (`engine/colour.rs`), or `Slab::expand` (`scratch/slab.rs`) with codes in place of planes,
//!    goes through the blocks of a chunk: new are the states that are pulled and not two levels back (`Task::update`).
//! 5. `pull` gathers a block's states by each move of the blank.
//! 6. `Pulls::pull_block` (`engine/pulls.rs`) copies the words that a move carries whole,
//! 7. and `Exchanges::apply` (`engine/swaps.rs`) exchanges tiles in the others, group by group:
//! 8. `exchange_in_group`, masked shifts of words.

mod error;
pub(crate) mod options;

pub(crate) mod engine {
    pub mod colour;
    pub mod layout;
    pub mod levels;
    pub mod planes;
    pub mod pulls;
    pub mod search;
    pub mod step;
    pub mod swaps;
}

pub(crate) mod ranks {
    pub mod crossing;
    pub mod exchange;
    #[cfg(feature = "mpi")]
    pub mod mpi;
    pub mod shares;
    #[cfg(test)]
    #[path = "tests/threads.rs"]
    pub mod threads;
}

pub(crate) mod checkpoint {
    pub mod blocks;
    pub mod coding;
    pub mod file;
    #[cfg(target_arch = "x86_64")]
    pub mod wide;
}

pub(crate) mod scratch {
    pub mod files;
    pub mod folder;
    pub mod manifest;
    pub mod search;
    pub mod slab;
    pub mod storage;
}

pub use engine::search::count_levels;
pub use error::{Given, SearchError};

pub(crate) use self::{
    checkpoint::{blocks, coding::Coder},
    engine::colour::{ClaimedBits, Task},
    engine::layout::{Block, Layout},
    engine::levels::{Observe, go_on},
    engine::planes::{Planes, Words, ones, or_into},
    engine::pulls::Source,
    engine::search::Search,
    engine::step::Kept,
    engine::swaps::{Exchanges, GROUP, Room},
    options::SearchOptions,
    ranks::exchange::{Alone, Exchange},
};
