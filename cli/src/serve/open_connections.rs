//! The connections that are open, and the choice of one that makes room for a new one.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::client::Client;

/// The connections that are open, up to a number. At that number, a new one takes the place of one that has no whole
/// request: the oldest of the client that has the most of those.
#[derive(Debug)]
pub(super) struct OpenConnections {
    places: Arc<Semaphore>,
    open: Arc<Mutex<HashMap<u64, Arc<Connection>>>>,
    clock: Arc<AtomicU64>,
}

/// A place among the open connections, free again when it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    pub connection: Arc<Connection>,
    open: Arc<Mutex<HashMap<u64, Arc<Connection>>>>,
    number: u64,
    _place: OwnedSemaphorePermit,
}

/// A connection.
#[derive(Debug)]
pub(super) struct Connection {
    client: Client,
    /// [`ANSWERING`], [`CLOSING`], or the time by the clock since which it has had no whole request.
    waits_since: AtomicU64,
    closed: Notify,
    clock: Arc<AtomicU64>,
}

/// A whole request is being answered.
const ANSWERING: u64 = 0;

/// The connection makes room for another one.
const CLOSING: u64 = u64::MAX;

/// The body of an answer; the answer ends when it is dropped.
#[derive(Debug)]
pub(super) struct AnswerBody {
    body: Body,
    _end: AnswerEnd,
}

/// Ends, when dropped, the whole request of a connection.
#[derive(Debug)]
pub(super) struct AnswerEnd(Arc<Connection>);

impl OpenConnections {
    pub(super) fn new(most: usize) -> OpenConnections {
        OpenConnections {
            places: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
            open: Arc::default(),
            clock: Arc::new(AtomicU64::new(1)),
        }
    }

    /// A free place, if there is one.
    pub(super) fn enter(&self, client: Client) -> Option<ConnectionSlot> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        Some(self.take(place, client))
    }

    /// A place that another connection leaves; `None` if all of them have whole requests.
    pub(super) async fn displace(&self, client: Client) -> Option<ConnectionSlot> {
        self.close_one()?;
        let place = Arc::clone(&self.places).acquire_owned().await.ok()?;
        Some(self.take(place, client))
    }

    fn take(&self, place: OwnedSemaphorePermit, client: Client) -> ConnectionSlot {
        let connection = Arc::new(Connection::new(client, &self.clock));
        let number = connection.waits_since.load(Ordering::Relaxed);
        lock(&self.open).insert(number, Arc::clone(&connection));
        ConnectionSlot {
            connection,
            open: Arc::clone(&self.open),
            number,
            _place: place,
        }
    }

    /// Closes the oldest connection without a whole request of the client that has the most of those.
    fn close_one(&self) -> Option<()> {
        let open = lock(&self.open);
        loop {
            let waiting = open.values().filter_map(|connection| {
                let since = connection.waits_since.load(Ordering::Relaxed);
                (since != ANSWERING && since != CLOSING).then_some((connection, since))
            });
            let mut clients: HashMap<Client, (usize, _)> = HashMap::new();
            for (connection, since) in waiting {
                let (count, oldest) =
                    (clients.entry(connection.client)).or_insert((0, (since, connection)));
                *count += 1;
                if since < oldest.0 {
                    *oldest = (since, connection);
                }
            }
            let most = |(count, (since, _)): &(usize, (u64, _))| (*count, u64::MAX - since);
            let (_, (since, connection)) = clients.into_values().max_by_key(most)?;
            if connection.change(since, CLOSING) {
                connection.closed.notify_one();
                return Some(());
            }
            // Its request has just become whole: look again.
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        lock(&self.open).remove(&self.number);
    }
}

impl Connection {
    fn new(client: Client, clock: &Arc<AtomicU64>) -> Connection {
        Connection {
            client,
            waits_since: AtomicU64::new(clock.fetch_add(1, Ordering::Relaxed)),
            closed: Notify::new(),
            clock: Arc::clone(clock),
        }
    }

    /// A connection that is not counted.
    pub(super) fn uncounted(client: Client) -> Arc<Connection> {
        Arc::new(Connection::new(client, &Arc::new(AtomicU64::new(1))))
    }

    /// Marks that a whole request is being answered, unless the connection is being closed.
    pub(super) fn begin_answer(&self) {
        let since = self.waits_since.load(Ordering::Relaxed);
        if since != CLOSING {
            self.change(since, ANSWERING); // fails only if it is being closed meanwhile
        }
    }

    /// Ends the answer once this is dropped.
    pub(super) fn answer_end(self: &Arc<Connection>) -> AnswerEnd {
        AnswerEnd(Arc::clone(self))
    }

    /// Completes once the connection has to make room.
    pub(super) async fn closed(&self) {
        self.closed.notified().await;
    }

    fn change(&self, from: u64, to: u64) -> bool {
        let order = Ordering::Relaxed;
        let changed = self.waits_since.compare_exchange(from, to, order, order);
        changed.is_ok()
    }
}

impl Drop for AnswerEnd {
    fn drop(&mut self) {
        let now = self.0.clock.fetch_add(1, Ordering::Relaxed);
        self.0.change(ANSWERING, now);
    }
}

impl AnswerBody {
    pub(super) fn new(body: Body, end: AnswerEnd) -> AnswerBody {
        AnswerBody { body, _end: end }
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn lock<T>(open: &Mutex<T>) -> MutexGuard<'_, T> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> Client {
        Client::at([192, 0, 2, number].into())
    }

    /// Closes a connection to make room, and returns its index in `places`.
    fn closed(open: &OpenConnections, places: &[ConnectionSlot]) -> Option<usize> {
        open.close_one()?;
        let is_closing = |place: &ConnectionSlot| {
            place.connection.waits_since.load(Ordering::Relaxed) == CLOSING
        };
        places.iter().position(is_closing)
    }

    #[test]
    fn the_oldest_without_a_whole_request_makes_room() {
        let open = OpenConnections::new(4);
        let mut places: Vec<ConnectionSlot> =
            (0..4).map(|_| open.enter(client(1)).unwrap()).collect();
        assert!(open.enter(client(1)).is_none());
        places[0].connection.begin_answer();
        places[1].connection.begin_answer();
        drop(places[1].connection.answer_end()); // answered later than the others came
        for (left, oldest) in [(4, Some(2)), (3, Some(2)), (2, Some(1)), (1, None)] {
            assert_eq!(places.len(), left);
            assert_eq!(closed(&open, &places), oldest);
            oldest.map(|oldest| places.remove(oldest));
        }
        assert!(open.enter(client(1)).is_some());
    }

    #[test]
    fn the_client_with_the_most_makes_room() {
        let open = OpenConnections::new(4);
        let mut places: Vec<ConnectionSlot> = [1, 2, 2, 3]
            .map(|number| open.enter(client(number)).unwrap())
            .into();
        assert_eq!(closed(&open, &places), Some(1));
        places.remove(1);
        assert_eq!(closed(&open, &places), Some(0), "the oldest of equals");
    }

    #[test]
    fn what_is_being_closed_answers_no_more() {
        let open = OpenConnections::new(1);
        let place = open.enter(client(1)).unwrap();
        assert!(open.close_one().is_some());
        place.connection.begin_answer();
        drop(place.connection.answer_end());
        assert!(open.close_one().is_none(), "it is closed once");
    }
}
