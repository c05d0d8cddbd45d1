//! A slab as codes of its blocks, cell by cell: the file, and the work on it.
//!
//! While a slab is at work, the level before is in memory as bits. The states two levels before are decoded, and the new
//! ones coded, block by block where they are used.
//!
//! A block is the number of its states that have not been reached, four bytes, and the code of its frontier. After the blocks comes the trailer: their lengths, two bytes each, the number of the level's states in eight
//! bytes, the CRC-32 of the blocks, and the CRC-32 of the trailer before it, all little-endian. So a run of blocks
//! can be read without the others.

use std::io::{self, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::checkpoint::coding::{Coder, EMPTY, split_code};
use super::super::engine::colour::{ColourPlanes, Expansion, LevelResult, Task};
use super::super::engine::layout::{Block, Layout};
use super::super::error::{SearchError, at};
use super::storage::ReadSeek;
use crate::basics::crc32;

/// The blocks of a file.
#[derive(Debug, Default)]
pub struct Blocks {
    bytes: Vec<u8>,
    /// Start of each block in `bytes`.
    starts: Arc<[u64]>,
}

impl Blocks {
    /// The blocks of a chunk of the plane in this slot, and what is behind them.
    fn of_chunk(&self, layout: &Layout, slot: usize, chunk: usize) -> &[u8] {
        let chunks = slot * layout.slab_chunks() + chunk % layout.slab_chunks();
        let block = chunks * (layout.chunk() / layout.block);
        &self.bytes[self.starts[block] as usize..]
    }
}

/// A file whose trailer has been read.
#[derive(Debug)]
pub struct SlabFile {
    file: Box<dyn ReadSeek>,
    /// Its path, for messages.
    pub path: PathBuf,
    /// Counters of the bytes that are read, and written.
    moved: Arc<[AtomicU64; 2]>,
    /// Start of each block, and the end of the last.
    starts: Arc<[u64]>,
    /// Number of the slab's states in the level.
    pub states: u64,
    checksum: [u8; 4],
}

/// The error of a damaged file.
const DAMAGED: io::ErrorKind = io::ErrorKind::InvalidData;

impl SlabFile {
    /// Reads the trailer of a file of so many blocks.
    ///
    /// # Errors
    /// Those of the system, or [`io::ErrorKind::InvalidData`] if it is damaged.
    pub fn open(
        mut file: Box<dyn ReadSeek>,
        (path, moved): (PathBuf, Arc<[AtomicU64; 2]>),
        blocks: usize,
    ) -> io::Result<SlabFile> {
        let mut trailer = vec![0; 2 * blocks + 16];
        let length = file.seek(SeekFrom::End(0))?;
        let end = length.checked_sub(trailer.len() as u64).ok_or(DAMAGED)?;
        file.seek(SeekFrom::Start(end))?;
        file.read_exact(&mut trailer)?;
        let (checked, checksum) = trailer.split_last_chunk().ok_or(DAMAGED)?;
        if crc32::hash(checked).to_le_bytes() != *checksum {
            return Err(DAMAGED.into());
        }
        let (checked, checksum) = checked.split_last_chunk().ok_or(DAMAGED)?;
        let (lengths, states) = checked.split_last_chunk().ok_or(DAMAGED)?;
        let mut starts = vec![0];
        for length in lengths.as_chunks().0 {
            starts.push(starts[starts.len() - 1] + u64::from(u16::from_le_bytes(*length)));
        }
        if starts[blocks] != end {
            return Err(DAMAGED.into());
        }
        Ok(SlabFile {
            file,
            path,
            moved,
            starts: starts.into(),
            states: u64::from_le_bytes(*states),
            checksum: *checksum,
        })
    }

    /// Reads some blocks, whose checksum is not verified.
    ///
    /// # Errors
    /// [`SearchError::Io`] or [`SearchError::Damaged`].
    pub fn read(&mut self, blocks: Range<usize>, out: &mut Vec<u8>) -> Result<(), SearchError> {
        let (start, end) = (self.starts[blocks.start], self.starts[blocks.end]);
        out.resize((end - start) as usize, 0);
        self.moved[0].fetch_add(end - start, Ordering::Relaxed);
        let at_start = self.file.seek(SeekFrom::Start(start));
        let read = at_start.and_then(|_| self.file.read_exact(out));
        read.map_err(at(&self.path))
    }

    /// Reads all blocks, into the memory of others.
    ///
    /// # Errors
    /// As [`SlabFile::read`].
    pub fn read_all(&mut self, blocks: &mut Blocks) -> Result<(), SearchError> {
        blocks.starts = self.starts.clone();
        self.read(0..self.starts.len() - 1, &mut blocks.bytes)?;
        match crc32::hash(&blocks.bytes).to_le_bytes() == self.checksum {
            true => Ok(()),
            false => Err(at(&self.path)(DAMAGED.into())),
        }
    }
}

/// The trailer of a file of these pieces, of a slab with `states` states.
///
/// # Panics
/// If they are no codes.
pub fn trailer(pieces: &[&[u8]], states: u64) -> Vec<u8> {
    let (mut trailer, mut hasher) = (Vec::new(), crc32::Hasher::new());
    for mut piece in pieces.iter().copied() {
        hasher.update(piece);
        while !piece.is_empty() {
            let code = split_block(&mut piece).expect("pieces are whole codes");
            trailer.extend(((UNSEEN + code.len()) as u16).to_le_bytes());
        }
    }
    trailer.extend(states.to_le_bytes());
    trailer.extend(hasher.finalize().to_le_bytes());
    trailer.extend(crc32::hash(&trailer).to_le_bytes());
    trailer
}

/// Splits a block off, and returns the code of its frontier.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if it is shorter.
pub fn split_block<'a>(blocks: &mut &'a [u8]) -> io::Result<&'a [u8]> {
    *blocks = blocks.get(UNSEEN..).ok_or(DAMAGED)?;
    split_code(blocks, 1)
}

