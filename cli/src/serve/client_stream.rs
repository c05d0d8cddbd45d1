//! The stream of one client's connection, and its end.

use std::io;
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// A client's connection.
///
/// *It lingers.* A socket that is closed while it has unread bytes resets the connection, and the client, still
/// sending, may lose the answer. So after an answer that was given before the request was read, its own side is shut
/// down first, and the bytes that the client still sends are read and dropped.
///
/// *It ends at shutdown.* Once the server reads no more, it looks as if all clients had closed their side: a
/// request that is complete is answered, half a request is given up.
pub(super) struct ClientStream {
    /// Shared with [`ClientSide`].
    stream: Arc<TcpStream>,
    /// Ready once the server reads no more.
    ended: Pin<Box<dyn Future<Output = ()> + Send>>,
    has_ended: bool,
    unread: Unread,
    is_shut: bool,
    /// Bytes that are still dropped at the end.
    linger: usize,
}

/// Flag that the client may have sent, or be sending, bytes that no request has taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Unread(Arc<AtomicBool>, ClientSide);

impl Unread {
    pub(super) fn set(&self, unread: bool) {
        self.0.store(unread, Ordering::Relaxed);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The client's side of the connection.
    pub(super) fn side(&self) -> &ClientSide {
        &self.1
    }
}

/// The client's side of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct ClientSide(Arc<OnceLock<Weak<TcpStream>>>);

impl ClientSide {
    /// Returns whether nothing more will come from the client, which may be gone. False while there are unread bytes.
    pub(super) fn is_closed(&self) -> bool {
        let Some(stream) = self.0.get() else {
            return false; // no socket
        };
        let Some(stream) = stream.upgrade() else {
            return true;
        };
        let mut next = [MaybeUninit::uninit()];
        match socket2::SockRef::from(&*stream).peek(&mut next) {
            Ok(bytes) => bytes == 0,
            Err(error) => !matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
            ),
        }
    }
}

/// The system's buffer for bytes that a client has not read yet: without this it grows to several megabytes.
const SEND_BUFFER: usize = 256 << 10;

impl ClientStream {
    /// Builds a stream. `ended` becomes true once the server reads no more; `linger` is the number of bytes that are
    /// dropped at the end.
    pub(super) fn new(
        stream: TcpStream,
        mut ended: watch::Receiver<bool>,
        unread: Unread,
        linger: usize,
    ) -> ClientStream {
        let socket = socket2::SockRef::from(&stream);
        let _ = socket.set_send_buffer_size(SEND_BUFFER); // a system that refuses it has limits of its own
        let _ = stream.set_nodelay(true);
        let stream = Arc::new(stream);
        let _ = unread.1.0.set(Arc::downgrade(&stream));
        ClientStream {
            stream,
            ended: Box::pin(async move {
                let _ = ended.wait_for(|&ended| ended).await; // an error: the sender is gone
            }),
            has_ended: false,
            unread,
            is_shut: false,
            linger,
        }
    }

    /// Writes this, as far as it fits into the buffer, and nothing else.
    pub(super) fn write_at_once(&self, answer: &[u8]) {
        let _ = self.stream.try_write(answer);
    }

    fn has_ended(&mut self, cx: &mut Context<'_>) -> bool {
        self.has_ended = self.has_ended || self.ended.as_mut().poll(cx).is_ready();
        self.has_ended
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.has_ended(cx) {
            return Poll::Ready(Ok(())); // the end of the stream
        }
        let before = into.filled().len();
        let read = poll_read(&self.stream, cx, into);
        if into.filled().len() > before {
            self.unread.set(true);
        }
        read
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        poll_write(&self.stream, cx, || self.stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        poll_write(&self.stream, cx, || self.stream.try_write_vectored(bytes))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(())) // the system has all that was written
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_shut {
            match socket2::SockRef::from(&*self.stream).shutdown(Shutdown::Write) {
                Err(error) if error.kind() != io::ErrorKind::NotConnected => {
                    return Poll::Ready(Err(error));
                }
                _ => self.is_shut = true,
            }
        }
        let mut bytes = [0; 8 << 10];
        while self.unread.get() && self.linger > 0 && !self.has_ended(cx) {
            let mut dropped = ReadBuf::new(&mut bytes);
            let read = ready!(poll_read(&self.stream, cx, &mut dropped));
            if read.is_err() || dropped.filled().is_empty() {
                break;
            }
            self.linger = self.linger.saturating_sub(dropped.filled().len());
        }
        Poll::Ready(Ok(()))
    }
}

/// Reads as soon as there is something, through a reference: tokio's own way needs the stream for itself.
fn poll_read(
    stream: &TcpStream,
    cx: &mut Context<'_>,
    into: &mut ReadBuf<'_>,
) -> Poll<io::Result<()>> {
    loop {
        ready!(stream.poll_read_ready(cx))?;
        match stream.try_read(into.initialize_unfilled()) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            read => return Poll::Ready(read.map(|bytes| into.advance(bytes))),
        }
    }
}

/// Writes as soon as there is room, as [`poll_read`] reads.
fn poll_write(
    stream: &TcpStream,
    cx: &mut Context<'_>,
    write: impl Fn() -> io::Result<usize>,
) -> Poll<io::Result<usize>> {
    loop {
        ready!(stream.poll_write_ready(cx))?;
        match write() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            written => return Poll::Ready(written),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_reads_nothing_holds_little_memory() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(async {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (stream, _) = listener.accept().unwrap();
            stream.set_nonblocking(true).unwrap();
            let stream = TcpStream::from_std(stream).unwrap();
            let (_end, ended) = watch::channel(false);
            let stream = ClientStream::new(stream, ended, Unread::default(), 0);
            let (mut held, mut waited) = (0, 0);
            while waited < 20 {
                match stream.stream.try_write(&[0; 1 << 16]) {
                    Ok(length) => held += length,
                    Err(_) => {
                        waited += 1;
                        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                    }
                }
            }
            drop(client);
            assert!(held < 4 * SEND_BUFFER, "{held} bytes");
        });
    }
}
