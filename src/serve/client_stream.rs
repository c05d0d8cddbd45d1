//! The stream of one client's connection: how it ends.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// A client's connection.
///
/// *It lingers.* A socket that is closed while it has bytes that nobody read resets the connection, and the
/// client, still sending, may lose the answer. So after an answer that was given before the request was read,
/// its own side is shut down first, and what the client still sends is read and dropped.
///
/// *It ends at shutdown.* Once the server reads no more, it looks as if all clients had closed their side: a
/// request that is complete is answered, half a request is given up.
pub(super) struct ClientStream {
    stream: TcpStream,
    /// Ready once the server reads no more.
    ended: Pin<Box<dyn Future<Output = ()> + Send>>,
    has_ended: bool,
    unread: Unread,
    is_shut: bool,
    /// Bytes that are still dropped at the end.
    linger: usize,
}

/// May the client have sent, or be sending, what no request has taken?
#[derive(Clone, Debug, Default)]
pub(super) struct Unread(Arc<AtomicBool>);

impl Unread {
    pub(super) fn set(&self, unread: bool) {
        self.0.store(unread, Ordering::Relaxed);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The system's buffer for what a client has not read yet: without this it grows to several megabytes.
const SEND_BUFFER: usize = 256 << 10;

impl ClientStream {
    /// `ended` becomes true once the server reads no more; `linger` is how many bytes are dropped at the end.
    pub(super) fn new(
        stream: TcpStream,
        mut ended: watch::Receiver<bool>,
        unread: Unread,
        linger: usize,
    ) -> ClientStream {
        let socket = socket2::SockRef::from(&stream);
        let _ = socket.set_send_buffer_size(SEND_BUFFER); // a system that refuses it has limits of its own
        let _ = stream.set_nodelay(true);
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
        let read = Pin::new(&mut self.stream).poll_read(cx, into);
        if into.filled().len() > before {
            self.unread.set(true);
        }
        read
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_shut {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
            self.is_shut = true;
        }
        let mut bytes = [0; 8 << 10];
        while self.unread.get() && self.linger > 0 && !self.has_ended(cx) {
            let mut dropped = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut self.stream).poll_read(cx, &mut dropped));
            if read.is_err() || dropped.filled().is_empty() {
                break;
            }
            self.linger = self.linger.saturating_sub(dropped.filled().len());
        }
        Poll::Ready(Ok(()))
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
