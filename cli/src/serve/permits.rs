//! Permits for work that only a few requests may do at a time, shared out fairly among clients.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::client::Client;
use super::metrics::{Counted, Gauge};

/// A number of permits. Clients that wait take turns, independent of the number of their requests; the requests of each
/// are served in their order. One of several permits is kept for clients that hold none, so that a client never
/// waits for the requests of a single other one.
#[derive(Debug)]
pub(super) struct Permits {
    total: usize,
    in_use: Gauge,
    queue: Mutex<Queue>,
}

/// A permit, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    permits: Arc<Permits>,
    client: Client,
    counted: Option<Counted>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Permits that are given out.
    taken: usize,
    /// The permits of each client that has one.
    held: HashMap<Client, usize>,
    /// The requests of each client that waits, in their order.
    waiting: HashMap<Client, VecDeque<Waiter>>,
    /// The clients that wait, each once; the first is the next.
    turns: VecDeque<Client>,
    /// The number of the next request that waits.
    next: u64,
}

/// A request that waits.
#[derive(Debug)]
struct Waiter {
    number: u64,
    granted: oneshot::Sender<()>,
}

impl Permits {
    /// Returns `total` permits; the gauge has the number of those in use.
    pub(super) fn new(total: usize, in_use: Gauge) -> Arc<Permits> {
        Arc::new(Permits {
            total,
            in_use,
            queue: Mutex::default(),
        })
    }

    /// Waits for a permit. The future may be dropped at any time.
    pub(super) async fn acquire(self: &Arc<Permits>, client: Client) -> Permit {
        let waiting = {
            let mut queue = self.queue();
            let is_first = !queue.waiting.contains_key(&client);
            if is_first && queue.may_take(client, self.total) {
                queue.take(client);
                None
            } else {
                Some(queue.wait(client))
            }
        };
        if let Some((number, granted)) = waiting {
            let mut wait = Wait {
                permits: self,
                client,
                number,
                granted,
            };
            // An error is impossible: the sender is dropped only after it has sent, or by `Wait`.
            let _ = (&mut wait.granted).await;
        }
        Permit {
            permits: Arc::clone(self),
            client,
            counted: Some(self.in_use.enter()),
        }
    }

    /// Returns whether a request waits.
    pub(super) fn is_awaited(&self) -> bool {
        !self.queue().turns.is_empty()
    }

    fn give_back(&self, client: Client) {
        let mut queue = self.queue();
        queue.give_back(client);
        queue.grant(self.total);
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        drop(self.counted.take()); // first, so that the gauge never shows more than there are
        self.permits.give_back(self.client);
    }
}

/// The wait of a request.
struct Wait<'a> {
    permits: &'a Permits,
    client: Client,
    number: u64,
    granted: oneshot::Receiver<()>,
}

impl Drop for Wait<'_> {
    /// Leaves the queue. A permit that was granted and not received is given back.
    fn drop(&mut self) {
        if self.granted.is_terminated() {
            return; // it was received
        }
        self.permits.queue().leave(self.client, self.number);
        if self.granted.try_recv().is_ok() {
            self.permits.give_back(self.client);
        }
    }
}

impl Queue {
    /// Returns whether a client may take one of `total` permits. The last one is for those that hold none.
    fn may_take(&self, client: Client, total: usize) -> bool {
        let kept = usize::from(total > 1 && self.held.contains_key(&client));
        self.taken + kept < total
    }

    fn take(&mut self, client: Client) {
        self.taken += 1;
        *self.held.entry(client).or_default() += 1;
    }

