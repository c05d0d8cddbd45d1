//! How a large table is proved.

use std::path::PathBuf;
use std::sync::Arc;

use crate::basics::all_cores;
use crate::bfs::{Alone, Exchange};

/// How a large bit table is proved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Means {
    /// Threads, at most.
    pub threads: usize,
    /// Bytes of memory that the planes may take; by default what the machine has.
    pub memory: Option<u64>,
    /// A folder for the planes, which are in memory otherwise. A proof that is ended goes on in the same
    /// folder.
    pub scratch: Option<PathBuf>,
    /// Those who share the proof.
    pub exchange: Arc<dyn Exchange>,
}

impl Default for Means {
    /// All cores, in memory, alone.
    fn default() -> Means {
        Means {
            threads: all_cores(),
            memory: None,
            scratch: None,
            exchange: Arc::new(Alone),
        }
    }
}
