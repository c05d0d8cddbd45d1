//! Settings and limits of a server.

use std::net::SocketAddr;
use std::time::Duration;

use puzzledb::Cancel;
use puzzledb::ask::Run;
use puzzledb::internals::basics::all_cores;

/// Settings of a server: made by [`Config::new`], and then changed field by field.
///
/// ```
/// use puzzledb_cli::serve::Config;
///
/// let mut config = Config::new("127.0.0.1:8080".parse()?);
/// config.cors = true;
/// config.limits.connections = 64;
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The address to listen on; port 0 takes any free port.
    pub listen: SocketAddr,
    /// Whether a line of JSON for each request is written to standard error. Off by default.
    pub log: bool,
    /// Whether pages of other origins may use the API (CORS). Off by default.
    pub cors: bool,
    /// Names of this server, without a port. A request whose `Host` is another name than these and `localhost` is
    /// refused, since a page on the web could let its own name resolve to this server (DNS rebinding). Addresses are
    /// not names; only those of loopback are taken where the server listens on one.
    pub hosts: Vec<String>,
    /// Limits of requests and connections.
    pub limits: Limits,
}

impl Config {
    /// The default settings for an address.
    pub fn new(listen: SocketAddr) -> Config {
        Config {
            listen,
            log: false,
            cors: false,
            hosts: Vec::new(),
            limits: Limits::default(),
        }
    }
}

/// Limits of requests and connections. Fairness between clients is the work of a reverse proxy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Open connections; further ones wait until one is closed.
    pub connections: usize,
    /// Requests that are being answered at the same time; further ones are refused for the moment.
    pub in_flight: usize,
    /// Heavy questions (searches, opening and building databases) that are being answered at the same time.
    pub heavy: usize,
    /// Time that a heavy question may wait until another one is done.
    pub heavy_wait: Duration,
    /// Time for the request line and the headers; an idle connection is closed after it.
    pub header_timeout: Duration,
    /// Bytes of the request line and the headers together.
    pub header_bytes: usize,
    /// Time for the body of a request.
    pub body_timeout: Duration,
    /// Bytes of the body of a request.
    pub body_bytes: usize,
    /// Bodies of more than 64 KiB that are in memory at the same time; further ones wait to be read.
    pub large_bodies: usize,
    /// Time that a write may wait for a client that reads nothing; its connection is closed then.
    pub write_timeout: Duration,
    /// Time for the work of a request: all that is done once its body has come, reading it included.
    pub work_time: Duration,
    /// Boards that each search visits for the answer about one without a database.
    pub visited: u64,
    /// What the work for an answer may use.
    pub run: Run,
    /// Time that requests in flight may take after the signal to stop.
    pub shutdown_grace: Duration,
}

impl Limits {
    /// Time of a request from its headers to the beginning of its answer, whatever it waits for.
    pub(super) fn request_time(&self) -> Duration {
        let waits = self.heavy_wait.saturating_mul(2);
        let waits = waits.saturating_add(self.body_timeout);
        waits.saturating_add(self.work_time)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 512, // half of the 1,024 files that a process usually may open
            in_flight: 256,
            heavy: all_cores() + 1,
            heavy_wait: Duration::from_secs(5),
            header_timeout: Duration::from_secs(10),
            header_bytes: 16 << 10,
            body_timeout: Duration::from_secs(10),
            body_bytes: 1 << 20,
            large_bodies: 3, // 30 MB each, with its answer
            write_timeout: Duration::from_secs(10),
            work_time: Duration::from_secs(10),
            visited: 20_000_000, // two to four seconds
            run: Run {
                cancel: Cancel::new(),
                expansions: Some(1_000_000),
                time: Some(Duration::from_secs(2)),
                memory: Some(256 << 20),
                pattern_memory: Some(32 << 20),
                trace: Some(10_000),
                solutions: Some(1000),
                reading_time: Some(Duration::from_secs(2)),
                states: Some(1_000_000),
                searched_states: Some(239_500_800), // 3x4: some 0.3 CPU seconds and 64 MB
            },
            shutdown_grace: Duration::from_secs(10),
        }
    }
}
