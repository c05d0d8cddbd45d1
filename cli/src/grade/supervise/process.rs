//! The system's process table, and the memory of running processes.
//!
//! Memory is measured over all processes of a program and not limited by `setrlimit`. A limit of the address space
//! holds for each process alone, so a program evades it by starting others; it fails Java, Node and Go programs, which
//! reserve much address space and use little of it; and a program that exceeds it cannot be distinguished from one that
//! crashed.

use std::ffi::OsStr;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, kill_process};

/// An entry of the process table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub id: i32,
    pub parent: i32,
    pub group: i32,
    /// Start time, in clock ticks since the system was booted.
    pub started: u64,
    /// CPU time in whole ticks, with that of the processes that it waited for.
    pub cpu: Duration,
    /// Resident pages of memory, including those shared with other processes.
    pub pages: u64,
    /// The letter of its state: `T` if it is stopped.
    pub state: char,
}

/// Identifies a process for good, since ids are used again: its id and start.
pub(super) type ProcessKey = (i32, u64);

/// Longest time for reading the table. A program that starts thousands of processes leaves little time to this one; the
/// processes read in this time can be killed before the next reading.
const READ_TIMEOUT: Duration = Duration::from_millis(250);

/// All processes of the system; none where there is no `/proc` in the form of Linux.
pub(super) fn all_processes() -> Vec<Process> {
    let start = Instant::now();
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    let entries = entries.take_while(|_| start.elapsed() < READ_TIMEOUT);
    let id = |name: &OsStr| name.to_str()?.parse().ok();
    let ids = entries.filter_map(|entry| id(&entry.ok()?.file_name()));
    ids.filter_map(Process::with_id).collect()
}

/// The id of this process.
pub(super) fn own_id() -> i32 {
    std::process::id() as i32
}

/// The children that the first thread of this process has started, and the orphans that this process has adopted.
pub(super) fn children() -> Vec<Process> {
    let list = std::fs::read_to_string(format!("/proc/self/task/{}/children", own_id()));
    let Ok(list) = list else {
        // The kernel has no such lists (CONFIG_PROC_CHILDREN).
        let all = all_processes().into_iter();
        return all.filter(|p| p.parent == own_id()).collect();
    };
    let ids = list.split_whitespace();
    ids.filter_map(|id| Process::with_id(id.parse().ok()?))
        .collect()
}

/// The exact CPU time of the children that this process has waited for, where that of [`Process`] is in ticks.
pub(super) fn cpu_of_ended() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    let time = usage.map(|usage| usage.user_time() + usage.system_time());
    Duration::from_micros(time.map_or(0, |time| time.num_microseconds().unsigned_abs()))
}

/// Bytes of memory in use by the processes; `None` if the system does not report it. Shared memory is counted for every
/// process that maps it, unless that sum exceeds `limit`: then each process counts its proportional share (PSS).
pub(super) fn memory_in_use(processes: &[Process], limit: u64) -> Option<u64> {
    let page = rustix::param::page_size() as u64;
    let sum: u64 = processes.iter().map(|p| p.pages * page).sum();
    if sum <= limit {
        return (sum > 0).then_some(sum);
    }
    let share = |p: &Process| p.proportional_share().unwrap_or(p.pages * page);
    Some(processes.iter().map(share).sum())
}

impl Process {
    /// The process with this id, if there is one.
    pub(super) fn with_id(id: i32) -> Option<Process> {
        Process::parse(id, &std::fs::read(format!("/proc/{id}/stat")).ok()?)
    }

    /// Reads a line of `/proc/ID/stat`. Its second field is the name in brackets, of any bytes.
    fn parse(id: i32, line: &[u8]) -> Option<Process> {
        let after_name = line.iter().rposition(|&byte| byte == b')')? + 1;
        let text = std::str::from_utf8(&line[after_name..]).ok()?;
        let fields: Vec<&str> = text.split_whitespace().collect();
        let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>());
        let ticks: u64 = ticks.sum::<Result<_, _>>().ok()?;
        Some(Process {
            id,
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            cpu: Duration::from_millis(ticks * 1000 / clock_ticks_per_second()),
            started: fields.get(19)?.parse().ok()?,
            pages: fields.get(21)?.parse().ok()?,
        })
    }

    /// Returns whether it has ended and its parent has not waited for it yet.
    pub(super) fn is_zombie(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    pub(super) fn key(&self) -> ProcessKey {
        (self.id, self.started)
    }

    /// Its proportional set size in bytes: memory shared with others is divided among them. `None` if the system does
    /// not report it.
    pub(super) fn proportional_share(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.id)).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib << 10)
    }

    pub(super) fn kill(&self) {
        signal(self.id, Signal::KILL);
    }
}

/// Sends a signal to a process, which may have ended.
pub(super) fn signal(process: i32, signal: Signal) {
    if let Some(id) = Pid::from_raw(process) {
        let _ = kill_process(id, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_name_may_hold_any_bytes() {
        let line = b"77 (a) R 1 (\xff b) S 5 6 7 0 -1 0 1 2 3 4 11 12 3 4 20 0 1 0 4242 999 321 0";
        let parsed = Process::parse(77, line).unwrap();
        let expected = Process {
            id: 77,
            parent: 5,
            group: 6,
            cpu: Duration::from_millis(30_000 / clock_ticks_per_second()),
            started: 4242,
            pages: 321,
            state: 'S',
        };
        assert_eq!(parsed, expected);
        assert_eq!(Process::parse(1, b"1 (cut"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_in_the_table() {
        let own = |p: &Process| p.id == own_id();
        let found = all_processes().into_iter().find(own).unwrap();
        assert!(found.pages > 0 && !found.is_zombie());
        assert!(found.proportional_share().is_some_and(|bytes| bytes > 0));
    }
}
