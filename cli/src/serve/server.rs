//! A server: from binding its address to its shutdown.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use super::api;
use super::app::App;
use super::config::{Config, Limits};
use super::connections::{self, REFUSED, Stopped};
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
    address: SocketAddr,
    app: Arc<App>,
}

impl Server {
    /// Binds the address. Clients can connect, and are answered once the server [runs](Server::run).
    ///
    /// # Errors
    /// Those of the system: the address is in use or not of this machine, or the log's thread cannot start;
    /// [`io::ErrorKind::QuotaExceeded`] if this process may not open as many files as there may be connections.
    pub fn bind(config: &Config, tables: Tables) -> io::Result<Server> {
        let listener = TcpListener::bind(config.listen)?;
        #[cfg(unix)]
        rustix::net::listen(&listener, WAITING)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        check_open_files(&listener, open_files(config.limits.connections))?;
        Ok(Server {
            app: Arc::new(App::new(config, address, tables)?),
            listener,
            address,
        })
    }

    /// The address that it is bound to, with the port that port 0 has become.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Address at which clients reach it, such as `http://127.0.0.1:8080`. If it listens on all addresses, as on
    /// `0.0.0.0`, this is one that works from other machines, or one of [`Config::hosts`] if there is none.
    pub fn url(&self) -> String {
        self.app.reach.url()
    }

    /// Answers until Ctrl-C or SIGTERM comes, and then finishes the requests in flight.
    ///
    /// # Errors
    /// Those of the system in starting threads or in listening for signals.
    pub fn run(self) -> io::Result<Stopped> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .max_blocking_threads(blocking_threads(&self.app.limits))
            .enable_all()
            .build()?;
        let stopped = runtime.block_on(async {
            let router = api::router(&self.app);
            connections::serve(self.listener, router, &self.app).await
        });
        self.app.stopped.cancel();
        runtime.shutdown_background();
        stopped
    }
}

/// Threads for blocking work: one for each permit, so that work with a permit never waits.
fn blocking_threads(limits: &Limits) -> usize {
    limits.heavy.saturating_add(limits.line_answers).max(1)
}

/// Connections that may wait until they are accepted. Of more at once, some are tried again only after a second; the
/// standard library has 128.
#[cfg(unix)]
const WAITING: i32 = 4096;

/// Files that a server with `connections` connections opens: some connections are being refused, and the runtime has
/// files of its own.
fn open_files(connections: usize) -> usize {
    connections.saturating_add(REFUSED + 64)
}

/// Checks that `files` more files can be opened, by opening them: this works on every system.
fn check_open_files(listener: &TcpListener, files: usize) -> io::Result<()> {
    let opened: io::Result<Vec<_>> = (0..files).map(|_| listener.try_clone()).collect();
    opened.map(drop).map_err(|error| {
        let detail = format!("the connections need {files} open files: {error}");
        io::Error::new(io::ErrorKind::QuotaExceeded, detail)
    })
}
