//! A program and all processes that it starts, so that none of them is left at the end.
//!
//! A program runs in a process group of its own, and the group is killed. Processes that left the
//! group, and their parents, are found all the same: on Linux this process becomes the one to
//! which orphans fall ("child subreaper"), so everything that a program starts stays below this
//! process in the tree, whatever it does. Killing this process's children until it has none kills
//! the tree from its top, and no process can slip through: whoever ends leaves its children
//! to this process at the same instant, and stays a child itself until it has been waited for.
//! With several programs at a time, an orphan is known by having been seen below its program
//! before, or by a mark in its environment.
//!
//! Memory is measured, over the whole tree, and not limited by `setrlimit`: a limit of the
//! address space holds for each process alone, so that a program escapes it by starting others;
//! it refuses Java, Node and Go programs that reserve much and use little; and the program that
//! met it would look like one that crashed.

use std::collections::{HashMap, HashSet};
use std::io;
use std::marker::PhantomData;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use std::os::unix::process::CommandExt;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid,
    waitpid,
};

use super::processes::{self, Process, adopt_orphans, children, disable_core_dump, own_id};

/// The variable by which a program's processes are registry.
const MARK_VARIABLE: &str = "PUZZLEDB_GRADES";

/// How long none of the processes that were killed may be gone.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a process may be unclear before it is taken for one that hides.
const UNKNOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// What is known of the children of this process.
#[derive(Debug, Default)]
struct Registry {
    /// Gradings that are going on.
    gradings: usize,
    /// Was this process made to adopt orphans, which it did not before?
    adopts: bool,
    /// The programs that run, by their first process.
    running: HashMap<i32, Running>,
    /// Number and start of children that were there before, or that could not be ended.
    unrelated_children: HashSet<(i32, u64)>,
}

/// What is known of a program that runs.
#[derive(Debug)]
struct Running {
    /// `NAME=value` in the environment of its processes.
    mark: String,
    /// Number and start of its processes when they were last seen.
    members: HashSet<(i32, u64)>,
}

/// One table for the whole process, as its children are.
fn registry() -> MutexGuard<'static, Registry> {
    static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Owner process a child of ours is, which was left to us by its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// The program's that is asked about; or nobody's, so that it may as well be.
    ThisProgram,
    Other,
    /// It shows no environment: it has taken it off, or is about to become another program, which
    /// takes an instant.
    Unknown,
}

impl Registry {
    fn owner_of(&self, child: &Process, leader: i32) -> Owner {
        let others = || self.running.iter().filter(|&(&id, _)| id != leader);
        let is_other = self.running.contains_key(&child.id)
            || self.unrelated_children.contains(&child.key())
            || others().any(|(_, other)| other.members.contains(&child.key()));
        if is_other {
            return Owner::Other;
        }
        if child.is_dead || others().next().is_none() {
            return Owner::ThisProgram;
        }
        let environment = child.environment();
        let has = |mark: &str| {
            environment
                .split(|&b| b == 0)
                .any(|line| line == mark.as_bytes())
        };
        match environment.is_empty() {
            true => Owner::Unknown,
            false if others().any(|(_, other)| has(&other.mark)) => Owner::Other,
            false => Owner::ThisProgram,
        }
    }

    /// The members of the program `leader` among all processes: those of its group, those seen
    /// before, its orphans, and all that are below one of them.
    fn members(&self, leader: i32, all: Vec<Process>) -> Vec<Process> {
        let is_root = |p: &&Process| {
            p.id == leader
                || p.group == leader
                || self.running[&leader].members.contains(&p.key())
                || p.parent == own_id() && self.owner_of(p, leader) == Owner::ThisProgram
        };
        let mut ids: HashSet<i32> = all.iter().filter(is_root).map(|p| p.id).collect();
        loop {
            let before = ids.len();
            let below = all.iter().filter(|p| ids.contains(&p.parent));
            let below: Vec<i32> = below.map(|p| p.id).collect();
            ids.extend(below);
            if ids.len() == before {
                break;
            }
        }
        all.into_iter().filter(|p| ids.contains(&p.id)).collect()
    }
}

/// All supervisor of one grading. While there is one, this process adopts the orphans among its
/// descendants.
#[derive(Debug)]
pub(crate) struct Supervisor(());

impl Supervisor {
    pub(crate) fn new() -> Supervisor {
        let mut registry = registry();
        if registry.gradings == 0 {
            let all = processes::all().into_iter();
            let children = all.filter(|p| p.parent == own_id());
            registry.unrelated_children = children.map(|p| p.key()).collect();
            registry.adopts = adopt_orphans(true);
        }
        registry.gradings += 1;
        Supervisor(())
    }

