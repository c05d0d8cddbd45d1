//! One run of a program, from its start to the end of everything that it started.

use std::io;
use std::ops::ControlFlow;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::ProcessTree;
use super::pipe::{Event, Input, PipeReader, Take, last_bytes, write};
#[cfg(unix)]
use super::registry::Adoption;
use super::settings::{Limit, Supervision};

/// Bytes kept of standard error, the last ones.
const STDERR_BYTES: usize = 4096;

/// Time that a program may run after its output is complete.
const AFTER_COMPLETION: Duration = Duration::from_millis(200);

/// A time that can be added to any present one.
const FOREVER: Duration = Duration::from_secs(1 << 32);

/// A program and its streams.
pub(in crate::grade) struct Program<'a, O> {
    /// On Linux its group id is set to that of this process.
    pub command: &'a mut Command,
    /// Its input; `None` for nothing.
    pub input: Option<Input>,
    /// Its output, which `take` adds to.
    pub output: O,
    pub take: Take<O>,
    /// Whether it answers one line after the other: the time limit starts anew whenever it reads or prints something, and
    /// standard error, which is kept otherwise, is that of this process.
    pub is_filter: bool,
}

/// End of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::grade) enum RunEnd {
    /// The program ended by itself, or by a signal that this process did not send.
    Exited(ExitStatus),
    /// The program was killed because it exceeded a limit. It exceeds the limit of time, too, if it does not end after
    /// its output is complete, and that of output if its output is not valid.
    Exceeded(Limit),
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
    pub used: Usage,
    /// Processes of the program that could not be killed.
    pub survivors: usize,
}

/// CPU time and memory of a program with all its processes, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::grade) struct Usage {
    /// CPU time, with that of processes that have ended.
    pub cpu: Option<Duration>,
    /// Bytes of memory: at the moment, or the peak of a program that has ended.
    pub memory: Option<u64>,
}

/// Runs programs under the same settings. While there is one that adopts orphans, this process is a child subreaper.
#[derive(Debug)]
pub(in crate::grade) struct Supervisor {
    settings: Supervision,
    #[cfg(unix)]
    _adoption: Option<Adoption>,
}

impl Supervisor {
    pub(in crate::grade) fn new(settings: &Supervision) -> Supervisor {
        Supervisor {
            settings: *settings,
            #[cfg(unix)]
            _adoption: settings.adopt_orphans.then(Adoption::begin),
        }
    }

    /// Runs a program to its end. `go_on` is called at least ten times a second, and once more when the program has
    /// ended by itself. This thread watches the limits; others read and write the pipes, and one waits for the end so
    /// that the time is exact.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(in crate::grade) fn run<O: Default + Send + 'static>(
        &self,
        program: Program<'_, O>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> io::Result<RunResult<O>> {
        let command = program.command;
        command.stdout(Stdio::piped()).stdin(match program.input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        });
        if !program.is_filter {
            command.stderr(Stdio::piped());
        }
        let start = Instant::now();
        let (mut tree, (stdin, stdout, stderr)) = ProcessTree::start(command, &self.settings)?;
        let (sender, events) = mpsc::channel();
        let stdout = stdout.expect("it is piped");
        let output = PipeReader::start(stdout, program.output, program.take, sender.clone());
        let take = last_bytes(STDERR_BYTES);
        let stderr = stderr.map(|pipe| PipeReader::start(pipe, vec![], take, sender.clone()));
        if let (Some(pipe), Some(input)) = (stdin, program.input) {
            write(pipe, input, sender.clone());
        }
        tree.report_exit(sender);
        let mut monitor = Monitor {
            tree: &tree,
            settings: &self.settings,
            restarts: program.is_filter,
            start,
            deadline: start + self.settings.timeout.min(FOREVER),
            used: Usage::default(),
        };
        let stopped = monitor.watch(&events, go_on);
        let (time, mut used) = (start.elapsed(), monitor.used);
        let survivors = tree.kill();
        let output = output.finish();
        let stopped_late = events.try_iter().any(|event| event == Event::Stop);
        let mut end = stopped.or(stopped_late.then_some(RunEnd::Exceeded(Limit::Output)));
        if let Some((status, last)) = tree.end()? {
            used.cpu = used.cpu.max(last.cpu);
            used.memory = used.memory.max(last.memory);
            // A limit can be exceeded between two checks.
            end.get_or_insert(if self.settings.exceeds_cpu(used.cpu) {
                RunEnd::Exceeded(Limit::CpuTime)
            } else if last.memory > Some(self.settings.memory) {
                RunEnd::Exceeded(Limit::Memory)
            } else {
                RunEnd::Exited(status)
            });
        }
        Ok(RunResult {
            end: end.unwrap_or(RunEnd::Exceeded(Limit::Time)),
            output,
            stderr: stderr.map_or(Vec::new(), PipeReader::finish),
            time,
            used,
            survivors,
        })
    }
}

