//! Files of coded pieces: a piece for each chunk of each cell of a slab, cell by cell.
//!
//! After the pieces come their lengths, four bytes each, and the CRC-32 of all before it, all
//! little-endian. So a run of pieces can be read without the others.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use crate::basics::Checksummed;

/// The pieces of a file, or some of them in order.
#[derive(Debug)]
pub struct Pieces {
    bytes: Vec<u8>,
    /// Start of each piece in `bytes`, and the end of the last.
    starts: Vec<usize>,
}

impl Pieces {
    /// A piece.
    pub fn get(&self, i: usize) -> &[u8] {
        &self.bytes[self.starts[i]..self.starts[i + 1]]
    }

    /// Bytes of the pieces.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Reads a file of `count` pieces.
    ///
    /// # Errors
    /// Those of the system, or [`io::ErrorKind::InvalidData`] if it is damaged.
    pub fn read(path: &Path, count: usize) -> io::Result<Pieces> {
        let mut bytes = fs::read(path)?;
        let damaged = io::ErrorKind::InvalidData;
        let end = bytes.len().checked_sub(4 * count + 4).ok_or(damaged)?;
        let (checked, checksum) = bytes.split_at(end + 4 * count);
        if crc32fast::hash(checked).to_le_bytes() != checksum {
            return Err(damaged.into());
        }
        let starts = starts(&checked[end..]);
        bytes.truncate(end);
        match starts.last() {
            Some(last) if *last == end => Ok(Pieces { bytes, starts }),
            _ => Err(damaged.into()),
        }
    }
}

/// A file of which some pieces are read. Its checksum is not verified.
#[derive(Debug)]
pub struct PieceFile {
    file: File,
    starts: Vec<usize>,
}

impl PieceFile {
    /// Opens a file of `count` pieces.
    ///
    /// # Errors
    /// As [`Pieces::read`].
    pub fn open(path: &Path, count: usize) -> io::Result<PieceFile> {
        let mut file = File::open(path)?;
        let mut lengths = vec![0; 4 * count];
        let back = (lengths.len() + 4) as i64;
        let end = file.seek(SeekFrom::End(-back))?;
        file.read_exact(&mut lengths)?;
        let starts = starts(&lengths);
        if starts[count] as u64 == end {
            Ok(PieceFile { file, starts })
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    /// Reads these pieces.
    ///
    /// # Errors
    /// As [`Pieces::read`].
    pub fn read(&mut self, wanted: Range<usize>) -> io::Result<Pieces> {
        let starts = &self.starts[wanted.start..=wanted.end];
        let first = starts[0];
        let starts: Vec<usize> = starts.iter().map(|start| start - first).collect();
        let mut bytes = vec![0; starts[wanted.len()]];
        self.file.seek(SeekFrom::Start(first as u64))?;
        self.file.read_exact(&mut bytes)?;
        Ok(Pieces { bytes, starts })
    }
}

/// The sums of the lengths before each piece, and of all.
fn starts(lengths: &[u8]) -> Vec<usize> {
    let lengths = lengths
        .as_chunks()
        .0
        .iter()
        .map(|length| u32::from_le_bytes(*length) as usize);
    let mut sum = 0;
    let ends = lengths.map(|length| {
        sum += length;
        sum
    });
    std::iter::once(0).chain(ends).collect()
}

/// Writes a file of these pieces and returns its number of bytes.
///
/// # Errors
/// Those of the system.
pub fn write(path: &Path, pieces: &[Vec<u8>]) -> io::Result<u64> {
    let mut out = Checksummed::new(BufWriter::with_capacity(1 << 20, File::create(path)?));
    pieces.iter().try_for_each(|piece| out.write_all(piece))?;
    let lengths = pieces
        .iter()
        .flat_map(|piece| (piece.len() as u32).to_le_bytes());
    out.write_all(&lengths.collect::<Vec<u8>>())?;
    let checksum = out.checksum();
    out.inner.write_all(&checksum.to_le_bytes())?;
    out.inner.flush()?;
    Ok(out.length as u64 + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_as_they_were_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pieces");
        let pieces: Vec<Vec<u8>> = (0..7).map(|i| vec![i; usize::from(i * 11 % 5)]).collect();
        write(&path, &pieces).unwrap();
        let all = Pieces::read(&path, 7).unwrap();
        let read_some = |wanted| PieceFile::open(&path, 7)?.read(wanted);
        let some = read_some(2..5).unwrap();
        for (i, piece) in pieces.iter().enumerate() {
            assert_eq!(all.get(i), piece);
            if (2..5).contains(&i) {
                assert_eq!(some.get(i - 2), piece);
            }
        }
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 4;
            fs::write(&path, &bad).unwrap();
            assert!(Pieces::read(&path, 7).is_err());
            let _ = read_some(0..7);
            fs::write(&path, &good[..at]).unwrap();
            assert!(Pieces::read(&path, 7).is_err() && read_some(0..7).is_err());
        }
    }
}
