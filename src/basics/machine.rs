//! Cores, memory and free disk of this machine.

/// Number of cores that this process may use.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Free bytes on the disk of a folder; `None` if the system does not report them.
#[cfg(unix)]
pub fn free_disk(folder: &std::path::Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail * disk.f_frsize)
}

/// Free bytes on the disk of a folder; `None` if the system does not report them.
#[cfg(windows)]
pub fn free_disk(folder: &std::path::Path) -> Option<u64> {
    fs4::available_space(folder).ok()
}

/// Bytes of memory that the system can give without swapping; `None` if it does not report them.
#[cfg(any(unix, windows))]
pub fn available_memory() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
    Some(system.available_memory()).filter(|&bytes| bytes > 0)
}

/// Free bytes on the disk of a folder: not reported by these systems.
#[cfg(not(any(unix, windows)))]
pub fn free_disk(_: &std::path::Path) -> Option<u64> {
    None
}

/// Bytes of memory that the system can give: these systems report none, and an allocation has this size at most.
#[cfg(not(any(unix, windows)))]
pub fn available_memory() -> Option<u64> {
    Some(isize::MAX as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_says_how_much_memory_and_disk_is_free() {
        assert!(available_memory().is_some());
        assert!(free_disk(std::path::Path::new(".")).is_some());
    }
}