/// Watches the limits of a running program.
struct Monitor<'a> {
    tree: &'a ProcessTree,
    settings: &'a Supervision,
    /// Whether the time limit starts anew at every activity.
    restarts: bool,
    start: Instant,
    deadline: Instant,
    /// The CPU time that was measured last, and the most memory.
    used: Usage,
}

/// Time from the start in which only the leader's memory is read: that is cheap, and many programs are that short.
const START: Duration = Duration::from_millis(2);

impl Monitor<'_> {
    /// Waits until the program has ended (`None`) or must be killed.
    fn watch(
        &mut self,
        events: &Receiver<Event>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> Option<RunEnd> {
        let mut next_check = Instant::now() + Duration::from_micros(200);
        let mut is_complete = false;
        loop {
            let next = next_check.min(self.deadline);
            let event = events.recv_timeout(next.saturating_duration_since(Instant::now()));
            let now = Instant::now();
            match event {
                Ok(Event::Stop) => return Some(RunEnd::Exceeded(Limit::Output)),
                Ok(Event::Complete) if !is_complete => {
                    is_complete = true;
                    self.deadline = self.deadline.min(now + AFTER_COMPLETION);
                }
                Ok(Event::Active) if self.restarts && !is_complete => {
                    self.deadline = now + self.settings.timeout.min(FOREVER);
                }
                _ => {}
            }
            let has_ended = matches!(
                event,
                Ok(Event::Exited) | Err(RecvTimeoutError::Disconnected)
            );
            if (has_ended || now >= next_check) && go_on().is_break() {
                return Some(RunEnd::Interrupted);
            }
            if has_ended {
                return None;
            }
            if now >= self.deadline {
                return Some(RunEnd::Exceeded(Limit::Time));
            }
            if now >= next_check {
                if let Some(limit) = self.exceeded() {
                    return Some(RunEnd::Exceeded(limit));
                }
                // Checks take a twentieth of a core at most.
                let least = if self.start.elapsed() < START {
                    Duration::from_micros(200)
                } else {
                    Duration::from_millis(5)
                };
                let pause = (now.elapsed() * 20).clamp(least, Duration::from_millis(100));
                next_check = Instant::now() + pause;
            }
        }
    }

    /// Reads the memory, the CPU time and the processes of the program, and returns the limit that one of them exceeds.
    fn exceeded(&mut self) -> Option<Limit> {
        self.used.memory = self.used.memory.max(self.tree.leader_peak());
        if self.start.elapsed() < START {
            return None;
        }
        let (processes, usage) = self.tree.usage();
        if processes > self.settings.processes {
            return Some(Limit::Processes);
        }
        self.used.cpu = usage.cpu.or(self.used.cpu);
        if self.settings.exceeds_cpu(self.used.cpu) {
            // A process whose parent waits for it during a reading can be counted twice.
            self.used.cpu = self.tree.usage().1.cpu.or(self.used.cpu);
        }
        if self.settings.exceeds_cpu(self.used.cpu) {
            return Some(Limit::CpuTime);
        }
        self.used.memory = self.used.memory.max(usage.memory);
        (usage.memory > Some(self.settings.memory)).then_some(Limit::Memory)
    }
}
