//! Settings of a server.

use std::net::SocketAddr;

use super::limits::Limits;

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
