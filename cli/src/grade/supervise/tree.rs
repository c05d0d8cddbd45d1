//! Starting a program, and killing it with every process that it started.
//!
//! A program runs in a process group of its own, and the group is killed. Processes that left the
//! group are found in two ways.
//!
//! With [`adopt_orphans`](super::settings::Supervision::adopt_orphans), on Linux, this process is a child subreaper:
//! every process that a program starts remains a descendant of this process. Children of this process are killed and
//! waited for until there are none. No process can escape, since one that ends leaves its children to this process at
//! the same instant. If several programs run, an orphan belongs to the program below which it was seen before, or whose
//! mark is in its environment.
//!
//! Otherwise the process table is searched for the processes that were seen below the program before
//! or have its mark.

use std::cell::Cell;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use std::os::unix::process::CommandExt;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid,
    waitpid,
};

use wait4::Wait4;

use super::memory::{PeakFloor, force_fork, memory_in_use};
use super::pipe::Event;
use super::process::{
    Process, ProcessKey, all_processes, children, disable_core_dump, own_id, peak_memory,
    thread_cpu,
};
use super::registry::{MARK_VARIABLE, Owner, registry};
use super::run::{Ended, Pipes, Usage};
use super::settings::Supervision;

/// Processes that were killed are given up when none of them has ended for this time.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// A child of unknown owner is killed after this time: a process that calls `exec` has shown its
/// environment by then.
const UNKNOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// Runs programs under the same settings. While there is one that adopts orphans, this process is a
/// child subreaper.
#[derive(Debug)]
pub(in crate::grade) struct Supervisor {
    pub(super) settings: Supervision,
}

impl Supervisor {
    pub(in crate::grade) fn new(settings: &Supervision) -> Supervisor {
        if settings.adopt_orphans {
            registry().add_adopter();
        }
        let settings = *settings;
        Supervisor { settings }
    }

    /// Starts a program. If `measures_memory`, the group id of `command` is set to that of this process.
    pub(super) fn start(
        &self,
        command: &mut Command,
        measures_memory: bool,
    ) -> io::Result<(Pipes, ProcessTree)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let value = format!("{}-{}", own_id(), NEXT.fetch_add(1, Ordering::Relaxed));
        command.env(MARK_VARIABLE, &value).process_group(0);
        #[cfg(target_os = "linux")]
        command.env_remove(super::guard::ROLE);
        let forks = measures_memory && force_fork(command);
        // The registry stays locked until the child is in it: else the child would be killed as an orphan.
        let mut registry = registry();
        let mut child = command.spawn()?;
        let leader = Pid::from_child(&child);
        disable_core_dump(leader);
        registry.add_program(leader.as_raw_pid(), format!("{MARK_VARIABLE}={value}"));
        let pipes = Pipes {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
        };
        let tree = ProcessTree {
            leader,
            child,
            floor: PeakFloor::new(forks),
            cpu_of_orphans: Cell::default(),
            settings: self.settings,
        };
        Ok((pipes, tree))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if self.settings.adopt_orphans {
            registry().remove_adopter();
        }
    }
}

/// A running program and everything that it started. It must be killed before its first process, the
/// leader, is waited for: until then no other process can have the same process group.
#[derive(Debug)]
pub(super) struct ProcessTree {
    leader: Pid,
    child: Child,
    floor: PeakFloor,
    /// CPU time of the orphans that have ended and that this process waited for.
    cpu_of_orphans: Cell<Duration>,
    settings: Supervision,
}

/// Result of a round of killing.
struct Round {
    ended: usize,
    remaining: Vec<ProcessKey>,
}

