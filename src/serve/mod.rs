//! The oracle over HTTP: an API for programs, and a page to look at.
//!
//! [`Server::bind`] takes an address, [`Server::run`] answers until it is told to stop. Data flows as in
//! the rest of the house: [`Tables`] has the databases, `api` turns a request into a question to
//! the [`oracle`](crate::oracle) or a [`search`](crate::search) and its answer into JSON, `guard` holds every
//! request to its [`Limits`], and `connections` does the same for those who send them.

mod answer;
mod api;
mod app;
mod connections;
mod database;
mod docs;
mod guard;
mod limits;
mod log;
mod metrics;
mod page;
mod params;
mod problem;
mod stall;
mod tables;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use app::App;

pub use limits::Limits;
pub use tables::Tables;

/// How to serve.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The address to listen at; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// Write a line of JSON for each request to standard error?
    pub log: bool,
    /// May pages of other origins ask?
    pub cors: bool,
    /// What one request or connection may take.
    pub limits: Limits,
}

/// A server that listens.
///
/// ```
/// use puzzledb::oracle::Oracle;
/// use puzzledb::serve::{Config, Limits, Server, Tables};
///
/// let table = Oracle::in_memory(&"123456780".parse()?)?.into_table();
/// let listen = "127.0.0.1:0".parse()?;
/// let config = Config { listen, log: false, cors: false, limits: Limits::default() };
/// let server = Server::bind(&config, Tables::new([table]))?;
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
    /// Begins to listen; nobody is answered yet.
    ///
    /// # Errors
    /// Those of the system, if the address cannot be had.
    pub fn bind(config: &Config, tables: Tables) -> io::Result<Server> {
        let listener = TcpListener::bind(config.listen)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Server {
            app: Arc::new(App::new(config, address, tables)?),
            listener,
            address,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until Ctrl-C or SIGTERM comes, and then finishes what it has begun.
    ///
    /// # Errors
    /// Those of the system in making threads, or in listening for signals.
    pub fn run(self) -> io::Result<Stopped> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .max_blocking_threads(self.app.limits.heavy.saturating_mul(2))
            .enable_all()
            .build()?;
        let stopped = runtime.block_on(async {
            let router = api::router(&self.app);
            connections::serve(self.listener, router, &self.app).await
        });
        runtime.shutdown_background();
        stopped
    }
}

/// How a server came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// All requests that had begun were answered.
    AllAnswered,
    /// Some were not: a second signal came, or they took too long.
    CutShort,
}
