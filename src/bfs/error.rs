//! Errors at the start of a search.

use std::io;

use crate::basics::size_text;
use crate::puzzle::Shape;

/// Reason why a search was not begun.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The search needs more memory than this machine has to spare.
    #[error(
        "a {shape} board has {} states, whose search needs {} of memory, and this machine has {} \
         to spare",
        class_states(*shape), size_text(*needed), size_text(*available)
    )]
    TooLittleMemory {
        /// The shape that was asked for.
        shape: Shape,
        /// Bytes that its search needs.
        needed: u64,
        /// Bytes that the machine can give.
        available: u64,
    },
    /// The search needs more memory than it may take.
    #[error(
        "a {shape} board has {} states, whose search needs {} of memory, and it may take {}",
        class_states(*shape), size_text(*needed), size_text(*limit)
    )]
    OverLimit {
        /// The shape that was asked for.
        shape: Shape,
        /// Bytes that its search needs.
        needed: u64,
        /// Bytes that it may take.
        limit: u64,
    },
    /// The system did not give the memory.
    #[error("there is not enough memory to search {shape} boards: {cause}")]
    Memory {
        /// The shape that was asked for.
        shape: Shape,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// Another rank could not begin its share of the search.
    #[error("another rank cannot begin the search")]
    OtherRank,
    /// The system did not start the threads.
    #[error("cannot start {threads} threads: {cause}")]
    Threads {
        /// Number of threads that was requested.
        threads: usize,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
}

/// States of a class of the shape: n!/2.
fn class_states(shape: Shape) -> u64 {
    (3..=shape.cells() as u64).product()
}
