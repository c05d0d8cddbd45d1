//! Starting a program, and killing it with every process that it started.
//!
//! A program runs in a process group of its own, and the group is killed. Processes that left the
//! group are found in two ways.
//!
//! A worker, on Linux, is a child subreaper and has no children but those of one program: every process that the
//! program starts remains a descendant of it. Children of the worker are killed and waited for until there are none. No
//! process can escape, since one that ends leaves its children to the worker at the same instant.
//!
//! In any other process the process table is searched for the processes that were seen below the program before or have
//! its mark in their environment.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use procfs_core::process::Stat;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid,
    waitpid,
};
use wait4::Wait4;

use super::pipe::Event;
use super::process::{
    ProcessKey, all_processes, children, cpu_of_ended, cpu_time, is_zombie, key, kill,
    memory_in_use, own_id, with_id,
};
use super::run::Usage;
use super::{Pipes, Supervision};

/// Processes that were killed are given up when none of them has ended for this time.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// The environment variable that marks the processes of a program; its value names the program.
const MARK_VARIABLE: &str = "PUZZLEDB_GRADES";

/// A running program and everything that it started. It must be killed before its first process, the
/// leader, is waited for: until then no other process can have the same process group.
#[derive(Debug)]
pub(super) struct ProcessTree {
    /// Its first process, the leader.
    child: Child,
    /// `NAME=value` in the environment of its processes.
    mark: String,
    /// Its processes when the table was last read.
    members: RefCell<HashSet<ProcessKey>>,
    settings: Supervision,
}

impl ProcessTree {
    /// Starts a program.
    pub(super) fn start(
        command: &mut Command,
        settings: &Supervision,
    ) -> io::Result<(ProcessTree, Pipes)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let value = format!("{}-{}", own_id(), NEXT.fetch_add(1, Ordering::Relaxed));
        command.env(MARK_VARIABLE, &value).process_group(0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let tree = ProcessTree {
            child,
            mark: format!("{MARK_VARIABLE}={value}"),
            members: RefCell::default(),
            settings: *settings,
        };
        Ok((tree, pipes))
    }

    /// Sends an event when the first process has ended, and leaves it to be waited for.
    pub(super) fn report_exit(&self, events: Sender<Event>) {
        let id = self.leader();
        thread::spawn(move || {
            let ends = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(id), ends) {}
            let _ = events.send(Event::Exited);
        });
    }

    /// Returns the number of the program's processes, and what they use.
    pub(super) fn usage(&self) -> (usize, Usage) {
        // The leader is not among those that have ended: it is waited for at the end.
        let orphans = self.settings.adopts_orphans.then(cpu_of_ended);
        let processes = self.refresh();
        let cpu = processes.iter().map(cpu_time).chain(orphans).sum();
        let usage = Usage {
            cpu: (!processes.is_empty()).then_some(cpu),
            memory: memory_in_use(&processes, self.settings.memory),
        };
        (processes.len(), usage)
    }

    /// Waits for the first process, once all were killed; `None` if it cannot be killed.
    pub(super) fn end(&mut self) -> io::Result<Option<(ExitStatus, Usage)>> {
        if !kill_leader(self.leader()) {
            return Ok(None);
        }
        let ended = self.child.wait4()?;
        let peak = ended.rusage.maxrss;
        // On Linux the peak is not below that of the process which started the program; a worker is small.
        let is_known = self.settings.adopts_orphans || cfg!(not(target_os = "linux"));
        let usage = Usage {
            cpu: Some(ended.rusage.utime + ended.rusage.stime),
            memory: (is_known && peak > 0).then_some(peak),
        };
        Ok(Some((ended.status, usage)))
    }

    /// The id of the first process.
    fn leader(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// The program's processes in the process table, which are remembered: its group, those seen before, its orphans if
    /// this process adopts them, and otherwise those with its mark; and all descendants of these. Its orphans that have
    /// ended are waited for.
    fn refresh(&self) -> Vec<Stat> {
        let leader = self.leader().as_raw_pid();
        let is_root = |p: &Stat| {
            p.pid == leader
                || p.pgrp == leader
                || self.members.borrow().contains(&key(p))
                || match self.settings.adopts_orphans {
                    true => p.ppid == own_id(),
                    false => self.marks(p),
                }
        };
        let members = with_descendants(is_root);
        self.members.replace(members.iter().map(key).collect());
        for zombie in members.iter().filter(|p| is_zombie(p)) {
            if zombie.ppid == own_id() && zombie.pid != leader {
                has_ended(zombie);
            }
        }
        members
    }

    /// Kills all processes of the program, and returns the number of those that could not be killed.
    pub(super) fn kill(&self) -> usize {
        let is_other = |p: &Stat| p.pid != self.leader().as_raw_pid();
        end_all(Some(self.leader()), || {
            if self.settings.adopts_orphans {
                return kill_orphans(is_other);
            }
            let mut members = self.refresh();
            members.retain(|p| is_other(p) && !is_zombie(p));
            members.iter().for_each(kill);
            members
        })
    }

    /// Returns whether the mark is in the environment that a process was started with, where the system shows it.
    fn marks(&self, process: &Stat) -> bool {
        let environment = std::fs::read(format!("/proc/{}/environ", process.pid));
        let environment = environment.unwrap_or_default();
        let mut lines = environment.split(|&byte| byte == 0);
        lines.any(|line| line == self.mark.as_bytes())
    }
}

