//! Errors of a search.

use std::io;
use std::path::{Path, PathBuf};

use crate::basics::size_text;
use crate::puzzle::Shape;
use crate::space::{GoalClass, factorial};

/// Reason why a search was not begun, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The search needs more memory than it may take, or than this machine has to spare.
    #[error(
        "a {shape} board has {} states, whose search{} needs {} of memory, and {given}",
        factorial(shape.cells()) / 2, if *in_slabs { " in slabs" } else { "" }, size_text(*needed)
    )]
    TooLittleMemory {
        /// The shape that was asked for.
        shape: Shape,
        /// Whether it is a search in the smallest slabs.
        in_slabs: bool,
        /// Bytes that its search needs.
        needed: u64,
        /// Memory that there is.
        given: Given,
    },
    /// The system did not give the memory, or did not start the threads.
    #[error("{what}: {cause}")]
    System {
        /// What there is too little of.
        what: String,
        /// The system's error.
        #[source]
        cause: io::Error,
    },
    /// Another rank could not begin its share of the search.
    #[error("another rank cannot begin the search")]
    OtherRank,
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
    /// The folder does not serve this search.
    #[error("{} {why}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Reason, as the rest of a sentence that begins with the folder.
        why: String,
    },
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Given {
    /// The limit that was set.
    #[error("it may take {}", size_text(*.0))]
    Limit(u64),
    /// What the machine can give.
    #[error("this machine has {} to spare", size_text(*.0))]
    Spare(u64),
}

impl Given {
    /// The memory that is too little, if there is less than `needed` bytes of a limit, or of what the machine has.
    pub(crate) fn below(needed: u64, limit: Option<u64>, spare: Option<u64>) -> Option<Given> {
        let limit = limit.filter(|limit| *limit < needed).map(Given::Limit);
        limit.or_else(|| spare.filter(|spare| *spare < needed).map(Given::Spare))
    }
}

impl SearchError {
    /// Checks the memory that a search of a class needs against a limit, and what the machine has to spare.
    pub(super) fn check_memory(
        class: GoalClass,
        in_slabs: bool,
        needed: u64,
        (limit, spare): (Option<u64>, Option<u64>),
    ) -> Result<(), SearchError> {
        match Given::below(needed, limit, spare) {
            None => Ok(()),
            Some(given) => Err(SearchError::TooLittleMemory {
                shape: class.shape().transposed(), // as people write it, the shorter side first
                in_slabs,
                needed,
                given,
            }),
        }
    }

    pub(super) fn folder(folder: &Path, why: impl Into<String>) -> SearchError {
        let (folder, why) = (folder.to_owned(), why.into());
        SearchError::Folder { folder, why }
    }

    /// The error of a folder that has files of others.
    pub(super) fn not_ours(folder: &Path) -> SearchError {
        let why = "is not empty, and no scratch folder of a search; it is left as it is";
        SearchError::folder(folder, why)
    }
}

impl From<SearchError> for io::Error {
    fn from(error: SearchError) -> io::Error {
        io::Error::other(error)
    }
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
