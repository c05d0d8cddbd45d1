//! Folder, limits and ranks of a search.

use std::path::PathBuf;
use std::sync::Arc;

use crate::basics::all_cores;

use super::ranks::exchange::{Alone, Exchange};

/// Folder, limits and ranks of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchOptions {
    /// The folder of a search in files. Of several ranks it may be a shared one, or one of each machine; a shared one
    /// accepts another number of ranks on resume. Without one a search keeps its planes, or its coded slabs, in memory.
    pub scratch: Option<PathBuf>,
    /// Threads, at most.
    pub threads: usize,
    /// Bytes of memory that each rank takes, at most; by default three quarters of the machine's for slabs, and all for
    /// planes.
    pub memory: Option<u64>,
    /// The checksum of the table that a search in files verifies.
    pub proof_of: Option<u32>,
    /// Ranks that share the search.
    pub exchange: Arc<dyn Exchange>,
}

impl Default for SearchOptions {
    /// All cores, in memory, alone.
    fn default() -> SearchOptions {
        SearchOptions {
            scratch: None,
            threads: all_cores(),
            memory: None,
            proof_of: None,
            exchange: Arc::new(Alone),
        }
    }
}

impl SearchOptions {
    /// So many threads, in memory, alone.
    pub fn threads(threads: usize) -> SearchOptions {
        SearchOptions {
            threads,
            ..SearchOptions::default()
        }
    }
}
