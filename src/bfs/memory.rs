//! Large zeroed memory, in huge pages where the system has them.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// Words that begin as zeros. The system gives their pages when they are first touched.
pub struct Words(Backing);

enum Backing {
    Small(Vec<u64>),
    Mapped(MmapMut),
}

/// Memory of at least this many bytes, one huge page, is mapped from the system directly.
const LARGE: usize = 2 << 20;

impl Words {
    /// `len` zeros.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn zeroed(len: usize) -> io::Result<Words> {
        let bytes = len * size_of::<u64>();
        if bytes < LARGE {
            return Ok(Words(Backing::Small(vec![0; len])));
        }
        let map = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage); // without them it is only slower
        Ok(Words(Backing::Mapped(map)))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Backing::Small(words) => words,
            Backing::Mapped(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Backing::Small(words) => words,
            Backing::Mapped(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({})", self.len())
    }
}