    /// Starts a program.
    pub(crate) fn start(&self, command: &mut Command) -> io::Result<(Child, ProcessTree<'_>)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let value = format!("{}-{}", own_id(), NEXT.fetch_add(1, Ordering::Relaxed));
        command.env(MARK_VARIABLE, &value).process_group(0);
        // Nobody looks for orphans while there is a child that is not yet registry.
        let mut registry = registry();
        let child = command.spawn()?;
        let leader = Pid::from_child(&child);
        disable_core_dump(leader);
        let running = Running {
            mark: format!("{MARK_VARIABLE}={value}"),
            members: HashSet::new(),
        };
        registry.running.insert(leader.as_raw_pid(), running);
        let grading = PhantomData;
        Ok((child, ProcessTree { leader, grading }))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        let mut registry = registry();
        registry.gradings -= 1;
        if registry.gradings == 0 && registry.adopts {
            adopt_orphans(false);
        }
    }
}

/// A running program and everything that it started. It must be ended before its first process is
/// waited for, so that its process group cannot be another's.
#[derive(Debug)]
pub(crate) struct ProcessTree<'a> {
    leader: Pid,
    grading: PhantomData<&'a Supervisor>,
}

impl ProcessTree<'_> {
    /// The tree's processes, noted as such. Orphans that have ended are let go.
    pub(super) fn refresh(&self) -> Vec<Process> {
        let leader = self.leader.as_raw_pid();
        let mut registry = registry();
        let members = registry.members(leader, processes::all());
        let keys = members.iter().map(Process::key).collect();
        if let Some(running) = registry.running.get_mut(&leader) {
            running.members = keys;
        }
        for dead in members.iter().filter(|p| p.is_dead) {
            if dead.parent == own_id() && dead.id != leader {
                reap(dead.id);
            }
        }
        members
    }

    /// Kills them all. What remains, if that was not allowed, is counted.
    pub(crate) fn end(&self) -> usize {
        let start = Instant::now();
        let mut progress = start;
        let mut pause = Duration::from_micros(50);
        let mut quiet = 0;
        while quiet < 2 {
            let _ = kill_process_group(self.leader, Signal::KILL);
            let (gone, orphans) = self.kill_orphans(start.elapsed() > UNKNOWN_TIMEOUT);
            let left = orphans.len() + usize::from(!self.leader_has_ended());
            quiet = if gone + left == 0 { quiet + 1 } else { 0 };
            if gone > 0 {
                progress = Instant::now();
            }
            if left > 0 && progress.elapsed() > KILL_TIMEOUT {
                registry().unrelated_children.extend(orphans);
                return left;
            }
            // Who starts a process and ends, again and again, is to be hit before the next start;
            // who starts more and more, at all levels at once.
            if left > 0 {
                self.refresh().iter().for_each(kill);
            }
            if left > 0 && gone == 0 {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
        0
    }

    /// Kills the tree's processes that are children of this process: how many are gone, and
    /// which not yet. Those that are unclear are waited for, or killed, too.
    fn kill_orphans(&self, unknown_too: bool) -> (usize, Vec<(i32, u64)>) {
        let registry = registry();
        let (mut gone, mut left) = (0, Vec::new());
        for child in children() {
            match registry.owner_of(&child, self.leader.as_raw_pid()) {
                Owner::Other => continue,
                Owner::Unknown if !unknown_too => {
                    left.push(child.key());
                    continue;
                }
                Owner::ThisProgram | Owner::Unknown => kill(&child),
            }
            if reap(child.id) {
                gone += 1;
            } else {
                left.push(child.key());
            }
        }
        (gone, left)
    }

    /// Has the first process ended? It is killed otherwise, as it can have changed its group.
    fn leader_has_ended(&self) -> bool {
        let ends = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let ended = !matches!(waitid(WaitId::Pid(self.leader), ends), Ok(None));
        if !ended {
            let _ = kill_process(self.leader, Signal::KILL);
        }
        ended
    }
}

/// Bytes of memory that processes use; `None` if the system does not say. What they share is
/// counted once if the plain sum is above `limit`.
pub(super) fn memory(members: &[Process], limit: u64) -> Option<u64> {
    let page = rustix::param::page_size() as u64;
    let sum: u64 = members.iter().map(|p| p.pages * page).sum();
    if sum <= limit {
        return (sum > 0).then_some(sum);
    }
    let share = |p: &Process| p.fair_share().unwrap_or(p.pages * page);
    Some(members.iter().map(share).sum())
}

fn kill(process: &Process) {
    if let Some(id) = Pid::from_raw(process.id) {
        let _ = kill_process(id, Signal::KILL); // it may have ended
    }
}

/// Has this child ended? Then it is let go.
fn reap(child: i32) -> bool {
    let id = Pid::from_raw(child);
    id.is_none_or(|id| !matches!(waitpid(Some(id), WaitOptions::NOHANG), Ok(None)))
}

impl Drop for ProcessTree<'_> {
    fn drop(&mut self) {
        registry().running.remove(&self.leader.as_raw_pid());
    }
}
