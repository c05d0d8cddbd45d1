//! Registry of the processes of each running program.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::process::{Process, ProcessKey, all_processes, children, own_id, set_subreaper};

/// The environment variable that marks the processes of a program; its value names the program.
pub(super) const MARK_VARIABLE: &str = "PUZZLEDB_GRADES";

/// The programs that run at the moment, and the children of this process that are none of them.
#[derive(Debug, Default)]
pub(super) struct Registry {
    /// Supervisors at the moment that adopt orphans.
    adopters: usize,
    /// Whether this process was made a subreaper for them, which it was not before.
    became_subreaper: bool,
    /// The running programs by the id of their first process.
    pub running: HashMap<i32, RunningProgram>,
    /// Children of this process that were there before the first supervisor that adopts orphans, and
    /// orphans that could not be killed.
    pub unrelated_children: HashSet<ProcessKey>,
}

#[derive(Debug)]
pub(super) struct RunningProgram {
    /// `NAME=value` in the environment of its processes.
    pub mark: String,
    /// Its processes when the table was last read.
    pub members: HashSet<ProcessKey>,
}

/// The one registry of this process: the process adopts the orphans of all programs.
pub(super) fn registry() -> MutexGuard<'static, Registry> {
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
pub(super) enum Owner {
    /// This program, or no known one.
    ThisProgram,
    /// Another program, or the host itself.
    Other,
    /// The process shows no environment: it has cleared it, or is inside `exec` for a moment.
    Unknown,
}

impl Registry {
    /// The owner of a child of this process, as seen from the program of `leader`.
    pub(super) fn owner_of(&self, child: &Process, leader: i32) -> Owner {
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
    pub(super) fn refresh(&mut self, leader: i32, adopts: bool) -> Vec<Process> {
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
