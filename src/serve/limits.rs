//! What a request or a connection may take.

use std::time::Duration;

/// What the server gives to others at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// Requests that are being answered at a time.
    pub in_flight: usize,
    /// Questions at a time that take more than some microseconds.
    pub heavy: usize,
    /// How long such a question may wait for its turn.
    pub heavy_wait: Duration,
    /// Time for the first line and the headers of a request, which is also how long a connection may be idle.
    pub header_timeout: Duration,
    /// Bytes of the first line and the headers.
    pub header_bytes: usize,
    /// Bytes of a request's path and parameters.
    pub uri_bytes: usize,
    /// Time for the body of a request.
    pub body_timeout: Duration,
    /// Bytes of the body.
    pub body_bytes: usize,
    /// How long a client may read nothing of what is written to it.
    pub write_timeout: Duration,
    /// Boards in a request.
    pub boards: usize,
    /// Claims in a request.
    pub claims: usize,
    /// Solutions in an answer.
    pub solutions: usize,
    /// Expansions of a search.
    pub expansions: u64,
    /// Time of a search.
    pub search_time: Duration,
    /// Bytes of a search.
    pub search_memory: u64,
    /// Bytes of a pattern database for a search.
    pub pattern_memory: u64,
    /// States of a space in which a search's effort is bounded.
    pub effort_states: u64,
    /// Expansions in a trace.
    pub trace: usize,
    /// How long requests may take to end when the server is told to stop.
    pub shutdown_grace: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 512, // half of the 1,024 files that a process usually may open
            in_flight: 256,
            heavy: std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2)),
            heavy_wait: Duration::from_secs(5),
            header_timeout: Duration::from_secs(10),
            header_bytes: 16 << 10,
            uri_bytes: 4 << 10,
            body_timeout: Duration::from_secs(10),
            body_bytes: 1 << 20,
            write_timeout: Duration::from_secs(10),
            boards: 1000,
            claims: 10_000,
            solutions: 1000,
            expansions: 1_000_000,
            search_time: Duration::from_secs(2),
            search_memory: 256 << 20,
            pattern_memory: 32 << 20,
            effort_states: 1_000_000,
            trace: 10_000,
            shutdown_grace: Duration::from_secs(10),
        }
    }
}
