//! A server, from binding its address to its shutdown, and the state that all its requests share.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use tokio::sync::Semaphore;

use puzzledb::Cancel;

use super::api;
use super::config::Config;
use super::connections::{self, Stopped};
use super::tables::Tables;

/// A server that is bound to an address.
///
/// ```
/// use puzzledb::oracle::Oracle;
/// use puzzledb_cli::serve::{Config, Server, Tables};
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let config = Config::new("127.0.0.1:0".parse()?);
/// let server = Server::bind(&config, Tables::new([oracle]))?;
/// println!("http://{}", server.address()); // and then server.run()
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
}

/// Files that a server opens besides its connections: databases, and those of the runtime.
const OTHER_FILES: usize = 64;

impl Server {
    /// Binds the address. Clients can connect, and are answered once the server [runs](Server::run).
    ///
    /// # Errors
    /// Those of the system: the address is in use or not of this machine; [`io::ErrorKind::QuotaExceeded`] if this
    /// process may not open as many files as there may be connections.
    pub fn bind(config: &Config, tables: Tables) -> io::Result<Server> {
        let listener = TcpListener::bind(config.listen)?;
        listener.set_nonblocking(true)?;
        let files = config.limits.connections.saturating_add(OTHER_FILES);
        check_open_files(&listener, files)?;
        let mut config = config.clone();
        config.listen = listener.local_addr()?;
        let app = Arc::new(App::new(config, tables));
        Ok(Server { listener, app })
    }

    /// The address that it is bound to, with the port that port 0 has become.
    pub fn address(&self) -> SocketAddr {
        self.app.config.listen
    }

    /// Address at which clients reach it, such as `http://127.0.0.1:8080`. If it listens on all addresses, as on
    /// `0.0.0.0`, this is one that works from other machines, or one of [`Config::hosts`] if there is none.
    pub fn url(&self) -> String {
        self.app.config.url()
    }

    /// Answers until Ctrl-C or SIGTERM comes, and then finishes the requests in flight.
    ///
    /// # Errors
    /// Those of the system in starting threads or in listening for signals.
    pub fn run(self) -> io::Result<Stopped> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let router = api::router(&self.app);
        let stopped = runtime.block_on(connections::serve(self.listener, router, &self.app));
        self.app.stopped.cancel();
        runtime.shutdown_background();
        stopped
    }
}

/// Checks that `files` more files can be opened, by opening them: this works on every system.
fn check_open_files(listener: &TcpListener, files: usize) -> io::Result<()> {
    let opened: io::Result<Vec<_>> = (0..files).map(|_| listener.try_clone()).collect();
    opened.map(drop).map_err(|error| {
        let detail = format!("the connections need {files} open files: {error}");
        io::Error::new(io::ErrorKind::QuotaExceeded, detail)
    })
}

/// The state that all requests share, with counts of them.
#[derive(Debug)]
pub(super) struct App {
    /// The settings, with the address that the server is bound to.
    pub config: Config,
    pub tables: Tables,
    /// Answers by the route's pattern, such as `/v1/{shape}/probe`, and by status.
    answers: Mutex<BTreeMap<(String, u16), u64>>,
    pub started: Instant,
    /// Set once the server has stopped.
    pub stopped: Cancel,
    /// Places for connections.
    pub connections: Arc<Semaphore>,
    /// Places for requests that are being answered.
    pub in_flight: Arc<Semaphore>,
    /// Permits for heavy work: searches, and opening and building databases. Look-ups need none.
    pub heavy_permits: Arc<Semaphore>,
    /// Permits for large bodies, one for each that is read or answered.
    pub body_permits: Arc<Semaphore>,
}

impl App {
    pub(super) fn new(config: Config, tables: Tables) -> App {
        let permits = |count: usize| Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS)));
        let limits = &config.limits;
        App {
            tables,
            answers: Mutex::default(),
            started: Instant::now(),
            stopped: Cancel::new(),
            connections: permits(limits.connections),
            in_flight: permits(limits.in_flight),
            heavy_permits: permits(limits.heavy),
            body_permits: permits(limits.large_bodies),
            config,
        }
    }

    /// Counts an answer of a route.
    pub(super) fn count(&self, route: &str, status: StatusCode) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let route = (route.to_owned(), status.as_u16());
        *answers.entry(route).or_default() += 1;
    }

    /// The text of `/metrics`, in the format of Prometheus.
    pub(super) fn metrics(&self) -> String {
        let limits = &self.config.limits;
        let in_use = |all: usize, left: &Semaphore| (all - left.available_permits()) as f64;
        let mut text = String::new();
        for (name, value) in [
            ("uptime_seconds", self.started.elapsed().as_secs_f64()),
            (
                "requests_in_flight",
                in_use(limits.in_flight, &self.in_flight),
            ),
            (
                "heavy_permits_in_use",
                in_use(limits.heavy, &self.heavy_permits),
            ),
            ("connections", in_use(limits.connections, &self.connections)),
        ] {
            let _ = writeln!(
                text,
                "# TYPE puzzledb_{name} gauge\npuzzledb_{name} {value}"
            );
        }
        text.push_str("# TYPE puzzledb_requests_total counter\n");
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in answers.iter() {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            let _ = writeln!(text, "puzzledb_requests_total{{{labels}}} {count}");
        }
        text
    }
}
