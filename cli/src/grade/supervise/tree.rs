//! Starting a program, and killing it with every process that it started.
//!
//! A program runs in a process group of its own, and the group is killed. Processes that left the
//! group are found in two ways.
//!
//! With [`adopt_orphans`](super::Supervision::adopt_orphans), on Linux, this process is a child subreaper:
//! every process that a program starts remains a descendant of this process. Children of this process are killed and
//! waited for until there are none. No process can escape, since one that ends leaves its children to this process at
//! the same instant. If several programs run, an orphan belongs to the program below which it was seen before, or whose
//! mark is in its environment.
//!
//! Otherwise the process table is searched for the processes that were seen below the program before
//! or have its mark.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid,
    waitpid,
};
use wait4::Wait4;

use super::pipe::Event;
use super::process::{
    Process, ProcessKey, all_processes, children, disable_core_dump, force_fork, memory_in_use,
    own_id, own_peak, peak_floor, peak_memory, set_subreaper, thread_cpu,
};
use super::run::Usage;
use super::{Pipes, Supervision};

/// Processes that were killed are given up when none of them has ended for this time.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// A child of unknown owner is killed after this time: a process that calls `exec` has shown its
/// environment by then.
const UNKNOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// A running program and everything that it started. It must be killed before its first process, the
/// leader, is waited for: until then no other process can have the same process group.
#[derive(Debug)]
pub(super) struct ProcessTree {
    leader: Pid,
    child: Child,
    /// A peak of its memory up to this may be that of this process.
    floor: u64,
    /// CPU time of the orphans that have ended and that this process waited for.
    cpu_of_orphans: Cell<Duration>,
    settings: Supervision,
}

