//! What to build, and what a build says on its way.

use std::io;
use std::time::Duration;

use crate::basics::all_cores;
use crate::space::GoalClass;

use super::encoding::Encoding;

/// What to build.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The shape and the goal's blank.
    pub class: GoalClass,
    /// What to keep for a state; any encoding that is there will do if none is named.
    pub encoding: Option<Encoding>,
    /// Build even if a good file is there, or a file that is no database.
    pub force: bool,
    /// Threads to search with, at most.
    pub threads: usize,
    /// When to write checkpoints.
    pub checkpoints: Checkpoints,
}

impl Plan {
    /// Any encoding, on all cores, without force.
    pub fn new(class: GoalClass) -> Plan {
        Plan {
            class,
            encoding: None,
            force: false,
            threads: all_cores(),
            checkpoints: Checkpoints::default(),
        }
    }
}

/// What a build says on its way.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice {
    /// Another process is building the same file. Said again and again.
    Waiting,
    /// There is no good file: one is made, in this encoding.
    Begins(Encoding),
    /// A checkpoint was found, and the search goes on after this distance.
    Resumed {
        /// The last distance that it knows.
        distance: u8,
    },
    /// A checkpoint was found that is no good; the search begins anew.
    BadCheckpoint(io::Error),
    /// A checkpoint was written.
    Saved {
        /// The last distance that it knows.
        distance: u8,
        /// How long that took.
        took: Duration,
    },
    /// A checkpoint could not be written; the one before, if any, still serves.
    NotSaved(io::Error),
}

/// When a build writes checkpoints, from which the next one goes on if it is killed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Checkpoints {
    /// Only for bit tables of more states than this.
    pub above: u64,
    /// This long after the last one at the earliest, and no sooner than ten times the time that
    /// it took to write: so they take a tenth of the time at the most. Zero is after every level.
    pub every: Duration,
}

impl Default for Checkpoints {
    /// Every minute, above 10^9 states.
    fn default() -> Checkpoints {
        Checkpoints {
            above: 1_000_000_000,
            every: Duration::from_secs(60),
        }
    }
}
