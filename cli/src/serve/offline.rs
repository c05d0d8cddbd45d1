//! The server without a network.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;

use super::api;
use super::app::App;
use super::client::Client;
use super::client_stream::Unread;
use super::config::Config;
use super::connections::{http, service};
use super::open_connections::Connection;
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
        let app = Arc::new(App::new(config, config.listen, tables)?);
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        Ok(Offline {
            peer: config.listen,
            http: http(&app),
            router: api::router(&app),
            runtime: runtime.enable_time().build()?,
        })
    }

    /// Answers a client that sends these bytes and shuts down its side: an answer for each request that is whole, until
    /// one is refused.
    pub fn answer(&self, requests: &[u8]) -> Vec<u8> {
        let mut answers = Vec::new();
        let stream = Memory {
            unread: requests,
            written: &mut answers,
        };
        self.runtime.block_on(async {
            let connection = Connection::uncounted(Client::at(self.peer.ip()));
            let unread = Unread::default();
            let service = service(self.router.clone(), unread, self.peer, connection);
            let _ = self.http.serve_connection(stream, service).await; // the client's errors
        });
        answers
    }
}

/// The stream of a connection in memory.
struct Memory<'a> {
    unread: &'a [u8],
    written: &'a mut Vec<u8>,
}

impl Read for Memory<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let (read, unread) = self
            .unread
            .split_at(into.remaining().min(self.unread.len()));
        into.put_slice(read);
        self.unread = unread;
        Poll::Ready(Ok(()))
    }
}

impl Write for Memory<'_> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.written.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
