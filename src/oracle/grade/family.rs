//! A program and all processes that it starts, so that none of them is left at the end.
//!
//! A program runs in a process group of its own, and the group is killed. Processes that left the
//! group, and their parents, are found all the same: on Linux this process becomes the one to
//! which orphans fall ("child subreaper"), so everything that a program starts stays below this
//! process in the tree, whatever it does. With several programs at a time, an orphan is known
//! by having been seen before, or by a mark in its environment.
//!
//! Memory is measured, over the whole family, and not limited by `setrlimit`: a limit of the
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

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};

use super::processes::{self, Process};

/// The variable by which a program's processes are known.
const MARK: &str = "PUZZLEDB_GRADES";

/// How long processes that were killed may take to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is known of the children of this process.
#[derive(Debug, Default)]
struct Known {
    /// Gradings that are going on.
    gradings: usize,
    /// Was this process made to adopt orphans, which it did not before?
    adopts: bool,
    /// The marks of the programs that run, by the program's process.
    running: HashMap<i32, String>,
    /// Number and start of children that were there before, or that could not be ended.
    strangers: HashSet<(i32, u64)>,
}

/// One table for the whole process, as its children are.
fn known() -> MutexGuard<'static, Known> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All families of one grading. While there is one, this process adopts the orphans among its
/// descendants.
#[derive(Debug)]
pub(super) struct Families(());

impl Families {
    pub(super) fn new() -> Families {
        let mut known = known();
        if known.gradings == 0 {
            let all = processes::all().into_iter();
            let children = all.filter(|p| p.parent == me());
            known.strangers = children.map(|p| p.key()).collect();
            known.adopts = adopt_orphans(true);
        }
        known.gradings += 1;
        Families(())
    }

    /// Starts a program.
    pub(super) fn start(&self, command: &mut Command) -> io::Result<(Child, Family<'_>)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", me());
        command.env(MARK, &mark).process_group(0);
        // Nobody looks at the table while there is a child in it that is not yet known.
        let mut known = known();
        let child = command.spawn()?;
        let leader = Pid::from_child(&child);
        leave_no_core(leader);
        known.running.insert(leader.as_raw_pid(), mark.clone());
        let family = Family {
            grading: PhantomData,
            leader,
            mark,
            members: HashSet::new(),
        };
        Ok((child, family))
    }
}

impl Drop for Families {
    fn drop(&mut self) {
        let mut known = known();
        known.gradings -= 1;
        if known.gradings == 0 && known.adopts {
            adopt_orphans(false);
        }
    }
}

/// Makes this process adopt orphans, or no more; `false` if that changes nothing, or the system
/// cannot.
fn adopt_orphans(adopt: bool) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{child_subreaper, getpid, set_child_subreaper};
        child_subreaper().is_ok_and(|adopts| adopts.is_some() != adopt)
            && set_child_subreaper(adopt.then(getpid)).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = adopt;
        false
    }
}

fn me() -> i32 {
    std::process::id() as i32
}

/// Makes a crash leave no memory image in the folder, which can be large.
fn leave_no_core(process: Pid) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, prlimit};
        let nothing = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        let _ = prlimit(Some(process), Resource::Core, nothing);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = process;
}

/// A running program and everything that it started. It must be ended before its first process is
/// waited for, so that its process group cannot be another's.
#[derive(Debug)]
pub(super) struct Family<'a> {
    grading: PhantomData<&'a Families>,
    leader: Pid,
    mark: String,
    /// Number and start of its processes when they were last seen.
    members: HashSet<(i32, u64)>,
}

impl Family<'_> {
    /// Bytes of memory in use now; `None` if nothing is there or the system does not say. Shared
    /// memory is counted once if the plain sum is above `limit`.
    pub(super) fn memory(&mut self, limit: u64) -> Option<u64> {
        let living = self.living();
        let page = rustix::param::page_size() as u64;
        let sum: u64 = living.iter().map(|p| p.pages * page).sum();
        if living.is_empty() || sum <= limit {
            return (sum > 0).then_some(sum);
        }
        let share = |p: &Process| p.fair_share().unwrap_or(p.pages * page);
        Some(living.iter().map(share).sum())
    }

    /// Kills them all. What remains, if that was not allowed, is counted.
    pub(super) fn end(&mut self) -> usize {
        let start = Instant::now();
        let mut pause = Duration::from_micros(100);
        let mut nobody_seen = 0;
        loop {
            let _ = kill_process_group(self.leader, Signal::KILL);
            let living = self.living();
            for process in &living {
                if let Some(id) = Pid::from_raw(process.id) {
                    let _ = kill_process(id, Signal::KILL);
                }
            }
            // While the table was read, one process can have started another and ended; twice in
            // a row it has no chance to.
            nobody_seen = if living.is_empty() {
                nobody_seen + 1
            } else {
                0
            };
            if nobody_seen == 2 {
                return 0;
            }
            if start.elapsed() > PATIENCE {
                let strangers = living.iter().map(Process::key);
                known().strangers.extend(strangers);
                return living.len();
            }
            if nobody_seen == 0 {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
    }

    /// The family's processes that have not ended. Those that have, and were adopted, are let go.
    fn living(&mut self) -> Vec<Process> {
        let known = known();
        let all = processes::all();
        let mut members = self.members(&all, &known);
        drop(known);
        self.members = members.iter().map(Process::key).collect();
        for dead in members.extract_if(.., |p| p.is_dead) {
            if dead.parent == me()
                && dead.id != self.leader.as_raw_pid()
                && let Some(id) = Pid::from_raw(dead.id)
            {
                let _ = waitpid(Some(id), WaitOptions::NOHANG);
            }
        }
        members
    }

    fn members(&self, all: &[Process], known: &Known) -> Vec<Process> {
        let mut ids: HashSet<i32> = all
            .iter()
            .filter(|p| self.is_member(p, known))
            .map(|p| p.id)
            .collect();
        loop {
            let before = ids.len();
            let below = all.iter().filter(|p| ids.contains(&p.parent));
            let below: Vec<i32> = below.map(|p| p.id).collect();
            ids.extend(below);
            if ids.len() == before {
                return all
                    .iter()
                    .filter(|p| ids.contains(&p.id))
                    .copied()
                    .collect();
            }
        }
    }

    /// Is it known to be of this family without looking at its parents?
    fn is_member(&self, process: &Process, known: &Known) -> bool {
        let leader = self.leader.as_raw_pid();
        if process.id == leader || process.group == leader || self.members.contains(&process.key())
        {
            return true;
        }
        let is_orphan = process.parent == me()
            && !known.running.contains_key(&process.id)
            && !known.strangers.contains(&process.key());
        // Who has taken the mark off belongs to whoever sees it first.
        is_orphan
            && !known
                .running
                .values()
                .filter(|&mark| *mark != self.mark)
                .any(|mark| process.has_in_environment(&format!("{MARK}={mark}")))
    }
}

impl Drop for Family<'_> {
    fn drop(&mut self) {
        let mut known = known();
        known.running.remove(&self.leader.as_raw_pid());
    }
}
