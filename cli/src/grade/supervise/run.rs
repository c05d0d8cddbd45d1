//! One run of a program, from its start to the end of everything that it started.

use std::io;
use std::ops::ControlFlow;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::pipe::{Clock, Event, Input, LastBytes, Output, PipeReader, write};
use super::settings::Supervision;
use super::{ProcessTree, Supervisor};

/// Bytes kept of standard error, the last ones.
const STDERR_BYTES: usize = 4096;

/// Time that a program may run after its output is complete.
const AFTER_COMPLETION: Duration = Duration::from_millis(200);

/// A program and its streams.
pub(in crate::grade) struct Program<'a, O> {
    pub command: &'a mut Command,
    /// Its input; `None` for nothing.
    pub input: Option<Input>,
    /// Takes its output.
    pub output: O,
    /// Whether the peak memory of short programs is to be known too. The group id of `command` is then
    /// set to that of this process.
    pub measures_memory: bool,
    /// Whether standard error is kept; it is shared with this process otherwise.
    pub keeps_stderr: bool,
    /// Whether the time limit starts anew whenever the program reads or prints something.
    pub timeout_restarts: bool,
}

/// End of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grade) enum RunEnd {
    /// The program ended by itself, or by a signal that this process did not send.
    Exited(ExitStatus),
    /// The time was over, or the program did not end after its output was complete.
    Timeout,
    CpuTimeout,
    OutOfMemory,
    /// The [`Output`] returned `Stop`.
    Stopped,
    TooManyProcesses,
    /// `go_on` returned `Break`.
    Interrupted,
}

/// The result of a run.
#[derive(Debug)]
pub(in crate::grade) struct RunResult<O> {
    pub end: RunEnd,
    pub output: O,
    /// The end of its standard error, if that was kept.
    pub stderr: Vec<u8>,
    pub time: Duration,
    /// CPU time of all its processes, as far as it is known.
    pub cpu: Option<Duration>,
    /// The peak of its memory in bytes, as far as it is known.
    pub memory: Option<u64>,
    /// Processes of the program that could not be killed.
    pub survivors: usize,
}

impl Supervisor {
    /// Runs a program to its end. `go_on` is called at least ten times a second. This thread watches the limits; others
    /// read and write the pipes, and one waits for the end so that the time is exact.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(in crate::grade) fn run<O: Output>(
        &self,
        program: Program<'_, O>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> io::Result<RunResult<O>> {
        let command = program.command;
        command.stdout(Stdio::piped()).stdin(match program.input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        });
        if program.keeps_stderr {
            command.stderr(Stdio::piped());
        }
        let clock = Arc::new(Clock::start(program.timeout_restarts));
        let (pipes, mut tree) = self.start(command, program.measures_memory)?;
        let (sender, events) = mpsc::channel();
        let stdout = pipes.stdout.expect("it is piped");
        let output = PipeReader::start(stdout, program.output, &clock, &sender);
        let stderr = pipes.stderr.map(|pipe| {
            let (bytes, limit) = (Vec::new(), STDERR_BYTES);
            PipeReader::start(pipe, LastBytes { bytes, limit }, &clock, &sender)
        });
        if let (Some(pipe), Some(input)) = (pipes.stdin, program.input) {
            write(pipe, input, &clock);
        }
        tree.report_exit(sender.clone());
        let mut monitor = Monitor::new(&tree, &self.settings, &clock, go_on);
        let stopped = monitor.watch(&events);
        let time = clock.total();
        let survivors = tree.kill();
        let output = output.finish();
        let stopped_late = events.try_iter().any(|event| matches!(event, Event::Stop));
        let mut end = stopped.or(stopped_late.then_some(RunEnd::Stopped));
        let (mut memory, mut cpu) = (monitor.peak, monitor.cpu);
        if let Some(ended) = tree.end()? {
            memory = memory.max(ended.peak);
            cpu = cpu.max(ended.cpu);
            if end.is_none() && self.settings.exceeds_cpu(cpu) {
                end = Some(RunEnd::CpuTimeout); // between two checks
            }
            if end.is_none() && ended.peak > Some(self.settings.memory.max(ended.floor)) {
                end = Some(RunEnd::OutOfMemory); // between two checks
            }
            end = end.or(Some(RunEnd::Exited(ended.status)));
        }
        Ok(RunResult {
            end: end.unwrap_or(RunEnd::Timeout),
            output,
            stderr: stderr.map_or(Vec::new(), |pipe| pipe.finish().bytes),
            time,
            cpu,
            memory,
            survivors,
        })
    }
}

