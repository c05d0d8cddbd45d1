//! The system's table of processes, as far as a grader needs it.

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

/// Every process of the system; none where the system has no `/proc` as Linux has it.
pub(super) fn all() -> Vec<Process> {
    if cfg!(not(target_os = "linux")) {
        return Vec::new();
    }
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| {
            let name = entry.ok()?.file_name();
            let id: i32 = name.to_str()?.parse().ok()?;
            // A process that ends in between has no line.
            Process::read(id, &std::fs::read(format!("/proc/{id}/stat")).ok()?)
        })
        .collect()
}

impl Process {
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

    /// Does its environment hold `line`, `NAME=value`?
    pub(super) fn has_in_environment(&self, line: &str) -> bool {
        std::fs::read(format!("/proc/{}/environ", self.id)).is_ok_and(|all| {
            all.split(|&byte| byte == 0)
                .any(|one| one == line.as_bytes())
        })
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
