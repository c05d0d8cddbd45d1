//! A server, from binding its address over its connections to its shutdown, and the state that all its requests share.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::http::StatusCode;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tower::Layer;

use super::config::Config;
use super::router::router;
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
    listener: std::net::TcpListener,
    app: Arc<App>,
}

/// End of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// All requests in flight were answered.
    AllAnswered,
    /// Some were not: a second signal came, or they took longer than
    /// [`Limits::shutdown_grace`](super::Limits::shutdown_grace).
    CutShort,
}

/// Header fields of a request.
const MAX_HEADERS: usize = 64;

impl Server {
    /// Binds the address. Clients can connect, and are answered once the server [runs](Server::run).
    ///
    /// # Errors
    /// Those of the system: the address is in use or not of this machine.
    pub fn bind(config: &Config, tables: Tables) -> io::Result<Server> {
        let listener = std::net::TcpListener::bind(config.listen)?;
        listener.set_nonblocking(true)?;
        let mut config = config.clone();
        config.listen = listener.local_addr()?;
        let permits = |count| Arc::new(Semaphore::new(count));
        let app = Arc::new(App {
            tables,
            answers: Mutex::default(),
            started: Instant::now(),
            in_flight: permits(config.limits.in_flight),
            heavy_permits: permits(config.limits.heavy),
            body_permits: permits(config.limits.large_bodies),
            config,
        });
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
        let stopped = runtime.block_on(serve(self.listener, &self.app));
        runtime.shutdown_background();
        stopped
    }
}

/// Answers on a listener's connections until a signal comes; then waits for the requests in flight. The answer to a client
/// that leaves is dropped, which ends the work for it.
async fn serve(listener: std::net::TcpListener, app: &Arc<App>) -> io::Result<Stopped> {
    let listener = TcpListener::from_std(listener)?;
    let (router, limits) = (router(app), &app.config.limits);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.client_time)
        .max_buf_size(limits.header_bytes)
        .max_headers(MAX_HEADERS);
    let (connections, mut stop) = (GracefulShutdown::new(), pin!(signal()));
    loop {
        let accepted = tokio::select! {
            biased; // the signals are caught before the first connection is accepted
            stop = &mut stop => break stop?,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            // Too many open files, or the client is gone again: wait, so as not to spin.
            sleep(Duration::from_millis(10)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = Extension(peer).layer(router.clone()); // the client's address, for the log
        let service = TowerToHyperService::new(service);
        let answers = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(answers); // errors of a connection concern its client alone
    }
    drop(listener);
    tokio::select! {
        () = connections.shutdown() => Ok(Stopped::AllAnswered),
        _ = timeout(limits.shutdown_grace, signal()) => Ok(Stopped::CutShort),
    }
}

/// Waits for the next signal that stops the server: Ctrl-C and, on Unix, SIGTERM.
async fn signal() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// The state that all requests share, with counts of them.
#[derive(Debug)]
pub(super) struct App {
    /// The settings, with the address that the server is bound to.
    pub config: Config,
    pub tables: Tables,
    /// Answers by the route's pattern, such as `/v1/{shape}/probe`, and by status.
    answers: Mutex<BTreeMap<(String, u16), u64>>,
    started: Instant,
    /// Places for requests that are being answered.
    pub in_flight: Arc<Semaphore>,
    /// Permits for heavy work: searches, and opening and building databases. Look-ups need none.
    pub heavy_permits: Arc<Semaphore>,
    /// Permits for large bodies, one for each that is read or answered.
    pub body_permits: Arc<Semaphore>,
}

impl App {
    /// Counts an answer of a route.
    pub(super) fn count(&self, route: &str, status: StatusCode) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let route = (route.to_owned(), status.as_u16());
        *answers.entry(route).or_default() += 1;
    }

    /// The text of `/metrics`, in the format of Prometheus.
    pub(super) fn metrics(&self) -> String {
        let limits = &self.config.limits;
        let uptime = self.started.elapsed().as_secs_f64();
        let in_flight = limits.in_flight - self.in_flight.available_permits();
        let heavy = limits.heavy - self.heavy_permits.available_permits();
        let mut text = format!(
            "# TYPE puzzledb_uptime_seconds gauge\npuzzledb_uptime_seconds {uptime}\n\
             # TYPE puzzledb_requests_in_flight gauge\npuzzledb_requests_in_flight {in_flight}\n\
             # TYPE puzzledb_heavy_permits_in_use gauge\npuzzledb_heavy_permits_in_use {heavy}\n\
             # TYPE puzzledb_requests_total counter\n"
        );
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in answers.iter() {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            let _ = writeln!(text, "puzzledb_requests_total{{{labels}}} {count}");
        }
        text
    }
}
