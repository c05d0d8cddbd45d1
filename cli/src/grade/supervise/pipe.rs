//! Reading the output of a program, and writing its input.

use std::io::{self, Read, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time for the last bytes in a pipe after all writers were killed.
const LAST_BYTES: Duration = Duration::from_secs(1);

/// Events that other threads send to the one that watches a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grade) enum Event {
    /// The leader has ended.
    Exited,
    /// The program has read or printed something.
    Active,
    /// Nothing more is expected; the program is to end now.
    Complete,
    /// The output is too long or not valid: the program is killed.
    Stop,
}

/// Takes the next bytes of a program's output.
pub(in crate::grade) type Take<O> = Box<dyn FnMut(&mut O, &[u8]) -> Event + Send>;

/// Keeps the first bytes of an output, which may not be longer.
pub(in crate::grade) fn first_bytes(limit: usize) -> Take<Vec<u8>> {
    Box::new(move |kept, bytes| {
        let room = bytes.len().min(limit - kept.len());
        kept.extend(&bytes[..room]);
        match room < bytes.len() {
            true => Event::Stop,
            false => Event::Active,
        }
    })
}

/// Keeps the last bytes of an output of any length.
pub(super) fn last_bytes(limit: usize) -> Take<Vec<u8>> {
    Box::new(move |kept, bytes| {
        kept.extend(bytes);
        kept.drain(..kept.len().saturating_sub(limit));
        Event::Active
    })
}

/// A thread that reads a pipe. It ends when the pipe has no writer any more; it is not joined, since
/// a process that cannot be killed may hold the pipe forever.
pub(super) struct PipeReader<O> {
    output: Arc<Mutex<O>>,
    ended: mpsc::Receiver<()>,
}

impl<O: Default + Send + 'static> PipeReader<O> {
    pub(super) fn start(
        mut pipe: impl Read + Send + 'static,
        mut take: Take<O>,
        events: Sender<Event>,
    ) -> PipeReader<O> {
        let output = Arc::new(Mutex::new(O::default()));
        let (sender, ended) = mpsc::channel();
        let shared = Arc::clone(&output);
        std::thread::spawn(move || {
            let _ended = sender; // wakes up `finish`
            let mut buffer = vec![0; 64 << 10];
            loop {
                let read = match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Ok(0) | Err(_) => return,
                    Ok(read) => read,
                };
                let mut output = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let event = take(&mut output, &buffer[..read]);
                if events.send(event).is_err() || event == Event::Stop {
                    return;
                }
            }
        });
        PipeReader { output, ended }
    }

    /// The output, once the pipe is empty or its last bytes are overdue.
    pub(super) fn finish(self) -> O {
        let _ = self.ended.recv_timeout(LAST_BYTES);
        std::mem::take(&mut self.output.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Input of a program, in chunks.
pub(in crate::grade) type Input = Box<dyn Iterator<Item = Vec<u8>> + Send>;

/// Writes to a program in a thread, which ends when the program has been killed.
pub(super) fn write(mut pipe: ChildStdin, input: Input, events: Sender<Event>) {
    std::thread::spawn(move || {
        for chunk in input {
            if pipe.write_all(&chunk).is_err() {
                return; // the program does not read all of it
            }
            let _ = events.send(Event::Active);
        }
    });
}
