//! What this machine has.

/// One thread for each core that this process may use.
pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Bytes that are free on the disk of a folder; `None` where the system does not say.
#[cfg(unix)]
pub(crate) fn free_disk(folder: &std::path::Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

/// Bytes that are free on the disk of a folder; `None` where the system does not say.
#[cfg(not(unix))]
pub(crate) fn free_disk(_: &std::path::Path) -> Option<u64> {
    None
}

/// Bytes of memory that the system can give without swapping; `None` where it does not say.
pub(crate) fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
