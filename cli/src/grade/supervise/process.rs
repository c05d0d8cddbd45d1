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
use procfs_core::FromRead;
use procfs_core::process::{SmapsRollup, Stat};
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, kill_process};

/// Identifies a process for good, since ids are used again: its id and start.
pub(super) type ProcessKey = (i32, u64);

/// Longest time for reading the table. A program that starts thousands of processes leaves little time to this one; the
/// processes read in this time can be killed before the next reading.
const READ_TIMEOUT: Duration = Duration::from_millis(250);

/// All processes of the system; none where there is no `/proc` in the form of Linux.
pub(super) fn all_processes() -> Vec<Stat> {
    let start = Instant::now();
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    let entries = entries.take_while(|_| start.elapsed() < READ_TIMEOUT);
    let id = |name: &OsStr| name.to_str()?.parse().ok();
    let ids = entries.filter_map(|entry| id(&entry.ok()?.file_name()));
    ids.filter_map(with_id).collect()
}

/// The id of this process.
pub(super) fn own_id() -> i32 {
    std::process::id() as i32
}

/// The children that the first thread of this process has started, and the orphans that this process has adopted.
pub(super) fn children() -> Vec<Stat> {
    let list = std::fs::read_to_string(format!("/proc/self/task/{}/children", own_id()));
    let Ok(list) = list else {
        // The kernel has no such lists (CONFIG_PROC_CHILDREN).
        let all = all_processes().into_iter();
        return all.filter(|p| p.ppid == own_id()).collect();
    };
    let ids = list.split_whitespace();
    ids.filter_map(|id| with_id(id.parse().ok()?)).collect()
}

/// The exact CPU time of the children that this process has waited for, where [`cpu_time`] is in ticks.
pub(super) fn cpu_of_ended() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    let time = usage.map(|usage| usage.user_time() + usage.system_time());
    Duration::from_micros(time.map_or(0, |time| time.num_microseconds().unsigned_abs()))
}

/// Bytes of memory in use by the processes; `None` if the system does not report it. Shared memory is counted for every
/// process that maps it, unless that sum exceeds `limit`: then each process counts its proportional share (PSS).
pub(super) fn memory_in_use(processes: &[Stat], limit: u64) -> Option<u64> {
    let page = rustix::param::page_size() as u64;
    let sum: u64 = processes.iter().map(|p| p.rss * page).sum();
    if sum <= limit {
        return (sum > 0).then_some(sum);
    }
    let share = |p: &Stat| proportional_share(p).unwrap_or(p.rss * page);
    Some(processes.iter().map(share).sum())
}

/// The process with this id, if there is one.
pub(super) fn with_id(id: i32) -> Option<Stat> {
    Stat::from_file(format!("/proc/{id}/stat")).ok()
}

/// Identifies a process for good.
pub(super) fn key(process: &Stat) -> ProcessKey {
    (process.pid, process.starttime)
}

/// Returns whether a process has ended and its parent has not waited for it yet.
pub(super) fn is_zombie(process: &Stat) -> bool {
    matches!(process.state, 'Z' | 'X')
}

/// The CPU time of a process in whole ticks, with that of the processes that it waited for.
pub(super) fn cpu_time(process: &Stat) -> Duration {
    let waited = process.cutime.unsigned_abs() + process.cstime.unsigned_abs();
    let ticks = process.utime + process.stime + waited;
    Duration::from_millis(ticks * 1000 / clock_ticks_per_second())
}

/// The proportional set size of a process in bytes: memory shared with others is divided among them. `None` if the system
/// does not report it.
fn proportional_share(process: &Stat) -> Option<u64> {
    let maps = SmapsRollup::from_file(format!("/proc/{}/smaps_rollup", process.pid)).ok()?;
    let map = maps.memory_map_rollup.into_iter().next()?;
    map.extension.map.get("Pss").copied()
}

/// Kills a process.
pub(super) fn kill(process: &Stat) {
    signal(process.pid, Signal::KILL);
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
        let line = b"77 (a) R 1 (\xff b) S 5 6 7 0 -1 0 1 2 3 4 11 12 3 4 20 0 1 0 4242 999 321 0 1 1 1 0 0 0 0 0 0 0 0 0";
        let parsed = Stat::from_read(&line[..]).unwrap();
        assert_eq!(key(&parsed), (77, 4242));
        assert_eq!((parsed.ppid, parsed.pgrp, parsed.state), (5, 6, 'S'));
        assert_eq!(
            cpu_time(&parsed),
            Duration::from_millis(30_000 / clock_ticks_per_second())
        );
        assert_eq!(parsed.rss, 321);
        assert!(Stat::from_read(&b"1 (cut"[..]).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_in_the_table() {
        let own = |p: &Stat| p.pid == own_id();
        let found = all_processes().into_iter().find(own).unwrap();
        assert!(found.rss > 0 && !is_zombie(&found));
        assert!(proportional_share(&found).is_some_and(|bytes| bytes > 0));
    }
}
