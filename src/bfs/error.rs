//! Why a search is not begun.

use std::io;

use crate::basics::size_text;
use crate::puzzle::Shape;

/// The most cells a shape may have to be searched.
pub(super) const MOST_CELLS: usize = 14;

/// Why a search was not begun.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The shape has more cells than the search allows.
    #[error(
        "a {shape} board has {} states, whose search needs {} of memory: shapes of up to \
         {MOST_CELLS} cells can be searched",
        class_states(*shape), size_text(*needed)
    )]
    TooLarge {
        /// The shape that was asked for.
        shape: Shape,
        /// Bytes that a search of it would need.
        needed: u64,
    },
    /// The search needs more memory than this machine has to spare.
    #[error(
        "a search of {shape} boards needs {} of memory, and this machine has {} to spare",
        size_text(*needed), size_text(*available)
    )]
    TooLittleMemory {
        /// The shape that was asked for.
        shape: Shape,
        /// Bytes that its search needs.
        needed: u64,
        /// Bytes that the machine can give.
        available: u64,
    },
    /// The system did not give the memory.
    #[error("there is not enough memory to search {shape} boards: {cause}")]
    Memory {
        /// The shape that was asked for.
        shape: Shape,
        /// What the system said.
        cause: io::Error,
    },
    /// The system did not start the threads.
    #[error("cannot start {threads} threads: {cause}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        cause: io::Error,
    },
}

/// States of a class of the shape: n!/2.
fn class_states(shape: Shape) -> u64 {
    (3..=shape.cells() as u64).product()
}
