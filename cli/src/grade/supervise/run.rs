//! One run of a program, from its start to the end of everything that it started.

use std::io;
use std::ops::ControlFlow;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::pipe::{Event, Input, PipeReader, Take, last_bytes, write};
#[cfg(unix)]
use super::tree::Adoption;
use super::{Limit, ProcessTree, Supervision};

/// Bytes kept of standard error, the last ones.
const STDERR_BYTES: usize = 4096;

/// Time that a program may run after its output is complete.
const AFTER_COMPLETION: Duration = Duration::from_millis(200);

/// A time that can be added to any present one.
const FOREVER: Duration = Duration::from_secs(1 << 32);

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
    /// Whether programs answer one line after the other: the time limit starts anew whenever one reads or prints
    /// something, and standard error, which is kept otherwise, is that of this process.
    runs_filters: bool,
    #[cfg(unix)]
    _adoption: Option<Adoption>,
}

/// Time from the start in which only the leader's memory is read: that is cheap, and many programs are that short.
const START: Duration = Duration::from_millis(2);

impl Supervisor {
    pub(in crate::grade) fn new(settings: &Supervision, runs_filters: bool) -> Supervisor {
        Supervisor {
            settings: *settings,
            runs_filters,
            #[cfg(unix)]
            _adoption: settings.adopt_orphans.then(Adoption::begin),
        }
    }

    /// Runs a program with an input, or nothing, to its end; `take` gets its output. `go_on` is called at least ten times
    /// a second, and once more when the program has ended by itself. This thread watches the limits; others read and write
    /// the pipes, and one waits for the end so that the time is exact. On Linux the group id of `command` is set to that of
    /// this process.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(in crate::grade) fn run<O: Default + Send + 'static>(
        &self,
        command: &mut Command,
        input: Option<Input>,
        take: Take<O>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> io::Result<RunResult<O>> {
        command.stdout(Stdio::piped()).stdin(match input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        });
        if !self.runs_filters {
            command.stderr(Stdio::piped());
        }
        let start = Instant::now();
        let (mut tree, (stdin, stdout, stderr)) = ProcessTree::start(command, &self.settings)?;
        let (sender, events) = mpsc::channel();
        let output = PipeReader::start(stdout.expect("it is piped"), take, sender.clone());
        let take = last_bytes(STDERR_BYTES);
        let stderr = stderr.map(|pipe| PipeReader::start(pipe, take, sender.clone()));
        if let (Some(pipe), Some(input)) = (stdin, input) {
            write(pipe, input, sender.clone());
        }
        tree.report_exit(sender);
        let (stopped, mut used) = self.watch(&tree, start, &events, go_on);
        let time = start.elapsed();
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

    /// Waits until a program has ended (`None`) or must be killed. Returns the CPU time that was measured last, and the most
    /// memory.
    fn watch(
        &self,
        tree: &ProcessTree,
        start: Instant,
        events: &Receiver<Event>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> (Option<RunEnd>, Usage) {
        let mut used = Usage::default();
        let mut deadline = start + self.settings.timeout.min(FOREVER);
        let mut next_check = Instant::now() + Duration::from_micros(200);
        let mut is_complete = false;
        let end = loop {
            let next = next_check.min(deadline);
            let event = events.recv_timeout(next.saturating_duration_since(Instant::now()));
            let now = Instant::now();
            match event {
                Ok(Event::Stop) => break Some(RunEnd::Exceeded(Limit::Output)),
                Ok(Event::Complete) if !is_complete => {
                    is_complete = true;
                    deadline = deadline.min(now + AFTER_COMPLETION);
                }
                Ok(Event::Active) if self.runs_filters && !is_complete => {
                    deadline = now + self.settings.timeout.min(FOREVER);
                }
                _ => {}
            }
            let has_ended = matches!(
                event,
                Ok(Event::Exited) | Err(RecvTimeoutError::Disconnected)
            );
            if (has_ended || now >= next_check) && go_on().is_break() {
                break Some(RunEnd::Interrupted);
            }
            if has_ended {
                break None;
            }
            if now >= deadline {
                break Some(RunEnd::Exceeded(Limit::Time));
            }
            if now >= next_check {
                used.memory = used.memory.max(tree.leader_peak());
                let mut least = Duration::from_micros(200);
                if start.elapsed() >= START {
                    if let Some(limit) = self.exceeded(tree, &mut used) {
                        break Some(RunEnd::Exceeded(limit));
                    }
                    least = Duration::from_millis(5);
                }
                // Checks take a twentieth of a core at most.
                let pause = (now.elapsed() * 20).clamp(least, Duration::from_millis(100));
                next_check = Instant::now() + pause;
            }
        };
        (end, used)
    }

    /// Reads the memory, the CPU time and the processes of a program, and returns the limit that one of them exceeds.
    fn exceeded(&self, tree: &ProcessTree, used: &mut Usage) -> Option<Limit> {
        let (processes, usage) = tree.usage();
        if processes > self.settings.processes {
            return Some(Limit::Processes);
        }
        used.cpu = usage.cpu.or(used.cpu);
        if self.settings.exceeds_cpu(used.cpu) {
            // A process whose parent waits for it during a reading can be counted twice.
            used.cpu = tree.usage().1.cpu.or(used.cpu);
        }
        if self.settings.exceeds_cpu(used.cpu) {
            return Some(Limit::CpuTime);
        }
        used.memory = used.memory.max(usage.memory);
        (usage.memory > Some(self.settings.memory)).then_some(Limit::Memory)
    }
}
