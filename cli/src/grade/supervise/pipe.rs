//! Reading the output of a program, and writing its input.

use std::io::{self, Read, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time for the last bytes in a pipe after all writers were killed.
const LAST_BYTES: Duration = Duration::from_secs(1);

/// Takes the output of a program.
pub(in crate::grade) trait Output: Send + 'static {
    /// Takes the next bytes and returns whether there may be more.
    fn take(&mut self, bytes: &[u8]) -> Demand;
}

/// Demand for more output of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grade) enum Demand {
    More,
    /// Nothing more is expected; the program is to end now.
    Complete,
    /// The output is too long or not valid: the program is killed.
    Stop,
}

/// The first bytes of an output, which may not be longer.
#[derive(Debug)]
pub(in crate::grade) struct FirstBytes {
    pub bytes: Vec<u8>,
    pub limit: usize,
}

impl Output for FirstBytes {
    fn take(&mut self, bytes: &[u8]) -> Demand {
        let room = self.limit - self.bytes.len();
        self.bytes.extend(bytes.iter().take(room));
        if bytes.len() > room {
            Demand::Stop
        } else {
            Demand::More
        }
    }
}

/// The last bytes of an output of any length.
#[derive(Debug)]
pub(super) struct LastBytes {
    pub bytes: Vec<u8>,
    pub limit: usize,
}

impl Output for LastBytes {
    fn take(&mut self, bytes: &[u8]) -> Demand {
        self.bytes.extend(bytes);
        let excess = self.bytes.len().saturating_sub(self.limit);
        self.bytes.drain(..excess);
        Demand::More
    }
}

/// The time since a program was started or, if `restarts`, since it last read or printed something.
#[derive(Debug)]
pub(super) struct Clock {
    start: Instant,
    restarts: bool,
    /// Milliseconds from the start to the last restart.
    restarted: AtomicU64,
}

impl Clock {
    pub(super) fn start(restarts: bool) -> Clock {
        Clock {
            start: Instant::now(),
            restarts,
            restarted: AtomicU64::new(0),
        }
    }

    fn restart(&self) {
        if self.restarts {
            let now = self.start.elapsed().as_millis() as u64;
            self.restarted.store(now, Ordering::Relaxed);
        }
    }

    /// The time since the last restart.
    pub(super) fn elapsed(&self) -> Duration {
        let restarted = Duration::from_millis(self.restarted.load(Ordering::Relaxed));
        self.start.elapsed().saturating_sub(restarted)
    }

    /// The time since the start.
    pub(super) fn total(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Events that other threads send to the one that watches a program.
pub(super) enum Event {
    /// The leader has ended.
    Exited,
    /// The output is complete.
    Complete,
    /// The program is to be stopped.
    Stop,
}

/// A thread that reads a pipe. It ends when the pipe has no writer any more; it is not joined, since
/// a process that cannot be killed may hold the pipe forever.
pub(super) struct PipeReader<O> {
    output: Arc<Mutex<Option<O>>>,
    ended: mpsc::Receiver<()>,
}

impl<O: Output> PipeReader<O> {
    pub(super) fn start(
        mut pipe: impl Read + Send + 'static,
        output: O,
        clock: &Arc<Clock>,
        events: &Sender<Event>,
    ) -> PipeReader<O> {
        let output = Arc::new(Mutex::new(Some(output)));
        let (sender, ended) = mpsc::channel();
        let (shared, clock, events) = (Arc::clone(&output), Arc::clone(clock), events.clone());
        std::thread::spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            loop {
                let read = match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Ok(0) | Err(_) => break,
                    Ok(read) => read,
                };
                clock.restart();
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(output) = shared.as_mut() else { break };
                match output.take(&buffer[..read]) {
                    Demand::More => {}
                    Demand::Complete => drop(events.send(Event::Complete)),
                    Demand::Stop => {
                        let _ = events.send(Event::Stop);
                        break;
                    }
                }
            }
            drop(sender); // wakes up `finish`
        });
        PipeReader { output, ended }
    }

    /// The output, once the pipe is empty or its last bytes are overdue.
    pub(super) fn finish(self) -> O {
        let _ = self.ended.recv_timeout(LAST_BYTES);
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.take().expect("it is taken here only")
    }
}

/// Input of a program, in chunks.
pub(in crate::grade) type Input = Box<dyn Iterator<Item = Vec<u8>> + Send>;

/// Writes to a program in a thread, which ends when the program has been killed.
pub(super) fn write(mut pipe: ChildStdin, input: Input, clock: &Arc<Clock>) {
    let clock = Arc::clone(clock);
    std::thread::spawn(move || {
        for chunk in input {
            if pipe.write_all(&chunk).is_err() {
                return; // the program does not read all of it
            }
            clock.restart();
        }
    });
}
