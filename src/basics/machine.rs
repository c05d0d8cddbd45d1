//! What this machine has.

/// One thread for each core that this process may use.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Bytes that are free on the disk of a folder; `None` where the system does not say.
#[cfg(any(unix, windows))]
pub fn free_disk(folder: &std::path::Path) -> Option<u64> {
    fs4::available_space(folder).ok()
}

/// Bytes of memory that the system can give without swapping; `None` where it does not say.
#[cfg(any(unix, windows))]
pub fn available_memory() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
    Some(system.available_memory()).filter(|&bytes| bytes > 0)
}

/// Bytes that are free on the disk of a folder: no such system has one.
#[cfg(not(any(unix, windows)))]
pub fn free_disk(_: &std::path::Path) -> Option<u64> {
    None
}

/// Bytes of memory that the system can give: no such system says.
#[cfg(not(any(unix, windows)))]
pub fn available_memory() -> Option<u64> {
    None
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