/// Bytes of the number of unreached states before the code of a block.
const UNSEEN: usize = 4;

/// Appends the codes of consecutive words of a cell's frontier, block by block. The first is in the first of these
/// blocks of `len` words.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if they are not such codes.
pub fn append_words(
    mut blocks: &[u8],
    len: usize,
    words: Range<usize>,
    coder: &mut Coder,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    for first in (0..words.end).step_by(len) {
        let mut code = split_block(&mut blocks)?;
        let part = words.start.max(first)..words.end.min(first + len);
        if part.len() == len {
            out.extend(code);
        } else {
            let mut block = vec![0; len];
            coder.read(&mut code, &mut block)?;
            coder.append(&block[part.start - first..part.end - first], out);
        }
    }
    Ok(())
}

/// Codes of a chunk's blocks, by cell.
pub type Codes = Vec<Vec<u8>>;

/// Codes of the slab at work.
#[derive(Debug, Default)]
pub struct Slab {
    /// Its states two levels before, of the colour that is searched.
    pub old: Blocks,
    /// Its new states, by chunk.
    pub new: Vec<Codes>,
}

impl Slab {
    /// Makes the codes of the new states, given the slab's states of the level before. Returns the result of each chunk.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if the old codes are damaged.
    pub fn expand(
        &mut self,
        level: Expansion<'_>,
        source: &ColourPlanes,
    ) -> Vec<io::Result<LevelResult>> {
        let layout = level.step.setup.layout();
        let (words, blocks) = (layout.block, layout.chunk() / layout.block);
        let cells: Vec<usize> = layout.cells(level.step.colour()).collect();
        // None has been reached before distance 2.
        let unreached = [&layout.block_states().to_le_bytes()[..], &EMPTY].concat();
        let unreached = unreached.repeat(blocks);
        let expand = |(chunk, new): (usize, &mut Codes)| {
            let (mut coder, mut found) = (Coder::default(), LevelResult::default());
            let (mut states, mut pulled) = (vec![0; words], vec![0; words]);
            let (mut unseen, mut active) = ([0], [false]);
            let mut own = Task::new(chunk, (&mut states, &mut []), (&mut unseen, &mut active));
            new.resize_with(cells.len(), Vec::new);
            let cells = cells.iter().zip(new).enumerate();
            for (slot, (&cell, new)) in cells.filter(|(_, (cell, _))| level.takes(**cell)) {
                let mut old = match level.step.distance {
                    0 | 1 => &unreached[..],
                    _ => self.old.of_chunk(layout, slot, chunk),
                };
                new.clear();
                for number in chunk * blocks..(chunk + 1) * blocks {
                    own.load(words, &mut coder, &mut old)?;
                    let block = Block { cell, number };
                    found.add((own.as_mut()).expand_block(level, source, block, &mut pulled));
                    own.save(words, &mut coder, new);
                }
            }
            Ok(found)
        };
        self.new.resize_with(layout.slab_chunks(), Vec::new);
        let chunks = level.step.words().start / layout.chunk()..;
        (level.step.setup).each(chunks.zip(&mut self.new).collect(), expand)
    }
}

impl Task<'_> {
    /// Reads the states of all cells.
    ///
    /// # Errors
    /// As [`Slab::expand`].
    pub fn read(self, layout: &Layout, slab: &Blocks) -> io::Result<()> {
        let (words, chunk, mut coder) = (layout.block, self.chunk, Coder::default());
        let cells = self.split(layout.chunk(), layout.chunk() / words);
        (cells.enumerate()).try_for_each(|(slot, mut cell)| {
            let mut blocks = slab.of_chunk(layout, slot, chunk);
            cell.load(words, &mut coder, &mut blocks)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::path::Path;

    use super::*;

    #[test]
    fn blocks_are_read_as_they_were_written_or_not_at_all() {
        let mut coder = Coder::default();
        let mut blocks = vec![Vec::new(); 12];
        for (i, block) in blocks.iter_mut().enumerate() {
            let words: Vec<u64> = (0..9).map(|word| u64::from(word < i) << (5 * i)).collect();
            block.extend([i as u8; UNSEEN]);
            coder.append(&words, block);
        }
        let pieces: Vec<Vec<u8>> = blocks.chunks(2).map(<[_]>::concat).collect();
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let good = [pieces.concat(), trailer(&pieces, 91)].concat();
        let open = |bytes: &[u8]| {
            let file = Box::new(Cursor::new(bytes.to_vec()));
            SlabFile::open(file, Default::default(), 12)
        };
        let read_all = |bytes: &[u8]| {
            let mut file = open(bytes).map_err(at(Path::new("")))?;
            let mut blocks = Blocks::default();
            file.read_all(&mut blocks)?;
            Ok::<_, SearchError>((file.states, blocks))
        };
        let (states, all) = read_all(&good).unwrap();
        assert_eq!(states, 91);
        for (start, block) in all.starts.iter().zip(&blocks) {
            assert!(all.bytes[*start as usize..].starts_with(block));
        }
        let (mut file, mut some) = (open(&good).unwrap(), Vec::new());
        for (start, end) in (0..12).flat_map(|start| (start..=12).map(move |end| (start, end))) {
            file.read(start..end, &mut some).unwrap();
            assert_eq!(some, blocks[start..end].concat());
        }
        let data = blocks.concat().len();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 4;
            assert!(read_all(&bad).is_err());
            assert_eq!(open(&bad).is_err(), at >= data);
            assert!(open(&good[..at]).is_err());
        }
    }
}
