//! Ranks that are processes of an MPI program, on one machine or several.

use std::fmt;
use std::thread;
use std::time::Duration;

use mpi::environment::Universe;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use mpi::{Threading, request};

use super::exchange::Exchange;

/// A rank that is a process of an MPI program. MPI ends when it is dropped.
pub struct Mpi {
    universe: Universe,
    ranks: usize,
    rank: usize,
    ranks_here: usize,
}

/// Bytes of a message that are sent at a time: MPI counts them in 31 bits.
const PIECE: usize = 1 << 26;

/// Pause between two polls of MPI while this rank is at work.
const PAUSE: Duration = Duration::from_micros(50);

impl Mpi {
    /// Starts MPI. Of the threads of this process, only the calling one may use it. `None` if it
    /// has been started before.
    pub fn start() -> Option<Mpi> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        let world = universe.world();
        Some(Mpi {
            ranks: world.size() as usize,
            rank: world.rank() as usize,
            ranks_here: world.split_shared(world.rank()).size() as usize,
            universe,
        })
    }
}

impl fmt::Debug for Mpi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mpi({} of {})", self.rank, self.ranks)
    }
}

impl Exchange for Mpi {
    fn ranks(&self) -> usize {
        self.ranks
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks_here(&self) -> usize {
        self.ranks_here
    }

    /// MPI makes progress only while it is polled, so this thread polls and another one works.
    fn swap(
        &self,
        mut messages: Vec<Vec<u8>>,
        meanwhile: &mut (dyn FnMut() + Send),
    ) -> Vec<Vec<u8>> {
        let world = self.universe.world();
        let lengths: Vec<usize> = messages.iter().map(Vec::len).collect();
        let mut expected = vec![0usize; self.ranks];
        world.all_to_all_into(&lengths[..], &mut expected[..]);
        let own = std::mem::take(&mut messages[self.rank]);
        expected[self.rank] = 0;
        let zeros = |&length: &usize| vec![0; length];
        let mut received: Vec<Vec<u8>> = expected.iter().map(zeros).collect();
        request::multiple_scope(2 * self.ranks, |scope, requests| {
            for (rank, message) in (0..).zip(&mut received) {
                for piece in message.chunks_mut(PIECE) {
                    let process = world.process_at_rank(rank);
                    requests.add(process.immediate_receive_into(scope, piece));
                }
            }
            for (rank, message) in (0..).zip(&messages) {
                for piece in message.chunks(PIECE) {
                    requests.add(world.process_at_rank(rank).immediate_send(scope, piece));
                }
            }
            thread::scope(|threads| {
                let work = threads.spawn(meanwhile);
                let mut done = Vec::new();
                while requests.incomplete() > 0 && !requests.test_all(&mut done) {
                    if !work.is_finished() {
                        thread::sleep(PAUSE);
                    }
                }
            });
        });
        received[self.rank] = own;
        received
    }
}
