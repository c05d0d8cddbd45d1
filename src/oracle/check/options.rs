//! Options of the proof of a large table.

use std::path::PathBuf;
use std::sync::Arc;

use crate::basics::all_cores;
use crate::bfs::{Alone, Exchange};

/// Options of the proof of a large bit table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Threads, at most.
    pub threads: usize,
    /// Bytes of memory that the planes may take; by default all that the machine has.
    pub memory: Option<u64>,
    /// Folder for the planes, which are in memory otherwise. A proof that was ended resumes in the same folder.
    pub scratch: Option<PathBuf>,
    /// Ranks that share the proof.
    pub exchange: Arc<dyn Exchange>,
}

impl Default for CheckOptions {
    /// All cores, in memory, alone.
    fn default() -> CheckOptions {
        CheckOptions {
            threads: all_cores(),
            memory: None,
            scratch: None,
            exchange: Arc::new(Alone),
        }
    }
}