/// The ends of a started program's pipes.
pub(super) struct Pipes {
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
}

/// Processes, CPU time and memory that a running program uses.
pub(super) struct Usage {
    pub processes: usize,
    /// CPU time of all its processes, those that have ended too, if the system reports it.
    pub cpu: Option<Duration>,
    /// Bytes of memory, if the system reports it.
    pub memory: Option<u64>,
}

/// End of the first process of a program.
pub(super) struct Ended {
    pub status: ExitStatus,
    /// CPU time, with that of the processes that it waited for, if the system reports it.
    pub cpu: Option<Duration>,
    /// The peak of its memory in bytes, if the system reports it.
    pub peak: Option<u64>,
    /// A peak up to this may be that of this process.
    pub floor: u64,
}

/// Watches the limits of a running program.
struct Monitor<'a> {
    tree: &'a ProcessTree,
    settings: &'a Supervision,
    clock: &'a Clock,
    go_on: &'a dyn Fn() -> ControlFlow<()>,
    /// The most memory that was measured.
    peak: Option<u64>,
    /// The CPU time that was measured last.
    cpu: Option<Duration>,
    /// Time at which the output was complete.
    completed: Option<Instant>,
}

/// Time from the start in which only the leader's memory is read: that is cheap, and many programs are that short.
const START: Duration = Duration::from_millis(2);

impl<'a> Monitor<'a> {
    fn new(
        tree: &'a ProcessTree,
        settings: &'a Supervision,
        clock: &'a Clock,
        go_on: &'a dyn Fn() -> ControlFlow<()>,
    ) -> Monitor<'a> {
        Monitor {
            tree,
            settings,
            clock,
            go_on,
            peak: None,
            cpu: None,
            completed: None,
        }
    }

    /// Waits until the program has ended (`None`) or must be killed.
    fn watch(&mut self, events: &Receiver<Event>) -> Option<RunEnd> {
        let mut next_check = Instant::now() + Duration::from_micros(200);
        loop {
            let until_check = next_check.saturating_duration_since(Instant::now());
            match events.recv_timeout(until_check.min(self.time_left())) {
                Ok(Event::Exited) | Err(RecvTimeoutError::Disconnected) => return None,
                Ok(Event::Stop) => return Some(RunEnd::Stopped),
                Ok(Event::Complete) => {
                    self.completed.get_or_insert_with(Instant::now);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if (self.go_on)().is_break() {
                return Some(RunEnd::Interrupted);
            }
            if self.time_left().is_zero() {
                return Some(RunEnd::Timeout);
            }
            let start = Instant::now();
            if start >= next_check {
                if let Some(end) = self.check() {
                    return Some(end);
                }
                // Checks take a twentieth of a core at most.
                let pause = start.elapsed() * 20;
                let least = if self.clock.total() < START {
                    Duration::from_micros(200)
                } else {
                    Duration::from_millis(5)
                };
                next_check = Instant::now() + pause.clamp(least, Duration::from_millis(100));
            }
        }
    }

    fn time_left(&self) -> Duration {
        let left = self.settings.timeout.saturating_sub(self.clock.elapsed());
        match self.completed {
            Some(completed) => left.min(AFTER_COMPLETION.saturating_sub(completed.elapsed())),
            None => left,
        }
    }

    /// Reads the memory, the CPU time and the processes of the program.
    fn check(&mut self) -> Option<RunEnd> {
        self.peak = self.peak.max(self.tree.leader_peak());
        if self.clock.total() < START {
            return None;
        }
        let usage = self.tree.usage();
        if usage.processes > self.settings.processes {
            return Some(RunEnd::TooManyProcesses);
        }
        self.cpu = usage.cpu.or(self.cpu);
        if self.settings.exceeds_cpu(self.cpu) {
            // A process whose parent waits for it during a reading can be counted twice.
            self.cpu = self.tree.usage().cpu.or(self.cpu);
        }
        if self.settings.exceeds_cpu(self.cpu) {
            return Some(RunEnd::CpuTimeout);
        }
        self.peak = self.peak.max(usage.memory);
        (usage.memory > Some(self.settings.memory)).then_some(RunEnd::OutOfMemory)
    }
}