impl ProcessTree {
    /// Starts a program. On Linux the group id of `command` is set to that of this process.
    pub(super) fn start(
        command: &mut Command,
        settings: &Supervision,
    ) -> io::Result<(ProcessTree, Pipes)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let value = format!("{}-{}", own_id(), NEXT.fetch_add(1, Ordering::Relaxed));
        command.env(MARK_VARIABLE, &value).process_group(0);
        #[cfg(target_os = "linux")]
        command.env_remove(super::guard::ROLE);
        let forks = force_fork(command);
        // The registry stays locked until the child is in it: else the child would be killed as an orphan.
        let mut registry = registry();
        let mut child = command.spawn()?;
        let leader = Pid::from_child(&child);
        disable_core_dump(leader);
        let program = RunningProgram {
            mark: format!("{MARK_VARIABLE}={value}"),
            members: HashSet::new(),
        };
        registry.running.insert(leader.as_raw_pid(), program);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let tree = ProcessTree {
            leader,
            child,
            floor: peak_floor(forks),
            cpu_of_orphans: Cell::default(),
            settings: *settings,
        };
        Ok((tree, pipes))
    }

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

    /// Returns the number of the program's processes, and what they use.
    pub(super) fn usage(&self) -> (usize, Usage) {
        let processes = self.refresh();
        let cpu = self.cpu_of_orphans.get() + processes.iter().map(|p| p.cpu).sum::<Duration>();
        let usage = Usage {
            cpu: (!processes.is_empty()).then_some(cpu),
            memory: memory_in_use(&processes, self.settings.memory),
        };
        (processes.len(), usage)
    }

    /// Waits for the first process, once all were killed; `None` if it cannot be killed.
    pub(super) fn end(&mut self) -> io::Result<Option<(ExitStatus, Usage)>> {
        if !self.kill_leader() {
            return Ok(None);
        }
        let ended = self.child.wait4()?;
        let usage = Usage {
            cpu: Some(ended.rusage.utime + ended.rusage.stime),
            memory: own_peak(&ended.rusage, self.floor, self.settings.memory),
        };
        Ok(Some((ended.status, usage)))
    }

    /// The id of the first process.
    fn leader(&self) -> i32 {
        self.leader.as_raw_pid()
    }

    /// The program's processes. Its orphans that have ended are waited for.
    fn refresh(&self) -> Vec<Process> {
        let members = registry().refresh(self.leader(), self.settings.adopt_orphans);
        for zombie in members.iter().filter(|p| p.is_zombie()) {
            if zombie.parent == own_id() && zombie.id != self.leader() {
                let cpu = zombie.cpu.max(thread_cpu(zombie.id));
                if has_ended(zombie) {
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
            let (ended, orphans) = self.kill_orphans(start.elapsed() > UNKNOWN_TIMEOUT);
            let remaining = orphans.len() + usize::from(!self.kill_leader());
            if ended + remaining == 0 {
                rounds_without_processes += 1;
                continue;
            }
            rounds_without_processes = 0;
            if ended > 0 {
                progress = Instant::now();
            }
            if remaining == 0 {
                continue;
            }
            if progress.elapsed() > KILL_TIMEOUT {
                registry().unrelated_children.extend(orphans);
                return remaining;
            }
            // Not only the children: processes that start others, again and again, are killed at all
            // levels of the tree at once.
            self.refresh().iter().for_each(Process::kill);
            if ended == 0 {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
        0
    }

    /// Kills the program's orphans: among the children of this process if it adopts them, otherwise in the process table.
    /// Those of unknown owner remain, unless `unknown_too`. Returns the number of those that have ended, and the others.
    fn kill_orphans(&self, unknown_too: bool) -> (usize, Vec<ProcessKey>) {
        let orphans = if self.settings.adopt_orphans {
            let (registry, all) = (registry(), children().into_iter());
            let owned = all.map(|child| (child, registry.owner_of(&child, self.leader())));
            owned.filter(|(_, owner)| *owner != Owner::Other).collect()
        } else {
            let members = self.refresh().into_iter();
            let others = members.filter(|p| !p.is_zombie() && p.id != self.leader());
            others.map(|p| (p, Owner::ThisProgram)).collect::<Vec<_>>()
        };
        let (mut ended, mut remaining) = (0, Vec::new());
        for (orphan, owner) in orphans {
            let is_killed = owner == Owner::ThisProgram || unknown_too;
            if is_killed {
                orphan.kill();
            }
            if is_killed && has_ended(&orphan) {
                ended += 1;
            } else {
                remaining.push(orphan.key());
            }
        }
        (ended, remaining)
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

/// Returns whether a process has ended. A child of this process has been waited for then.
fn has_ended(process: &Process) -> bool {
    let waited = Pid::from_raw(process.id).map(|id| waitpid(Some(id), WaitOptions::NOHANG));
    match waited {
        Some(Ok(ended)) => ended.is_some(),
        _ => Process::with_id(process.id)
            .is_none_or(|now| now.key() != process.key() || now.is_zombie()),
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        registry().running.remove(&self.leader());
    }
}

/// The environment variable that marks the processes of a program; its value names the program.
const MARK_VARIABLE: &str = "PUZZLEDB_GRADES";

/// The programs that run at the moment, and the children of this process that are none of them.
#[derive(Debug, Default)]
struct Registry {
    /// Supervisors at the moment that adopt orphans.
    adopters: usize,
    /// Whether this process was made a subreaper for them, which it was not before.
    became_subreaper: bool,
    /// The running programs by the id of their first process.
    running: HashMap<i32, RunningProgram>,
    /// Children of this process that were there before the first supervisor that adopts orphans, and
    /// orphans that could not be killed.
    unrelated_children: HashSet<ProcessKey>,
}

#[derive(Debug)]
struct RunningProgram {
    /// `NAME=value` in the environment of its processes.
    mark: String,
    /// Its processes when the table was last read.
    members: HashSet<ProcessKey>,
}

/// The one registry of this process: the process adopts the orphans of all programs.
fn registry() -> MutexGuard<'static, Registry> {
    static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this process a child subreaper for as long as one of these lives.
#[derive(Debug)]
pub(super) struct Adoption;

impl Adoption {
    pub(super) fn begin() -> Adoption {
        let mut registry = registry();
        if registry.adopters == 0 {
            registry.unrelated_children = children().iter().map(Process::key).collect();
            registry.became_subreaper = set_subreaper(true);
        }
        registry.adopters += 1;
        Adoption
    }
}

impl Drop for Adoption {
    fn drop(&mut self) {
        let mut registry = registry();
        registry.adopters -= 1;
        if registry.adopters == 0 && registry.became_subreaper {
            set_subreaper(false);
        }
    }
}

/// The owner of a child of this process, as seen from one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// This program, or no known one.
    ThisProgram,
    /// Another program, or the host itself.
    Other,
    /// The process shows no environment: it has cleared it, or is inside `exec` for a moment.
    Unknown,
}

impl Registry {
    /// The owner of a child of this process, as seen from the program of `leader`.
    fn owner_of(&self, child: &Process, leader: i32) -> Owner {
        let others = || self.running.iter().filter(|&(&id, _)| id != leader);
        let is_other = self.running.contains_key(&child.id)
            || self.unrelated_children.contains(&child.key())
            || others().any(|(_, other)| other.members.contains(&child.key()));
        if is_other {
            return Owner::Other;
        }
        if child.is_zombie() || others().next().is_none() {
            return Owner::ThisProgram;
        }
        let environment = child.environment();
        if environment.is_empty() {
            Owner::Unknown
        } else if others().any(|(_, other)| other.marks(&environment)) {
            Owner::Other
        } else {
            Owner::ThisProgram
        }
    }

    /// The processes of the program of `leader` in the process table, which are remembered: its group, those seen
    /// before, its orphans if this process adopts them, and otherwise those with its mark; and all descendants of these.
    fn refresh(&mut self, leader: i32, adopts: bool) -> Vec<Process> {
        let all = all_processes();
        let program = &self.running[&leader];
        let is_orphan = |p: &Process| {
            if adopts {
                p.parent == own_id() && self.owner_of(p, leader) == Owner::ThisProgram
            } else {
                program.marks(&p.environment())
            }
        };
        let is_root = |p: &Process| {
            p.id == leader
                || p.group == leader
                || program.members.contains(&p.key())
                || is_orphan(p)
        };
        let members = with_descendants(&all, is_root);
        let program = self.running.get_mut(&leader).expect("it was found");
        program.members = members.iter().map(Process::key).collect();
        members
    }
}

impl RunningProgram {
    /// Returns whether the mark is in an environment.
    fn marks(&self, environment: &[u8]) -> bool {
        environment
            .split(|&byte| byte == 0)
            .any(|line| line == self.mark.as_bytes())
    }
}

/// The processes that are roots, and all descendants of roots.
pub(super) fn with_descendants(
    all: &[Process],
    is_root: impl Fn(&Process) -> bool,
) -> Vec<Process> {
    let mut ids: HashSet<i32> = all.iter().filter(|p| is_root(p)).map(|p| p.id).collect();
    loop {
        let before = ids.len();
        let below = all.iter().filter(|p| ids.contains(&p.parent));
        let below: Vec<i32> = below.map(|p| p.id).collect();
        ids.extend(below);
        if ids.len() == before {
            break;
        }
    }
    let is_member = |p: &&Process| ids.contains(&p.id);
    all.iter().filter(is_member).copied().collect()
}
