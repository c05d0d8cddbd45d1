//! Settings and limits of a server, its address and its names.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use puzzledb::Cancel;
use puzzledb::ask::Run;
use puzzledb::internals::all_cores;

/// Settings of a server: made by [`Config::new`], and then changed field by field.
///
/// ```
/// use puzzledb_cli::serve::Config;
///
/// let mut config = Config::new("127.0.0.1:8080".parse()?);
/// config.cors = true;
/// config.limits.in_flight = 64;
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
    /// Limits of requests.
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

    /// Returns whether only programs on this machine can reach it.
    pub(super) fn is_local(&self) -> bool {
        self.listen.ip().to_canonical().is_loopback()
    }

    /// An address that works for every client that can reach the server. If it listens on all addresses, that is the
    /// one by which this machine reaches others, or a name that was given to it.
    pub(super) fn url(&self) -> String {
        let port = self.listen.port();
        if !self.listen.ip().is_unspecified() {
            return format!("http://{}", self.listen);
        }
        let both = [self.listen.ip(), IpAddr::V4(Ipv4Addr::UNSPECIFIED)]; // a socket for IPv6 takes IPv4 too
        match (both.into_iter().find_map(own_address), self.hosts.first()) {
            (Some(address), _) => format!("http://{}", SocketAddr::new(address, port)),
            (None, Some(host)) => format!("http://{host}:{port}"),
            (None, None) => format!("http://localhost:{port}"),
        }
    }

    /// Returns whether a `Host` such as `localhost`, `127.0.0.1:8080` or `[::1]:8080` is one of this server.
    pub(super) fn is_host(&self, host: &str) -> bool {
        let with_port = format!("{host}:80");
        let address = host.parse().or_else(|_| with_port.parse::<SocketAddr>());
        if let Ok(address) = address {
            return !self.is_local() || address.ip().is_loopback();
        }
        let name = host.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let name = name.strip_suffix(':').unwrap_or(host);
        let name = name.strip_suffix('.').unwrap_or(name);
        let mut names = self.hosts.iter().map(String::as_str).chain(["localhost"]);
        names.any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Limits of requests. Fairness between clients is the work of a reverse proxy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Requests that are being answered at the same time; further ones are refused for the moment.
    pub in_flight: usize,
    /// Heavy questions (searches, opening and building databases) that are being answered at the same time.
    pub heavy: usize,
    /// Time that a heavy question may wait until another one is done.
    pub heavy_wait: Duration,
    /// Time that a client has to send the request line and the headers, to send the body, and to read each piece of a list.
    /// An idle connection is closed after it.
    pub client_time: Duration,
    /// Bytes of the request line and the headers together.
    pub header_bytes: usize,
    /// Bytes of the body of a request.
    pub body_bytes: usize,
    /// Bodies of more than 64 KiB that are in memory at the same time; further ones wait to be read.
    pub large_bodies: usize,
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
        let waits = waits.saturating_add(self.client_time);
        waits.saturating_add(self.work_time)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            in_flight: 256,
            heavy: all_cores() + 1,
            heavy_wait: Duration::from_secs(5),
            client_time: Duration::from_secs(10),
            header_bytes: 16 << 10,
            body_bytes: 1 << 20,
            large_bodies: 3, // 30 MB each, with its answer
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
            },
            shutdown_grace: Duration::from_secs(10),
        }
    }
}

/// The address by which this machine reaches others: the source of packets to an address that no machine has
/// (RFC 5737, RFC 3849). Connecting a UDP socket sends none.
fn own_address(unspecified: IpAddr) -> Option<IpAddr> {
    let other = match unspecified {
        IpAddr::V4(_) => "192.0.2.1:9",
        IpAddr::V6(_) => "[2001:db8::1]:9",
    };
    let socket = UdpSocket::bind((unspecified, 0)).ok()?;
    socket.connect(other).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified() && !own.is_loopback()).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(listens: &str) -> Config {
        let mut config = Config::new(listens.parse().unwrap());
        config.hosts = vec!["Puzzle.example".to_owned()];
        config
    }

    #[test]
    fn only_names_that_were_given_and_addresses_are_hosts() {
        let loopback = ["127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8080"];
        let others = ["10.0.0.1", "192.0.2.1:8080", "[2001:db8::1]:80"];
        let names = [
            "localhost",
            "LOCALHOST:80",
            "localhost.",
            "puzzle.example",
            "PUZZLE.example:8080",
        ];
        let never = [
            "",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil",
            "::1",
            "[::1",
            "[evil]",
            "localhost..",
            "x@localhost",
            ":80",
        ];
        for (listens, is_local) in [
            ("127.0.0.1:8080", true),
            ("[::1]:8080", true),
            ("0.0.0.0:8080", false),
            ("[::]:8080", false),
            ("192.0.2.1:8080", false),
        ] {
            let reach = reach(listens);
            assert_eq!(reach.is_local(), is_local);
            let takes = |host: &&str| reach.is_host(host);
            assert!(names.iter().chain(&loopback).all(takes), "{listens}");
            assert!(!never.iter().any(takes), "{listens}");
            assert_eq!(others.iter().any(takes), !is_local, "{listens}");
            assert_eq!(others.iter().all(takes), !is_local, "{listens}");
        }
    }

    #[test]
    fn the_url_of_a_server_is_never_the_unspecified_address() {
        assert_eq!(reach("127.0.0.1:80").url(), "http://127.0.0.1:80");
        assert_eq!(reach("[2001:db8::1]:80").url(), "http://[2001:db8::1]:80");
        for all in ["0.0.0.0:80", "[::]:80"] {
            let url = reach(all).url();
            assert!(!url.contains("0.0.0.0") && !url.contains("[::]"), "{url}");
        }
    }
}
