//! Connections: accepted, limited, and ended at shutdown.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use axum::response::Response;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_io_timeout::TimeoutWriter;

use super::app::App;
use super::client::Client;
use super::client_stream::{ClientStream, Unread};
use super::metrics::Gauge;
use super::open_connections::{AnswerBody, Connection, ConnectionSlot, OpenConnections};

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

/// The whole answer on a connection above [`Limits::connections`](super::Limits::connections), if all of them have
/// whole requests.
const TOO_MANY_CONNECTIONS: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
content-type: application/problem+json\r\nretry-after: 1\r\nconnection: close\r\n\
content-length: 130\r\n\r\n\
{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\
\"detail\":\"there are too many connections: come back in a moment\"}";

/// The address of the client, as an extension of its requests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub SocketAddr);

/// Time after the signal to stop in which the rest of a request may come.
const HALF_REQUEST: Duration = Duration::from_secs(1);

/// Time in which finished connections may close, once no other is waited for.
const LAST_MOMENT: Duration = Duration::from_millis(100);

/// Connections above the limit that are kept at a time until the answer is read; further ones are closed at once.
pub(super) const REFUSED: usize = 64;

/// Longest time for which a connection above the limit is kept until its client has read the answer.
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// Answers on a listener's connections until a signal comes; then waits for the requests in flight.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    router: Router,
    app: &Arc<App>,
) -> io::Result<Stopped> {
    let listener = TcpListener::from_std(listener)?;
    let mut signals = Signals::new()?;
    let (end_reading, ended) = watch::channel(false);
    let connections = Connections {
        http: http(app),
        router,
        app: Arc::clone(app),
        places: OpenConnections::new(app.limits.connections),
        open: GracefulShutdown::new(),
        ended,
        refused: Gauge::default(),
    };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = signals.next() => break,
        };
        match accepted {
            Ok((stream, peer)) => connections.accept(stream, peer).await,
            // Too many open files, or the client is gone again: wait, so as not to spin.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
    drop(listener);
    let mut all_answered = pin!(connections.open.shutdown());
    let mut at_once = false;
    tokio::select! {
        () = &mut all_answered => return Ok(Stopped::AllAnswered),
        () = tokio::time::sleep(HALF_REQUEST) => {}
        () = signals.next() => at_once = true,
    }
    end_reading.send_replace(true);
    if !at_once {
        tokio::select! {
            () = &mut all_answered => return Ok(Stopped::AllAnswered),
            () = tokio::time::sleep(app.limits.shutdown_grace) => {}
            () = signals.next() => {}
        }
    }
    Ok(
        match tokio::time::timeout(LAST_MOMENT, all_answered).await {
            Ok(()) => Stopped::AllAnswered,
            Err(_) => Stopped::CutShort,
        },
    )
}

/// The settings of the HTTP protocol.
pub(super) fn http(app: &App) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(app.limits.header_timeout)
        .max_buf_size(app.limits.header_bytes)
        .max_headers(MAX_HEADERS)
        .half_close(true); // a client may shut down its side and still wait for answers
    http
}

/// Service that answers the requests of one connection.
pub(super) fn service(
    router: Router,
    unread: Unread,
    peer: SocketAddr,
    connection: Arc<Connection>,
) -> impl Service<Request<Incoming>, Response = Response<AnswerBody>, Error = Infallible, Future: Send>
{
    let router = TowerToHyperService::new(router);
    service_fn(move |mut request: Request<Incoming>| {
        let is_whole = request.body().is_end_stream();
        unread.set(!is_whole);
        if is_whole {
            connection.begin_answer();
        }
        let end = connection.answer_end();
        let extensions = request.extensions_mut();
        extensions.insert(Peer(peer));
        extensions.insert(unread.side().clone());
        extensions.insert(Arc::clone(&connection)); // for the reader of the body
        let response = router.call(request);
        async move {
            let response = response.await?;
            Ok(response.map(|body| AnswerBody::new(body, end)))
        }
    })
}

/// State that all connections share.
struct Connections {
    http: http1::Builder,
    router: Router,
    app: Arc<App>,
    places: OpenConnections,
    open: GracefulShutdown,
    /// Becomes true when nothing more is read from clients.
    ended: watch::Receiver<bool>,
    /// Connections that are being refused.
    refused: Gauge,
}

impl Connections {
    /// Finds a place for a connection and answers on it, or refuses it.
    async fn accept(&self, stream: TcpStream, peer: SocketAddr) {
        let client = Client::at(peer.ip());
        let metrics = &self.app.metrics;
        let place = match self.places.enter(client) {
            Some(place) => Some(place),
            None => {
                let place = self.places.displace(client).await;
                let count = match place {
                    Some(_) => &metrics.displaced,
                    None => &metrics.refused,
                };
                count.fetch_add(1, Ordering::Relaxed);
                place
            }
        };
        let unread = Unread::default();
        let ended = self.ended.clone();
        let linger = self.app.limits.linger_bytes;
        let stream = ClientStream::new(stream, ended, unread.clone(), linger);
        match place {
            Some(place) => self.serve(stream, peer, unread, place),
            None => {
                unread.set(true);
                self.refuse(stream);
            }
        }
    }

    /// Spawns the task that answers on one connection.
    fn serve(&self, stream: ClientStream, peer: SocketAddr, unread: Unread, place: ConnectionSlot) {
        let counted = self.app.metrics.connections.enter();
        let mut stream = TimeoutWriter::new(stream);
        stream.set_timeout(Some(self.app.limits.write_timeout)); // lingering is bounded by it too
        let stream = TokioIo::new(Box::pin(stream));
        let connection = Arc::clone(&place.connection);
        let service = service(self.router.clone(), unread, peer, connection);
        let answers = self.http.serve_connection(stream, service);
        let answers = self.open.watch(answers);
        tokio::spawn(async move {
            let _counted = counted;
            // Errors of a connection concern its client alone.
            tokio::select! {
                _ = answers => {}
                () = place.connection.closed() => {}
            }
        });
    }

    /// Answers a client that there are too many connections.
    fn refuse(&self, mut stream: ClientStream) {
        stream.write_at_once(TOO_MANY_CONNECTIONS);
        let counted = self.refused.enter();
        if self.refused.get() <= REFUSED {
            tokio::spawn(async move {
                let _counted = counted;
                let ended = poll_fn(|cx| Pin::new(&mut stream).poll_shutdown(cx));
                let _ = tokio::time::timeout(REFUSAL_TIME, ended).await;
            });
        }
    }
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
