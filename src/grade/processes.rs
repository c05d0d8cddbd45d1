//! The system's table of processes, and what it can be told, as far as a grader needs it.

use std::time::{Duration, Instant};

use rustix::process::Pid;

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub id: i32,
    pub parent: i32,
    pub group: i32,
    /// When it started, in the system's ticks.
    pub started: u64,
    /// Pages of memory in use, those included that it shares with others.
    pub pages: u64,
    /// It has ended, and its parent has not asked yet how.
    pub is_dead: bool,
}

/// How long the table is read. Programs that start thousands of processes leave little time to
/// this one, and what was read of them in this time is enough to end them.
const READING: Duration = Duration::from_millis(250);

/// Every process of the system; none where the system has no `/proc` as Linux has it.
pub(super) fn all() -> Vec<Process> {
    if cfg!(not(target_os = "linux")) {
        return Vec::new();
    }
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let start = Instant::now();
    entries
        .take_while(|_| start.elapsed() < READING)
        .filter_map(|entry| {
            let name = entry.ok()?.file_name();
            let id: i32 = name.to_str()?.parse().ok()?;
            Process::of(id)
        })
        .collect()
}

/// This process's number.
pub(super) fn own_id() -> i32 {
    std::process::id() as i32
}

/// The processes whose parent is this one.
pub(super) fn children() -> Vec<Process> {
    // Each thread has its own; orphans fall to the first.
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let lists: Option<Vec<String>> = tasks
        .map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok())
        .collect();
    let Some(lists) = lists.filter(|lists| !lists.is_empty()) else {
        // The kernel has no such lists, or a thread has just ended.
        return all().into_iter().filter(|p| p.parent == own_id()).collect();
    };
    let ids = lists.iter().flat_map(|list| list.split_whitespace());
    ids.filter_map(|id| Process::of(id.parse().ok()?)).collect()
}

/// Makes this process adopt orphans, or no more; `false` if that changes nothing, or the system
/// cannot.
pub(super) fn adopt_orphans(adopt: bool) -> bool {
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

/// Makes a crash leave no memory image in the folder, which can be large.
pub(super) fn disable_core_dump(process: Pid) {
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

impl Process {
    /// The process with this number, if it is still there.
    fn of(id: i32) -> Option<Process> {
        Process::read(id, &std::fs::read(format!("/proc/{id}/stat")).ok()?)
    }

    /// Reads `/proc/ID/stat`. The second field is a name in brackets, of any bytes.
    fn read(id: i32, line: &[u8]) -> Option<Process> {
        let after_name = line.iter().rposition(|&byte| byte == b')')? + 1;
        let text = std::str::from_utf8(&line[after_name..]).ok()?;
        let fields: Vec<&str> = text.split_whitespace().collect();
        Some(Process {
            id,
            is_dead: ["Z", "X"].contains(fields.first()?),
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
            pages: fields.get(21)?.parse().ok()?,
        })
    }

    /// Number and start: what names a process for good, as numbers are used again.
    pub(super) fn key(&self) -> (i32, u64) {
        (self.id, self.started)
    }

    /// The environment that it was started with, as lines that end with a zero byte; nothing if
    /// the system does not show it.
    pub(super) fn environment(&self) -> Vec<u8> {
        std::fs::read(format!("/proc/{}/environ", self.id)).unwrap_or_default()
    }

    /// Its bytes of memory, what it shares with others divided among them; `None` if the system
    /// does not say.
    pub(super) fn fair_share(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.id)).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kib << 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let line = b"77 (a) R 1 (\xff b) S 5 6 7 0 -1 0 1 2 3 4 11 12 0 0 20 0 1 0 4242 999 321 0";
        let read = Process::read(77, line).unwrap();
        let expected = Process {
            id: 77,
            parent: 5,
            group: 6,
            started: 4242,
            pages: 321,
            is_dead: false,
        };
        assert_eq!(read, expected);
        assert_eq!(Process::read(1, b"1 (cut"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_in_the_table() {
        let me = std::process::id() as i32;
        let found = all().into_iter().find(|p| p.id == me).unwrap();
        assert!(found.pages > 0 && !found.is_dead);
        assert!(found.fair_share().is_some_and(|bytes| bytes > 0));
    }
}
