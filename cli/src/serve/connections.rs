//! Connections: accepted up to a limit, answered within limits of time, and ended at shutdown.

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutWriter;
use tower::Service;

use super::config::Limits;
use super::server::App;

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

/// Time in which finished connections may close after the last signal.
const LAST_MOMENT: Duration = Duration::from_millis(100);

/// Bytes that a client may still send after its last answer, so that it gets an answer that did not wait for them.
const LINGER_BYTES: u64 = 16 << 20;

/// Time in which it may send them.
const LINGER_TIME: Duration = Duration::from_secs(2);

/// Answers on a listener's connections until a signal comes; then waits for the requests in flight.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    router: Router,
    app: &Arc<App>,
) -> io::Result<Stopped> {
    let listener = TcpListener::from_std(listener)?;
    let mut signal = signals()?;
    let (stop, stopping) = watch::channel(()); // dropping the sender is the signal
    loop {
        // At the limit further connections wait in the system's queue until another one is closed.
        let accepted = async {
            let (stream, peer) = listener.accept().await?;
            let place = Arc::clone(&app.connections).acquire_owned().await;
            io::Result::Ok((stream, peer, place))
        };
        let accepted = tokio::select! {
            accepted = accepted => accepted,
            () = signal() => break,
        };
        let Ok((stream, peer, place)) = accepted else {
            // Too many open files, or the client is gone again: wait, so as not to spin.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let (router, limits) = (router.clone(), app.config.limits.clone());
        let answers = answer(stream, peer, router, limits, stopping.clone());
        tokio::spawn(async move {
            answers.await;
            drop(place);
        });
    }
    drop((listener, stop));
    let all = app.config.limits.connections.try_into().unwrap_or(u32::MAX);
    let last_signal = async {
        let _ = timeout(app.config.limits.shutdown_grace, signal()).await;
        tokio::time::sleep(LAST_MOMENT).await;
    };
    tokio::select! {
        _ = app.connections.acquire_many(all) => Ok(Stopped::AllAnswered),
        () = last_signal => Ok(Stopped::CutShort),
    }
}

/// Answers the requests of one connection. The answer to a client that leaves is dropped, which ends the work for it.
async fn answer(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: Limits,
    mut stopping: watch::Receiver<()>,
) {
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(limits.write_timeout));
    let mut stream = TokioIo::new(Box::pin(stream));
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer); // the client's address, for the log
        router.clone().call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(limits.header_bytes)
        .max_headers(MAX_HEADERS);
    // Errors of a connection concern its client alone.
    let mut answers = pin!(http.serve_connection(&mut stream, service));
    tokio::select! {
        _ = &mut answers => linger(stream.into_inner()).await,
        _ = stopping.changed() => {
            answers.as_mut().graceful_shutdown();
            let _ = answers.await;
        }
    }
}

/// Reads and drops what the client still sends. A socket that is closed with unread bytes resets the connection, and the
/// client may lose the answer.
async fn linger(mut stream: Pin<Box<TimeoutWriter<TcpStream>>>) {
    let rest = async {
        stream.shutdown().await?;
        tokio::io::copy(&mut stream.take(LINGER_BYTES), &mut tokio::io::sink()).await
    };
    let _ = timeout(LINGER_TIME, rest).await; // the client may be gone
}

/// Waits for the next signal that stops the server: Ctrl-C and, on Unix, SIGTERM.
#[cfg(unix)]
fn signals() -> io::Result<impl AsyncFnMut()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move || {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn signals() -> io::Result<impl AsyncFnMut()> {
    Ok(async || drop(tokio::signal::ctrl_c().await))
}
