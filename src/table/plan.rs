//! Plan of a build, and the events that it reports.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;

use crate::basics::all_cores;
use crate::space::GoalClass;

use super::encoding::Encoding;

/// Plan of a build.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The shape and the goal's blank.
    pub class: GoalClass,
    /// Encoding of the table. `None` accepts an existing file in any encoding, and builds the default one of
    /// the class.
    pub encoding: Option<Encoding>,
    /// Builds even if a good file is there, and replaces even a file that is not a database.
    pub force: bool,
    /// Threads to search with, at most.
    pub threads: usize,
    /// Times of checkpoints.
    pub checkpoints: Checkpoints,
    /// Bytes of memory that the search may take; by default the memory of the machine.
    pub memory: Option<u64>,
    /// Folder for the search's planes, which are in memory otherwise. An interrupted search resumes in the same
    /// folder.
    pub scratch: Option<PathBuf>,
    /// True for ranks that see no common folder. Each writes its *shard* of a bit table to a file of its own,
    /// beside the path of the table, and there are no checkpoints. [`join`](super::shards::join()) puts the shards
    /// together.
    pub shards: bool,
}

impl Plan {
    /// Creates a plan for a class: any encoding, no force, all cores, the default checkpoints, in memory.
    pub fn new(class: GoalClass) -> Plan {
        Plan {
            class,
            encoding: None,
            force: false,
            threads: all_cores(),
            checkpoints: Checkpoints::default(),
            memory: None,
            scratch: None,
            shards: false,
        }
    }

    /// Encoding of a table that is built.
    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
            .unwrap_or_else(|| Encoding::default_for(self.class))
    }
}

/// Event that a build reports, with its message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Notice {
    /// Another process is building the same file; repeated ten times a second.
    #[error("another puzzledb is building this database: waiting for it")]
    Waiting,
    /// A build begins, in this encoding.
    #[error("the build begins, in the encoding {0}")]
    Begins(Encoding),
    /// The search resumes from a checkpoint, or in a scratch folder.
    #[error("going on from the checkpoint at distance {distance}")]
    Resumed {
        /// The last finished distance.
        distance: u8,
    },
    /// A checkpoint was found that cannot be used; the search begins from the goal.
    #[error("the checkpoint is no good ({}): beginning anew", why(.0))]
    BadCheckpoint(io::Error),
    /// A checkpoint was written.
    #[error("checkpoint at distance {distance}, written in {:.1} s", took.as_secs_f64())]
    Saved {
        /// The last finished distance.
        distance: u8,
        /// Duration of writing it.
        took: Duration,
    },
    /// A checkpoint could not be written; the one before, if any, is still there.
    #[error("no checkpoint could be written: {0}")]
    NotSaved(io::Error),
}

/// Returns why a checkpoint cannot be used.
fn why(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
            "it is damaged, or of another build".to_owned()
        }
        _ => error.to_string(),
    }
}

/// Times at which a build writes checkpoints. The next build resumes from them if this one is killed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Checkpoints {
    /// Number of states above which a bit table gets checkpoints. Other tables have none.
    pub above: u64,
    /// The least time before the first checkpoint and between two of them. Between two it is also at
    /// least ten times the time that the last one took, so that they take about a tenth of the build.
    /// With zero there is a checkpoint after every level.
    pub every: Duration,
}

impl Checkpoints {
    /// Checkpoints of bit tables of more than `above` states, at least `every` apart.
    pub fn new(above: u64, every: Duration) -> Checkpoints {
        Checkpoints { above, every }
    }

    /// The least time from a checkpoint that took so long to the next.
    pub(super) fn pause(&self, took: Duration) -> Duration {
        match self.every {
            Duration::ZERO => Duration::ZERO,
            every => every.max(10 * took),
        }
    }

    /// Bytes of disk that a build in memory of so many states takes at most, beside a file that it replaces: the next
    /// checkpoint or the file is written while the last checkpoint is there, which is the planes as they are in memory.
    pub fn disk(&self, states: u64, file: u64) -> u64 {
        let is_written = states > self.above;
        let checkpoint = u64::from(is_written) * (states.div_ceil(60) * 16 + (1 << 20));
        checkpoint + checkpoint.max(file)
    }
}

impl Default for Checkpoints {
    /// Every minute, above 10^9 states.
    fn default() -> Checkpoints {
        Checkpoints::new(1_000_000_000, Duration::from_secs(60))
    }
}
