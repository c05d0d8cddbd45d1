//! The server without a network.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::api;
use super::app::App;
use super::config::Config;
use super::connections::{http, service};
use super::tables::Tables;

/// The server without a network: it answers the bytes of a connection with bytes. For tests, and for connections of
/// another kind.
///
/// ```
/// use puzzledb::oracle::Oracle;
/// use puzzledb_cli::serve::{Config, Offline, Tables};
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let config = Config::new("127.0.0.1:8080".parse()?);
/// let server = Offline::new(&config, Tables::new([oracle]))?;
/// let answer = server.answer(b"GET /v1/3x3/probe?board=704851632 HTTP/1.1\r\nhost: localhost\r\n\r\n");
/// let answer = String::from_utf8(answer)?;
/// assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"distance\":19"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Offline {
    peer: SocketAddr,
    http: http1::Builder,
    router: axum::Router,
    runtime: tokio::runtime::Runtime,
}

impl Offline {
    /// A server with these settings; it answers as if it listened at the address, to a client there.
    ///
    /// # Errors
    /// Those of the system in starting threads.
    pub fn new(config: &Config, tables: Tables) -> io::Result<Offline> {
        let app = Arc::new(App::new(config, config.listen, tables));
        let mut http = http(&app.limits);
        http.half_close(true); // the end of the requests is not the end of the client
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        Ok(Offline {
            peer: config.listen,
            http,
            router: api::router(&app),
            runtime: runtime.enable_time().build()?,
        })
    }

    /// Answers a client that sends these bytes and shuts down its side: an answer for each request that is whole, until
    /// one is refused.
    pub fn answer(&self, requests: &[u8]) -> Vec<u8> {
        let (client, server) = tokio::io::duplex(64 << 10);
        let (mut reads, mut writes) = tokio::io::split(client);
        let mut answers = Vec::new();
        self.runtime.block_on(async {
            let service = service(self.router.clone(), self.peer);
            let served = self.http.serve_connection(TokioIo::new(server), service);
            let send = async {
                let _ = writes.write_all(requests).await; // the server may have stopped reading
                let _ = writes.shutdown().await;
            };
            // Errors are those of the client.
            let _ = tokio::join!(served, send, reads.read_to_end(&mut answers));
        });
        answers
    }
}
