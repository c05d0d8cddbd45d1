//! What a program may take.

use std::time::Duration;

/// What a program may take for one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time on the clock, from its start to its end.
    pub timeout: Duration,
    /// Bytes of memory in use by it and by all processes that it started, together.
    pub memory: u64,
    /// Bytes that it may print.
    pub output: usize,
    /// Processes at a time, the program's own included.
    pub processes: usize,
}

impl Default for Limits {
    /// 10 s, 1 GiB, 16 MiB and 256 processes.
    fn default() -> Limits {
        Limits {
            timeout: Duration::from_secs(10),
            memory: 1 << 30,
            output: 16 << 20,
            processes: 256,
        }
    }
}
