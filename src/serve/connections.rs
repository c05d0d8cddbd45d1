//! Connections: accepted, limited, and ended at shutdown.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutWriter;

use super::app::App;

/// How a server ended.
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

/// The whole answer on a connection above [`Limits::connections`](super::Limits::connections).
const TOO_MANY_CONNECTIONS: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
content-type: application/problem+json\r\nretry-after: 1\r\nconnection: close\r\n\
content-length: 130\r\n\r\n\
{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\
\"detail\":\"there are too many connections: come back in a moment\"}";

/// The address of the client, as an extension of its requests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub SocketAddr);

/// Answers on a listener's connections until a signal comes; then waits for the requests in flight.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    router: Router,
    app: &Arc<App>,
) -> io::Result<Stopped> {
    let listener = TcpListener::from_std(listener)?;
    let mut signals = Signals::new()?;
    let http = http(app);
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = signals.next() => break,
        };
        match accepted {
            Ok((stream, peer)) => serve_connection(stream, peer, &http, &router, app, &open),
            // Too many open files, or the client is gone again: wait, so as not to spin.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
    drop(listener);
    tokio::select! {
        () = open.shutdown() => Ok(Stopped::AllAnswered),
        () = tokio::time::sleep(app.limits.shutdown_grace) => Ok(Stopped::CutShort),
        () = signals.next() => Ok(Stopped::CutShort),
    }
}

fn http(app: &App) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(app.limits.header_timeout)
        .max_buf_size(app.limits.header_bytes)
        .max_headers(MAX_HEADERS)
        .half_close(true); // a client may shut down its side and still wait for answers
    http
}

/// Spawns the task that answers on one connection, or refuses it if there are too many.
fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    http: &http1::Builder,
    router: &Router,
    app: &Arc<App>,
    open: &GracefulShutdown,
) {
    let counted = app.metrics.connections.enter();
    if app.metrics.connections.get() > app.limits.connections {
        app.metrics.refused.fetch_add(1, Ordering::Relaxed);
        let _ = stream.try_write(TOO_MANY_CONNECTIONS); // it fits into the empty send buffer
        return;
    }
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(app.limits.write_timeout));
    let stream = TokioIo::new(Box::pin(stream));
    let router = TowerToHyperService::new(router.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        router.call(request)
    });
    let connection = open.watch(http.serve_connection(stream, service));
    tokio::spawn(async move {
        let _counted = counted;
        let _ = connection.await; // errors of a connection concern its client alone
    });
}

/// The signals that stop the server: Ctrl-C and, on Unix, SIGTERM.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Signals> {
        Ok(Signals {})
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_a_full_server_has_the_length_that_it_says() {
        let text = std::str::from_utf8(TOO_MANY_CONNECTIONS).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())));
        assert!(serde_json::from_str::<serde_json::Value>(body).is_ok());
    }
}
