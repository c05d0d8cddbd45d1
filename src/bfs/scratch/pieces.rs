//! Files of coded pieces: a piece for each chunk of each cell of a slab, cell by cell.
//!
//! In the file of a level a block is the number of its states that have not been reached, four
//! bytes, and the code of its frontier; in a file of bit 1 of the distances it is their code alone.
//! After the pieces come their lengths, four bytes each, and the CRC-32 of all before it, all
//! little-endian. So a run of pieces can be read without the others.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use crate::basics::Checksummed;

use super::super::checkpoint::coding::{Coder, split_code};
use super::super::engine::colour::Task;
use super::super::engine::layout::Layout;
use super::super::engine::planes::or_into;

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
    let mut starts = vec![0];
    for length in lengths.as_chunks().0 {
        starts.push(starts[starts.len() - 1] + u32::from_le_bytes(*length) as usize);
    }
    starts
}

/// Writes a file of the pieces of these chunks, a piece for each cell, and returns its number of bytes.
///
/// # Errors
/// Those of the system.
pub fn write(path: &Path, chunks: &[Vec<Vec<u8>>]) -> io::Result<u64> {
    let mut out = Checksummed::new(BufWriter::with_capacity(1 << 20, File::create(path)?));
    let (cells, mut lengths) = (chunks.first().map_or(0, Vec::len), Vec::new());
    for piece in (0..cells).flat_map(|cell| chunks.iter().map(move |chunk| &chunk[cell])) {
        out.write_all(piece)?;
        lengths.extend((piece.len() as u32).to_le_bytes());
    }
    out.write_all(&lengths)?;
    let checksum = out.checksum();
    out.inner.write_all(&checksum.to_le_bytes())?;
    out.inner.flush()?;
    Ok(out.length as u64 + 4)
}

/// The code of a block without any bit.
const EMPTY: [u8; 2] = [0; 2];

/// Splits the number of unreached states off the code of a block.
fn split_unseen<'a>(code: &mut &'a [u8]) -> io::Result<u32> {
    let (unseen, rest): (&[u8; 4], &'a [u8]) =
        code.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
    *code = rest;
    Ok(u32::from_le_bytes(*unseen))
}

/// Consecutive words of the frontier of one cell of a slab.
#[derive(Debug)]
pub struct CellWords<'a> {
    /// The pieces of the chunks that have them.
    pub pieces: &'a Pieces,
    /// Their place in the cell's words of the slab.
    pub words: Range<usize>,
}

impl CellWords<'_> {
    /// Appends their codes, block by block.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if the pieces are not such codes.
    pub fn append(&self, layout: &Layout, coder: &mut Coder, out: &mut Vec<u8>) -> io::Result<()> {
        let (len, words) = (layout.block(), &self.words);
        let chunks = words.start / layout.chunk()..words.end.div_ceil(layout.chunk());
        for (i, chunk) in chunks.enumerate() {
            let mut piece = self.pieces.get(i);
            let blocks = (chunk * layout.chunk()..(chunk + 1) * layout.chunk()).step_by(len);
            for first in blocks.take_while(|first| *first < words.end) {
                split_unseen(&mut piece)?;
                let mut code = split_code(&mut piece, 1)?;
                let part = words.start.max(first)..words.end.min(first + len);
                if part.len() == len {
                    out.extend(code);
                } else if !part.is_empty() {
                    let mut block = vec![0; len];
                    coder.read(&mut code, &mut block)?;
                    coder.append(&block[part.start - first..part.end - first], out);
                }
            }
        }
        Ok(())
    }
}

impl Task<'_> {
    /// The piece of a cell among those of the slab's file.
    fn piece<'a>(&self, layout: &Layout, pieces: &'a Pieces, slot: usize) -> &'a [u8] {
        let chunks = layout.slab_chunks();
        pieces.get(slot * chunks + self.chunk % chunks)
    }

    /// For each cell the places of its blocks in this chunk.
    fn slots(&self, layout: &Layout) -> impl Iterator<Item = Range<usize>> + use<> {
        let (count, blocks) = (self.unseen.len(), layout.chunk() / layout.block());
        (0..count)
            .step_by(blocks)
            .map(move |first| first..first + blocks)
    }

    /// Reads the frontier and the numbers of unreached states; without a file no state has been
    /// reached.
    ///
    /// # Errors
    /// As [`CellWords::append`].
    pub fn read(&mut self, layout: &Layout, pieces: Option<&Pieces>) -> io::Result<()> {
        let (len, mut coder) = (layout.block(), Coder::default());
        for (slot, places) in self.slots(layout).enumerate() {
            let mut piece = pieces.map(|pieces| self.piece(layout, pieces, slot));
            for place in places {
                let frontier = &mut self.frontier[place * len..(place + 1) * len];
                let was_active = std::mem::take(&mut self.active[place]);
                self.unseen[place] = layout.block_states();
                if let Some(piece) = &mut piece {
                    self.unseen[place] = split_unseen(piece)?;
                    self.active[place] = !piece.starts_with(&EMPTY);
                    if self.active[place] || was_active {
                        coder.read(piece, frontier)?;
                    } else {
                        *piece = &piece[EMPTY.len()..];
                    }
                } else if was_active {
                    frontier.fill(0);
                }
            }
        }
        Ok(())
    }

    /// Codes the frontier and the numbers of unreached states, a piece for each cell.
    pub fn code(&self, layout: &Layout) -> Vec<Vec<u8>> {
        let (len, mut coder) = (layout.block(), Coder::default());
        let code = |places: Range<usize>| {
            let mut piece = Vec::new();
            for place in places {
                piece.extend(self.unseen[place].to_le_bytes());
                if self.active[place] {
                    coder.append(&self.frontier[place * len..(place + 1) * len], &mut piece)
                } else {
                    piece.extend(EMPTY)
                }
            }
            piece
        };
        self.slots(layout).map(code).collect()
    }

    /// Merges the bits of a file and those of the frontier, a piece for each cell.
    ///
    /// # Errors
    /// As [`CellWords::append`].
    pub fn merged(&self, layout: &Layout, before: Option<&Pieces>) -> io::Result<Vec<Vec<u8>>> {
        let (len, mut coder) = (layout.block(), Coder::default());
        let mut bits = vec![0; len];
        let mut merged = Vec::new();
        for (slot, places) in self.slots(layout).enumerate() {
            let mut before = before.map(|pieces| self.piece(layout, pieces, slot));
            if let Some(before) = before.filter(|_| !self.active[places.clone()].contains(&true)) {
                merged.push(before.to_vec());
                continue;
            }
            let mut piece = Vec::new();
            for place in places {
                match &mut before {
                    Some(before) => coder.read(before, &mut bits)?,
                    None => bits.fill(0),
                }
                if self.active[place] {
                    let frontier = &self.frontier[place * len..(place + 1) * len];
                    or_into(&mut bits, frontier);
                }
                coder.append(&bits, &mut piece);
            }
            merged.push(piece);
        }
        Ok(merged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_as_they_were_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pieces");
        let pieces: Vec<Vec<u8>> = (0..7).map(|i| vec![i; usize::from(i * 11 % 5)]).collect();
        write(&path, std::slice::from_ref(&pieces)).unwrap();
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
