//! One run of a program, from its start to the end of everything that it started.

use std::io;
use std::ops::ControlFlow;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::pipe::{Event, Input, PipeReader, Take, last_bytes, write};
use super::{Limit, ProcessTree, Supervision};

/// Bytes kept of standard error, the last ones.
const STDERR_BYTES: usize = 4096;

/// Time that a program may run after its output is complete.
const AFTER_COMPLETION: Duration = Duration::from_millis(200);

/// A time that can be added to any present one.
const FOREVER: Duration = Duration::from_secs(1 << 32);

/// End of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::grade) enum RunEnd {
    /// The program ended by itself; its failure, as `exit code 3`, if it failed.
    Exited(Option<String>),
    /// The program ended by a signal that this process did not send, as `signal 6, SIGABRT`.
    Signalled(String),
    /// The program was killed because it exceeded a limit. It exceeds the limit of time, too, if it does not end after
    /// its output is complete, and that of output if its output is not valid.
    Exceeded(Limit),
    /// `go_on` returned `Break`.
    Interrupted,
    /// The program killed the process that ran it.
    #[default]
    KilledGrader,
}

impl RunEnd {
    fn of(status: ExitStatus) -> RunEnd {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            let name = nix::sys::signal::Signal::try_from(signal);
            let name = name.map_or(String::new(), |name| format!(", {name}"));
            return RunEnd::Signalled(format!("signal {signal}{name}"));
        }
        RunEnd::Exited(match status.code() {
            Some(0) | None => None,
            // Windows ends a crashed process with such a code: 0xC0000005 is an access to memory that it does not have.
            Some(code) if code < 0 => Some(format!("exit code {code:#010X}")),
            Some(code) => Some(format!("exit code {code}")),
        })
    }
}

/// The result of a run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(in crate::grade) struct RunResult {
    pub end: RunEnd,
    /// The end of its standard error, if that was kept.
    pub stderr: Vec<u8>,
    pub time: Duration,
    pub used: Usage,
    /// Processes of the program that could not be killed.
    pub survivors: usize,
}

/// CPU time and memory of a program with all its processes, as far as they are known.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(in crate::grade) struct Usage {
    /// CPU time, with that of processes that have ended.
    pub cpu: Option<Duration>,
    /// Bytes of memory: at the moment, or the peak of a program that has ended.
    pub memory: Option<u64>,
}

/// Time from the start without checks of the processes: many programs are that short.
const START: Duration = Duration::from_millis(2);

impl Supervision {
    /// Runs a program with an input, or nothing, to its end; `take` gets its output. `go_on` is called at least ten times
    /// a second, and once more when the program has ended by itself.
    ///
    /// This thread watches the limits; others read and write the pipes, and one waits for the end so that the time is
    /// exact. On the command line guards run programs.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(in crate::grade) fn run<O: Default + Send + 'static>(
        &self,
        command: &mut Command,
        input: Option<Input>,
        take: Take<O>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> io::Result<(O, RunResult)> {
        #[cfg(target_os = "linux")]
        if super::guard::adopt_orphans() {
            return super::guard::run(self, command, input, take, go_on);
        }
        if !self.adopts_orphans {
            let stdin = input.as_ref().map_or(Stdio::null(), |_| Stdio::piped());
            command.stdin(stdin).stdout(Stdio::piped());
        }
        if !self.runs_filters {
            command.stderr(Stdio::piped());
        }
        let start = Instant::now();
        let (mut tree, (stdin, stdout, stderr)) = ProcessTree::start(command, self)?;
        let (sender, events) = mpsc::channel();
        let output = stdout.map(|pipe| PipeReader::start(pipe, take, sender.clone()));
        let take = last_bytes(STDERR_BYTES);
        let stderr = stderr.map(|pipe| PipeReader::start(pipe, take, sender.clone()));
        if let (Some(pipe), Some(input)) = (stdin, input) {
            write(pipe, input, sender.clone());
        }
        tree.report_exit(sender);
        let (stopped, mut used) = self.watch(Some(&tree), start, &events, go_on);
        let time = start.elapsed();
        let survivors = tree.kill();
        let output = output.map_or_else(O::default, PipeReader::finish);
        let stopped_late = events.try_iter().any(|event| event == Event::Stop);
        let mut end = stopped.or(stopped_late.then_some(RunEnd::Exceeded(Limit::Output)));
        if let Some((status, last)) = tree.end()? {
            used.cpu = used.cpu.max(last.cpu);
            used.memory = used.memory.max(last.memory);
            // A limit can be exceeded between two checks.
            let exceeded = self.exceeded(used).map(RunEnd::Exceeded);
            end = end.or(exceeded).or(Some(RunEnd::of(status)));
        }
        let result = RunResult {
            end: end.unwrap_or(RunEnd::Exceeded(Limit::Time)),
            stderr: stderr.map_or(Vec::new(), PipeReader::finish),
            time,
            used,
            survivors,
        };
        Ok((output, result))
    }

