//! Large zeroed memory, in huge pages where the system has them.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Words that begin as zeros. The system gives their pages when they are first touched.
pub struct Words(Memory);

enum Memory {
    Small(Vec<u64>),
    Mapped(MmapMut),
}

/// Bytes from which a mapping of its own is worth it: a huge page.
const LARGE: usize = 2 << 20;

impl Words {
    /// `len` zeros.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn zeroed(len: usize) -> io::Result<Words> {
        let bytes = len * size_of::<u64>();
        if bytes < LARGE {
            return Ok(Words(Memory::Small(vec![0; len])));
        }
        let map = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage); // without them it is only slower
        Ok(Words(Memory::Mapped(map)))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Memory::Small(words) => words,
            Memory::Mapped(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Memory::Small(words) => words,
            Memory::Mapped(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({})", self.len())
    }
}

/// Bytes that the system says it can give without swapping, where it says so.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// A number of bytes for people.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..0x0010_0000 => format!("{} KiB", bytes.div_ceil(1 << 10)),
        0x0010_0000..0x4000_0000 => format!("{} MiB", bytes.div_ceil(1 << 20)),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}