impl ProcessTree {
    /// Sends an event when the first process has ended, and leaves it to be waited for.
    pub(super) fn report_exit(&self, events: Sender<Event>) {
        let id = self.leader;
        std::thread::spawn(move || {
            let ends = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(id), ends) {}
            let _ = events.send(Event::Exited);
        });
    }

    /// The peak of the first process's memory in bytes, which is cheap to read.
    pub(super) fn leader_peak(&self) -> Option<u64> {
        peak_memory(self.leader())
    }

    /// Returns the number of the program's processes, their CPU time and their memory.
    pub(super) fn usage(&self) -> Usage {
        let orphans = self.cpu_of_orphans.get();
        let processes = self.refresh();
        let cpu = orphans + processes.iter().map(|p| p.cpu).sum::<Duration>();
        Usage {
            processes: processes.len(),
            cpu: (!processes.is_empty()).then_some(cpu),
            memory: memory_in_use(&processes, self.settings.memory),
        }
    }

    /// Waits for the first process, once all were killed; `None` if it cannot be killed.
    pub(super) fn end(&mut self) -> io::Result<Option<Ended>> {
        if !self.kill_leader() {
            return Ok(None);
        }
        let ended = self.child.wait4()?;
        Ok(Some(Ended {
            status: ended.status,
            cpu: Some(ended.rusage.utime + ended.rusage.stime),
            peak: self.floor.own_peak(&ended.rusage),
            floor: self.floor.bytes,
        }))
    }

    fn adopts(&self) -> bool {
        self.settings.adopt_orphans
    }

    /// The id of the first process.
    fn leader(&self) -> i32 {
        self.leader.as_raw_pid()
    }

    /// The program's processes, which the registry remembers. Its orphans that have ended are
    /// waited for.
    fn refresh(&self) -> Vec<Process> {
        let all = all_processes();
        let mut registry = registry();
        let members = registry.members(self.leader(), self.adopts(), &all);
        registry.set_members(self.leader(), &members);
        for zombie in members.iter().filter(|p| p.is_zombie) {
            if zombie.parent == own_id() && zombie.id != self.leader() {
                let cpu = zombie.cpu.max(thread_cpu(zombie.id));
                if has_ended(zombie.id) {
                    self.cpu_of_orphans.update(|before| before + cpu);
                }
            }
        }
        members
    }

    /// Kills all processes of the program, and returns the number of those that could not be killed.
    pub(super) fn kill(&self) -> usize {
        let start = Instant::now();
        let mut progress = start;
        let mut pause = Duration::from_micros(50);
        let mut rounds_without_processes = 0;
        // The second round finds processes that were started while the first one read the table.
        while rounds_without_processes < 2 {
            let _ = kill_process_group(self.leader, Signal::KILL);
            let round = if self.adopts() {
                self.kill_orphans(start.elapsed() > UNKNOWN_TIMEOUT)
            } else {
                self.kill_members()
            };
            let remaining = round.remaining.len() + usize::from(!self.kill_leader());
            if round.ended + remaining == 0 {
                rounds_without_processes += 1;
                continue;
            }
            rounds_without_processes = 0;
            if round.ended > 0 {
                progress = Instant::now();
            }
            if remaining > 0 && progress.elapsed() > KILL_TIMEOUT {
                registry().ignore(round.remaining);
                return remaining;
            }
            if remaining > 0 {
                // Not only the children: processes that start others, again and again, are killed at all
                // levels of the tree at once.
                self.refresh().iter().for_each(Process::kill);
            }
            if remaining > 0 && round.ended == 0 {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
        0
    }

    /// Kills the program's orphans among the children of this process. Those of unknown owner remain,
    /// unless `unknown_too`.
    fn kill_orphans(&self, unknown_too: bool) -> Round {
        let registry = registry();
        let (mut ended, mut remaining) = (0, Vec::new());
        for child in children() {
            match registry.owner_of(&child, self.leader()) {
                Owner::Other => continue,
                Owner::Unknown if !unknown_too => {
                    remaining.push(child.key());
                    continue;
                }
                Owner::ThisProgram | Owner::Unknown => child.kill(),
            }
            if has_ended(child.id) {
                ended += 1
            } else {
                remaining.push(child.key())
            }
        }
        Round { ended, remaining }
    }

    /// Kills the program's processes in the process table but for the leader.
    fn kill_members(&self) -> Round {
        let all = all_processes();
        let members = registry().marked_members(self.leader(), &all);
        let (mut ended, mut remaining) = (0, Vec::new());
        for member in members {
            if member.is_zombie || member.id == self.leader() {
                continue;
            }
            member.kill();
            let now = Process::with_id(member.id);
            if now.is_some_and(|now| now.key() == member.key() && !now.is_zombie) {
                remaining.push(member.key())
            } else {
                ended += 1
            }
        }
        Round { ended, remaining }
    }

    /// Returns whether the leader has ended. Otherwise it is killed: it may have left its group.
    fn kill_leader(&self) -> bool {
        let ends = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let ended = !matches!(waitid(WaitId::Pid(self.leader), ends), Ok(None));
        if !ended {
            let _ = kill_process(self.leader, Signal::KILL);
        }
        ended
    }
}

/// Returns whether a child of this process has ended; then it has been waited for.
fn has_ended(child: i32) -> bool {
    let id = Pid::from_raw(child);
    id.is_none_or(|id| !matches!(waitpid(Some(id), WaitOptions::NOHANG), Ok(None)))
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        registry().remove_program(self.leader());
    }
}