    fn give_back(&mut self, client: Client) {
        self.taken -= 1;
        if let Some(held) = self.held.get_mut(&client) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&client);
            }
        }
    }

    /// Appends a request of a client; returns its number and the receiver that is notified of its permit.
    fn wait(&mut self, client: Client) -> (u64, oneshot::Receiver<()>) {
        let (granted, receiver) = oneshot::channel();
        let number = self.next;
        self.next += 1;
        let requests = self.waiting.entry(client).or_default();
        if requests.is_empty() {
            self.turns.push_back(client);
        }
        requests.push_back(Waiter { number, granted });
        (number, receiver)
    }

    /// Removes a request, if it still waits.
    fn leave(&mut self, client: Client, number: u64) {
        let Some(requests) = self.waiting.get_mut(&client) else {
            return;
        };
        requests.retain(|waiter| waiter.number != number);
        if requests.is_empty() {
            self.waiting.remove(&client);
            self.turns.retain(|&other| other != client);
        }
    }

    /// Gives permits that are free to clients that wait, in turn.
    fn grant(&mut self, total: usize) {
        while let Some(turn) = (self.turns.iter()).position(|&client| self.may_take(client, total))
        {
            let client = self.turns.remove(turn).expect("its place was just found");
            let requests = self.waiting.get_mut(&client);
            let first = requests.and_then(VecDeque::pop_front);
            if self
                .waiting
                .get(&client)
                .is_some_and(|left| left.is_empty())
            {
                self.waiting.remove(&client);
            } else {
                self.turns.push_back(client);
            }
            if first.is_some_and(|first| first.granted.send(()).is_ok()) {
                self.take(client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    type Waiting<'a> = Pin<Box<dyn Future<Output = Permit> + 'a>>;

    fn client(number: u8) -> Client {
        Client::at([192, 0, 2, number].into())
    }

    fn permits(total: usize) -> Arc<Permits> {
        Permits::new(total, Gauge::default())
    }

    /// The permit, if it is there.
    fn poll(waiting: &mut Waiting<'_>) -> Option<Permit> {
        match waiting
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(permit) => Some(permit),
            Poll::Pending => None,
        }
    }

    /// Requests a permit, and waits in the queue if there is none.
    fn ask(permits: &Arc<Permits>, number: u8) -> (Waiting<'_>, Option<Permit>) {
        let mut waiting: Waiting = Box::pin(permits.acquire(client(number)));
        let permit = poll(&mut waiting);
        (waiting, permit)
    }

    fn take(permits: &Arc<Permits>, number: u8) -> Permit {
        ask(permits, number).1.expect("a permit is free")
    }

    #[test]
    fn clients_take_turns_whatever_the_number_of_their_requests() {
        let permits = permits(1);
        let mut held = Some(take(&permits, 1));
        let asked = [1, 1, 1, 2, 2, 3];
        let mut waiting: Vec<_> = asked.map(|number| (number, ask(&permits, number).0)).into();
        let mut served = Vec::new();
        while !waiting.is_empty() {
            drop(held.take());
            let ready = waiting.iter_mut().enumerate();
            let mut ready = ready.filter_map(|(i, (_, wait))| Some((i, poll(wait)?)));
            let (i, permit) = ready.next().expect("one is served");
            assert!(ready.next().is_none(), "and no second one");
            drop(ready);
            served.push(waiting.remove(i).0);
            held = Some(permit);
        }
        assert_eq!(served, [1, 2, 3, 1, 2, 1]);
        drop(held);
        assert_eq!(permits.in_use.get(), 0);
        assert!(permits.queue().held.is_empty() && !permits.is_awaited());
    }

    #[test]
    fn one_permit_is_kept_for_clients_that_hold_none() {
        let permits = permits(3);
        let mut held = vec![take(&permits, 1), take(&permits, 1)];
        let (mut third, none) = ask(&permits, 1);
        assert!(none.is_none());
        assert!(permits.is_awaited());
        let other = take(&permits, 2); // though the first client waits
        assert_eq!(permits.in_use.get(), 3);
        assert!(ask(&permits, 3).1.is_none());
        drop(other);
        assert!(poll(&mut third).is_none());
        held.pop();
        held.push(poll(&mut third).expect("its turn"));
        assert_eq!(permits.in_use.get(), 2);
    }

    #[test]
    fn a_request_that_waits_no_more_takes_nothing() {
        let permits = permits(1);
        for granted in [false, true] {
            let held = take(&permits, 1);
            let (gone, _) = ask(&permits, 2);
            let (mut next, _) = ask(&permits, 3);
            if granted {
                drop(held); // the permit is on its way to a request that is dropped
                drop(gone);
            } else {
                drop(gone);
                drop(held);
            }
            assert!(poll(&mut next).is_some());
            drop(next);
            assert_eq!(permits.queue().taken, 0);
            assert!(!permits.is_awaited());
        }
    }

    #[test]
    fn threads_never_hold_more_permits_than_there_are() {
        let permits = permits(3);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .build();
        runtime.unwrap().block_on(async {
            let tasks: Vec<_> = (0..200)
                .map(|i| {
                    let permits = Arc::clone(&permits);
                    tokio::spawn(async move {
                        for _ in 0..20 {
                            let mut wait = pin!(permits.acquire(client(i % 7)));
                            let permit = tokio::select! {
                                biased;
                                permit = &mut wait => permit,
                                () = tokio::task::yield_now(), if i % 3 == 0 => continue,
                            };
                            assert!(permits.in_use.get() <= 3);
                            tokio::task::yield_now().await;
                            drop(permit);
                        }
                    })
                })
                .collect();
            for task in tasks {
                task.await.unwrap();
            }
        });
        assert_eq!(permits.queue().taken, 0);
        assert!(!permits.is_awaited());
    }
}