    /// Waits until a program has ended (`None`) or must be killed. Returns the CPU time that was measured last, and the most
    /// memory. Without its processes only its output and its time are watched.
    pub(super) fn watch(
        &self,
        tree: Option<&ProcessTree>,
        start: Instant,
        events: &Receiver<Event>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> (Option<RunEnd>, Usage) {
        let mut used = Usage::default();
        let mut deadline = start + self.timeout.min(FOREVER);
        let mut next_check = Instant::now() + START;
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
                    deadline = now + self.timeout.min(FOREVER);
                }
                _ => {}
            }
            let has_ended = event == Ok(Event::Exited);
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
                let limit = tree.and_then(|tree| self.check(tree, &mut used));
                if limit.is_some() {
                    break limit.map(RunEnd::Exceeded);
                }
                // Checks take a twentieth of a core at most.
                let pause = (now.elapsed() * 20)
                    .clamp(Duration::from_millis(5), Duration::from_millis(100));
                next_check = Instant::now() + pause;
            }
        };
        (end, used)
    }

    /// Reads the memory, the CPU time and the processes of a program, and returns the limit that one of them exceeds.
    fn check(&self, tree: &ProcessTree, used: &mut Usage) -> Option<Limit> {
        let (processes, usage) = tree.usage();
        if processes > self.processes {
            return Some(Limit::Processes);
        }
        used.cpu = usage.cpu.or(used.cpu);
        used.memory = used.memory.max(usage.memory);
        if self.exceeded(*used) == Some(Limit::CpuTime) {
            // A process whose parent waits for it during a reading can be counted twice.
            used.cpu = tree.usage().1.cpu.or(used.cpu);
        }
        self.exceeded(*used)
    }

    /// The limit of CPU time or of memory that is exceeded.
    fn exceeded(&self, used: Usage) -> Option<Limit> {
        if self.cpu.is_some_and(|limit| used.cpu > Some(limit)) {
            return Some(Limit::CpuTime);
        }
        (used.memory > Some(self.memory)).then_some(Limit::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn crashes_name_the_signal() {
        use std::os::unix::process::ExitStatusExt;
        let end = |status| RunEnd::of(ExitStatus::from_raw(status));
        let signalled = |text: &str| RunEnd::Signalled(text.to_owned());
        assert_eq!(end(0), RunEnd::Exited(None));
        assert_eq!(end(3 << 8), RunEnd::Exited(Some("exit code 3".to_owned())));
        assert_eq!(end(11), signalled("signal 11, SIGSEGV"));
        assert_eq!(end(6), signalled("signal 6, SIGABRT"));
        assert_eq!(end(77), signalled("signal 77"));
    }

    #[cfg(windows)]
    #[test]
    fn crashes_have_codes_as_windows_shows_them() {
        use std::os::windows::process::ExitStatusExt;
        let end = |code| RunEnd::of(ExitStatus::from_raw(code));
        let failed = |text: &str| RunEnd::Exited(Some(text.to_owned()));
        assert_eq!(end(3), failed("exit code 3"));
        assert_eq!(end(0xC000_0005), failed("exit code 0xC0000005"));
    }
}