/// Returns whether a leader has ended. Otherwise it is killed: it may have left its group.
fn kill_leader(leader: Pid) -> bool {
    let ends = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let ended = !matches!(waitid(WaitId::Pid(leader), ends), Ok(None));
    if !ended {
        let _ = kill_process(leader, Signal::KILL);
    }
    ended
}

/// Kills a leader with its group, and what `kill` kills and returns, until there are none. Returns the number of those
/// that could not be killed.
pub(super) fn end_all(leader: Option<Pid>, kill: impl Fn() -> Vec<Stat>) -> usize {
    let mut progress = Instant::now();
    let mut pause = Duration::from_micros(50);
    let mut rounds_without_processes = 0;
    // The second round finds processes that were started while the first one read the table.
    while rounds_without_processes < 2 {
        let _ = leader.map(|leader| kill_process_group(leader, Signal::KILL));
        let killed = kill();
        let ended = killed.iter().filter(|process| has_ended(process)).count();
        let leaders = usize::from(leader.is_some_and(|leader| !kill_leader(leader)));
        let remaining = killed.len() - ended + leaders;
        if ended > 0 {
            progress = Instant::now();
        } else if remaining == 0 {
            rounds_without_processes += 1;
            continue;
        } else if progress.elapsed() > KILL_TIMEOUT {
            return remaining;
        } else {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        rounds_without_processes = 0;
    }
    0
}

/// Kills children of this process, which adopts orphans, with all that is below them, and returns the children.
pub(super) fn kill_orphans(is_one: impl Fn(&Stat) -> bool) -> Vec<Stat> {
    let mut orphans = children();
    orphans.retain(&is_one);
    if !orphans.is_empty() {
        // Processes that start others, again and again, are killed at all levels of the tree at once; children
        // first: until it ends, the worker kills its program too if this process is killed.
        let is_root = |p: &Stat| p.ppid == own_id() && is_one(p);
        let below = with_descendants(is_root);
        below.iter().rev().for_each(kill);
    }
    orphans.iter().for_each(kill);
    orphans
}

/// Returns whether a process has ended. A child of this process has been waited for then.
fn has_ended(process: &Stat) -> bool {
    let waited = Pid::from_raw(process.pid).map(|id| waitpid(Some(id), WaitOptions::NOHANG));
    match waited {
        Some(Ok(ended)) => ended.is_some(),
        _ => with_id(process.pid).is_none_or(|now| key(&now) != key(process) || is_zombie(&now)),
    }
}

/// The processes that are roots, and all descendants of roots, parents first.
fn with_descendants(is_root: impl Fn(&Stat) -> bool) -> Vec<Stat> {
    let (mut found, mut others): (Vec<_>, Vec<_>) = all_processes().into_iter().partition(is_root);
    let mut next = 0;
    while let Some(parent) = found.get(next).map(|process| process.pid) {
        found.extend(others.extract_if(.., |process| process.ppid == parent));
        next += 1;
    }
    found
}
