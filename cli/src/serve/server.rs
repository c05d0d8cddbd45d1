//! A server: from binding its address to its shutdown.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use super::api;
use super::app::App;
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
        let listen = listener.local_addr()?;
        let files = config.limits.connections.saturating_add(OTHER_FILES);
        check_open_files(&listener, files)?;
        let config = Config {
            listen,
            ..config.clone()
        };
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
