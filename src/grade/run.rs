//! One run of a program, from its start to the end of everything that it started.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::limits::Limits;
use super::process_tree::{ProcessTree, Supervisor, memory};

/// Bytes of standard error that are kept, the last ones.
const ERRORS: usize = 4096;

/// How long the last bytes in a pipe may take, once nobody is left to write to it.
const LAST_BYTES: Duration = Duration::from_secs(1);

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// By itself, or by a signal that is not ours.
    Exited(ExitStatus),
    Timeout,
    OutOfMemory,
    TooMuchOutput,
    TooManyProcesses,
    /// We were asked to stop.
    Interrupted,
}

/// What a run left behind.
#[derive(Debug)]
pub(super) struct RunResult {
    pub end: RunEnd,
    /// What it printed, up to the limit.
    pub output: Vec<u8>,
    /// The end of what it printed to standard error.
    pub errors: Vec<u8>,
    pub time: Duration,
    /// The most memory that was seen.
    pub memory: Option<u64>,
    /// Processes that could not be ended.
    pub survivors: usize,
}

/// What happens while a program runs.
enum Event {
    Exited,
    Flooded,
}

/// Runs a program to its end. Time and memory are watched from here; two threads read what it
/// prints, and one waits for its end, so that the time is exact.
pub(super) fn run(
    command: &mut Command,
    input: Option<&str>,
    limits: &Limits,
    supervisor: &Supervisor,
    go_on: &dyn Fn() -> ControlFlow<()>,
) -> io::Result<RunResult> {
    let stdin = if input.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let (mut child, tree) = supervisor.start(command)?;
    let (events, happened) = mpsc::channel();
    let output = PipeReader::start(child.stdout.take(), Kept::First(limits.output), &events);
    let errors = PipeReader::start(child.stderr.take(), Kept::Last(ERRORS), &events);
    tell_of_end(Pid::from_child(&child), events);
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        let _ = stdin.write_all(input.as_bytes()); // it fits the pipe; nobody has to read it
    }
    let monitor = Monitor {
        start,
        limits,
        go_on,
    };
    let (ended, memory) = monitor.until_end(&tree, &happened);
    let time = start.elapsed();
    let survivors = tree.end();
    let (output, errors) = (output.finish(), errors.finish());
    let end = match ended {
        Some(end) => end,
        None if output.len() > limits.output => RunEnd::TooMuchOutput,
        None => RunEnd::Exited(child.wait()?),
    };
    if survivors == 0 {
        child.wait()?; // it has ended
    }
    Ok(RunResult {
        end,
        output,
        errors,
        time,
        memory,
        survivors,
    })
}

/// Sends an event when the process has ended, and leaves it to be waited for.
fn tell_of_end(id: Pid, events: Sender<Event>) {
    std::thread::spawn(move || {
        let ends = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(id), ends) {}
        let _ = events.send(Event::Exited);
    });
}

/// The bounds within which a program runs.
struct Monitor<'a> {
    start: Instant,
    limits: &'a Limits,
    go_on: &'a dyn Fn() -> ControlFlow<()>,
}

impl Monitor<'_> {
    /// Waits until the program has ended, or why it must; and the most memory that was seen.
    fn until_end(
        &self,
        tree: &ProcessTree<'_>,
        happened: &mpsc::Receiver<Event>,
    ) -> (Option<RunEnd>, Option<u64>) {
        let mut most = None;
        let mut pause = Duration::from_millis(2);
        loop {
            let rest = self.limits.timeout.saturating_sub(self.start.elapsed());
            match happened.recv_timeout(pause.min(rest)) {
                Ok(Event::Exited) | Err(RecvTimeoutError::Disconnected) => return (None, most),
                Ok(Event::Flooded) => return (Some(RunEnd::TooMuchOutput), most),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if (self.go_on)().is_break() {
                return (Some(RunEnd::Interrupted), most);
            }
            if self.start.elapsed() >= self.limits.timeout {
                return (Some(RunEnd::Timeout), most);
            }
            let look = Instant::now();
            let members = tree.refresh();
            if members.len() > self.limits.processes {
                return (Some(RunEnd::TooManyProcesses), most);
            }
            most = most.max(memory(&members, self.limits.memory));
            if most > Some(self.limits.memory) {
                return (Some(RunEnd::OutOfMemory), most);
            }
            // Looking takes a twentieth of a core at the most.
            pause =
                (look.elapsed() * 20).clamp(Duration::from_millis(5), Duration::from_millis(100));
        }
    }
}

/// Which bytes of a pipe are kept.
#[derive(Clone, Copy)]
enum Kept {
    /// So many, and one more to show that there are more; then it is a flood.
    First(usize),
    /// The last ones.
    Last(usize),
}

/// A thread that reads a pipe.
struct PipeReader {
    kept: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl PipeReader {
    fn start(
        pipe: Option<impl Read + Send + 'static>,
        kept_part: Kept,
        events: &Sender<Event>,
    ) -> PipeReader {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (sender, ended) = mpsc::channel();
        let (all, events) = (Arc::clone(&kept), events.clone());
        std::thread::spawn(move || {
            let Some(mut pipe) = pipe else { return };
            let mut buffer = vec![0; 64 << 10];
            loop {
                let read = match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Ok(0) | Err(_) => break,
                    Ok(read) => read,
                };
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                if !kept_part.add(&mut all, &buffer[..read]) {
                    let _ = events.send(Event::Flooded);
                    break;
                }
            }
            drop(sender); // tells that this is the end
        });
        PipeReader { kept, ended }
    }

    /// What was kept, once the pipe is empty or nobody can be waited for any longer.
    fn finish(self) -> Vec<u8> {
        let _ = self.ended.recv_timeout(LAST_BYTES);
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    /// Adds bytes; `false` if that is more than may come.
    fn add(self, all: &mut Vec<u8>, bytes: &[u8]) -> bool {
        match self {
            Kept::First(most) => {
                let room = (most + 1).saturating_sub(all.len());
                all.extend(bytes.iter().take(room));
                all.len() <= most
            }
            Kept::Last(most) => {
                all.extend(bytes);
                all.drain(..all.len().saturating_sub(most));
                true
            }
        }
    }
}
