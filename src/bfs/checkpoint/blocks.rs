//! Saved blocks of planes, of tables and of patterns, and the head and the records of a checkpoint.

use std::io::{self, Read, Write};

use super::super::engine::colour::Task;
use super::coding::{Coder, EMPTY};
use crate::basics::crc32;

/// Words that are coded at a time.
const PIECE: usize = 4096;

/// Most bytes of a block of so many words, as [`Task::save`] writes it.
pub(crate) const fn most_bytes(words: usize) -> usize {
    4 + 2 * (2 * words.div_ceil(PIECE) + 8 * words)
}

impl Task<'_> {
    /// Appends the blocks, each of so many words: the number of its unreached states, and the codes of its frontier and of
    /// bit 1 of the distances, if that is kept.
    pub(crate) fn save(&mut self, words: usize, coder: &mut Coder, out: &mut Vec<u8>) {
        for block in self.as_mut().split(words, 1) {
            out.extend(block.unseen[0].to_le_bytes());
            for piece in block.frontier.chunks(PIECE) {
                match block.active[0] {
                    true => coder.append(piece, out),
                    false => out.extend(EMPTY),
                }
            }
            (block.bit_one.chunks(PIECE)).for_each(|piece| coder.append(piece, out));
        }
    }

    /// Reads the output of [`Task::save`].
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if it is not that of so many blocks.
    pub(crate) fn load(
        &mut self,
        words: usize,
        coder: &mut Coder,
        source: &mut &[u8],
    ) -> io::Result<()> {
        for block in self.as_mut().split(words, 1) {
            block.unseen[0] = u32::from_le_bytes(read(source)?);
            let was_active = std::mem::take(&mut block.active[0]);
            for piece in block.frontier.chunks_mut(PIECE) {
                let is_empty = source.starts_with(&EMPTY);
                block.active[0] |= !is_empty;
                match is_empty && !was_active {
                    true => *source = &source[EMPTY.len()..], // its bits are 0
                    false => coder.read(source, piece)?,
                }
            }
            let mut pieces = block.bit_one.chunks_mut(PIECE);
            pieces.try_for_each(|piece| coder.read(source, piece))?;
        }
        Ok(())
    }
}

/// The first bytes of a checkpoint: what is searched, and the number of states of each level.
pub(crate) fn head(what: &[u8], levels: &[u64]) -> Vec<u8> {
    let levels_of = levels.iter().flat_map(|states| states.to_le_bytes());
    let head = what.iter().copied().chain([levels.len() as u8]);
    head.chain(levels_of).collect()
}

/// Reads the levels behind `what` from a head.
///
/// # Errors
/// Those of `source`, and [`invalid`] if it is not that of a search of so many states from one goal.
pub(crate) fn read_levels(
    what: &[u8],
    states: u64,
    source: &mut impl Read,
) -> io::Result<Vec<u64>> {
    let mut found = vec![0; what.len()];
    source.read_exact(&mut found)?;
    let [count] = read(source)?;
    let levels = (0..count).map(|_| read(source).map(u64::from_le_bytes));
    let levels = levels.collect::<io::Result<Vec<u64>>>()?;
    match found == what && !levels.is_empty() && are_levels(&levels, states) {
        true => Ok(levels),
        false => Err(invalid()),
    }
}

/// Returns whether a search of so many states from one goal can have begun with these levels.
pub(crate) fn are_levels(levels: &[u64], states: u64) -> bool {
    let is_from_goal = levels.first().is_none_or(|first| *first == 1);
    let sum = (levels.iter()).try_fold(0, |sum: u64, states| sum.checked_add(*states));
    is_from_goal && levels.len() < 256 && sum.is_some_and(|sum| sum <= states)
}

/// Writes a part of a checkpoint with this head: its length, its bytes, and the CRC-32 of the head and the bytes.
pub(crate) fn write_record(head: &[u8], bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(bytes)?;
    out.write_all(&checksum(head, bytes).to_le_bytes())
}

/// Reads the output of [`write_record`], at most so many bytes.
///
/// # Errors
/// Those of `source`, and [`invalid`] if it is longer or does not have its checksum.
pub(crate) fn read_record(head: &[u8], most: usize, source: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = u64::from_le_bytes(read(source)?);
    let length = usize::try_from(length)
        .ok()
        .filter(|length| *length <= most);
    let mut bytes = vec![0; length.ok_or_else(invalid)?];
    source.read_exact(&mut bytes)?;
    match read(source)? == checksum(head, &bytes).to_le_bytes() {
        true => Ok(bytes),
        false => Err(invalid()),
    }
}

fn checksum(head: &[u8], bytes: &[u8]) -> u32 {
    let mut hasher = crc32::Hasher::new();
    hasher.update(head);
    hasher.update(bytes);
    hasher.finalize()
}

/// Reads `N` bytes.
fn read<const N: usize>(source: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The error of a checkpoint that is damaged, or of another search.
pub(crate) fn invalid() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
