//! The CRC-32 of bytes on their way to or from a file.

use std::io::{self, Read, Write};

use super::crc32;

/// Passes bytes on to or from `inner` and computes their CRC-32.
pub(crate) struct Checksummed<T> {
    pub inner: T,
    hasher: crc32::Hasher,
}

impl<T> Checksummed<T> {
    pub fn new(inner: T) -> Checksummed<T> {
        Checksummed {
            inner,
            hasher: crc32::Hasher::new(),
        }
    }

    /// The CRC-32 of the bytes so far.
    pub fn checksum(&self) -> u32 {
        self.hasher.clone().finalize()
    }
}

impl<T: Write> Write for Checksummed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Checksummed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}
