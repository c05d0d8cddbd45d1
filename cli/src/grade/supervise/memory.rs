//! The memory of running and of ended processes.
//!
//! Memory is measured over all processes of a program and not limited by `setrlimit`. A limit of the address space
//! holds for each process alone, so a program evades it by starting others; it fails Java, Node and Go programs, which
//! reserve much address space and use little of it; and a program that exceeds it cannot be distinguished from one that
//! crashed.

use std::process::Command;

use super::process::{Process, own_id, peak_memory, private_memory};

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

/// Makes the standard library start a program by `fork`, so that [`peak_floor`] is low; `false` if this
/// process may not do so.
///
/// The library prefers `posix_spawn`, which is a `vfork`, unless it has to set something else for the program. Here
/// that is the group id, set to its present value.
pub(super) fn force_fork(command: &mut Command) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{getegid, getgid};
        use rustix::thread::set_thread_gid;
        use std::os::unix::process::CommandExt;
        let group = getgid();
        // The call itself changes nothing. It fails where a sandbox forbids it, or the id is not mapped.
        let may_set = group == getegid() && set_thread_gid(group).is_ok();
        if may_set {
            command.gid(group.as_raw());
        }
        may_set
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = command;
        false
    }
}

/// The kernel's counters of resident pages are inexact, and `exec` itself touches some pages.
const TOLERANCE: u64 = 1 << 20;

/// A floor up to this does not matter: few programs use less.
const NEGLIGIBLE: u64 = 8 << 20;

/// Bytes of this process in the peak memory of an ended program that has just been started, as `wait4` gives it.
///
/// Until a new process calls `exec`, its memory is that of the process which created it, and Linux
/// counts that into the peak: after `vfork` the creator's own peak, after `fork` the private memory
/// that was copied.
pub(super) fn peak_floor(forked: bool) -> u64 {
    let read = if forked { private_memory } else { peak_memory };
    read(own_id()).map_or(0, |memory| memory + TOLERANCE)
}

/// The peak of an ended program in bytes, unless it can be this process's, which matters above `limit` in any case.
pub(super) fn own_peak(usage: &wait4::ResourceUsage, floor: u64, limit: u64) -> Option<u64> {
    let is_own = usage.maxrss > floor || floor <= NEGLIGIBLE.min(limit);
    (is_own && usage.maxrss > 0).then_some(usage.maxrss)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use wait4::Wait4;

    use super::*;

    #[test]
    fn the_peak_of_a_short_program_is_not_the_one_of_this_process() {
        // A peak of 256 MiB that is over before the program starts.
        assert!(
            std::hint::black_box(vec![1u8; 256 << 20])
                .iter()
                .all(|&byte| byte == 1)
        );
        assert!(peak_memory(own_id()).unwrap() >= 256 << 20);
        let peak = |forks: bool| {
            let mut command = Command::new("true");
            assert!(!forks || force_fork(&mut command));
            let usage = command.spawn().unwrap().wait4().unwrap().rusage;
            (own_peak(&usage, peak_floor(forks), 1 << 30), usage.maxrss)
        };
        let (with_fork, all) = peak(true);
        assert!(all < 256 << 20 && with_fork.is_none_or(|peak| peak == all));
        let (with_vfork, all) = peak(false);
        assert!(all >= 256 << 20 && with_vfork.is_none());
    }
}
