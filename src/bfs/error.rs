//! Errors of a search.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::basics::size_text;
use crate::puzzle::Shape;

/// Reason why a search was not begun, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The search needs more memory than it may take, or than this machine has to spare.
    #[error(
        "a {shape} board has {} states, whose search needs {} of memory, and {given}",
        class_states(*shape), size_text(*needed)
    )]
    TooLittleMemory {
        /// The shape that was asked for.
        shape: Shape,
        /// Bytes that its search needs.
        needed: u64,
        /// Memory that there is.
        given: Given,
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
    /// The memory that it may take is not enough even for the smallest slabs.
    #[error("a search of {shape} boards in slabs needs {} of memory, and may take {}",
        size_text(*needed), size_text(*given))]
    LittleMemory {
        /// The shape that was asked for.
        shape: Shape,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that it may take.
        given: u64,
    },
    /// The folder's disk is too small.
    #[error("a search of {shape} boards needs about {} in {}, where {} are free",
        size_text(*needed), folder.display(), size_text(*free))]
    LittleDisk {
        /// The shape that was asked for.
        shape: Shape,
        /// The folder.
        folder: PathBuf,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// There are files in the folder that no search has left.
    #[error("{} is not empty, and no scratch folder of a search; it is left as it is", .0.display())]
    NotOurs(PathBuf),
    /// The folder holds another search.
    #[error("{} holds another search ({found}); it is left as it is", folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// The search that its manifest names.
        found: String,
    },
    /// The folder holds a part of the search of another number of ranks.
    #[error("{} holds a part of a search that was begun with {begun_with} {}; it goes on with as many, \
        or with any number in a folder that holds the files of all",
        folder.display(), if *begun_with == 1 { "process" } else { "ranks" })]
    OtherRanks {
        /// The folder.
        folder: PathBuf,
        /// Number of ranks that it was begun with.
        begun_with: usize,
    },
    /// The folders of the ranks do not hold the same search.
    #[error("the ranks' folders in {} are not those of one search: each rank goes on only where its own is", .0.display())]
    Apart(PathBuf),
    /// Another process uses the folder.
    #[error("another search is at work in {}", .0.display())]
    Busy(PathBuf),
    /// A file of the folder is not as it was written.
    #[error("{} is damaged: remove the folder and begin anew", .0.display())]
    Damaged(PathBuf),
    /// The system could not read or write a file. The last finished slabs are still there.
    #[error("{}: {cause}; the search can go on from its last finished slabs", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// The observer ended the search, which can resume from its last finished slabs.
    #[error("interrupted; the search can go on from its last finished slabs")]
    Interrupted,
}

/// Bytes of memory that a search gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Given {
    /// The limit that was set.
    Limit(u64),
    /// What the machine can give.
    Spare(u64),
}

impl Given {
    /// The memory that is too little, if there is less than `needed` bytes of a limit, or of what the machine has.
    pub(crate) fn below(needed: u64, limit: Option<u64>, spare: Option<u64>) -> Option<Given> {
        let limit = limit.filter(|limit| *limit < needed).map(Given::Limit);
        limit.or_else(|| spare.filter(|spare| *spare < needed).map(Given::Spare))
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Limit(bytes) => write!(f, "it may take {}", size_text(*bytes)),
            Given::Spare(bytes) => write!(f, "this machine has {} to spare", size_text(*bytes)),
        }
    }
}

/// States of a class of the shape: n!/2.
fn class_states(shape: Shape) -> u64 {
    (3..=shape.cells() as u64).product()
}

/// The error of a file.
pub fn at(path: &Path) -> impl Fn(io::Error) -> SearchError + '_ {
    move |cause| match cause.kind() {
        io::ErrorKind::InvalidData => SearchError::Damaged(path.to_owned()),
        _ => SearchError::Io {
            path: path.to_owned(),
            cause,
        },
    }
}
