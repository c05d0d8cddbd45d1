//! What checkpoints of tables and of patterns have in common: the levels, the blocks of the planes, whose contents
//! have to agree with the levels, and the checksum at the end.

use std::io::{self, Read, Write};

use crate::basics::Checksummed;

use super::coding::Coder;

/// Numbers of states in the planes of a colour, which follow from the levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// Reached states.
    pub reached: u64,
    /// Those of the frontier.
    pub frontier: u64,
    /// Those for which bit 1 of the distance is 1.
    pub ones: u64,
    /// Those of the frontier among them.
    pub frontier_ones: u64,
}

impl Contents {
    /// Contents of the planes of the even distances (colour 0) or of the odd ones after these
    /// levels.
    pub fn of_levels(levels: &[u64], colour: usize) -> Contents {
        let mut all = Contents::default();
        for (distance, &states) in levels.iter().enumerate().skip(colour).step_by(2) {
            all.frontier = states;
            all.frontier_ones = if distance & 2 == 0 { 0 } else { states };
            all.reached = all.reached.saturating_add(states);
            all.ones = all.ones.saturating_add(all.frontier_ones);
        }
        all
    }

    /// Adds the contents of a block.
    pub fn add(&mut self, block: &Contents) {
        self.reached += block.reached;
        self.frontier += block.frontier;
        self.ones += block.ones;
        self.frontier_ones += block.frontier_ones;
    }
}

/// A block to be read from a checkpoint.
#[derive(Debug)]
pub(crate) struct BlockWords<'a> {
    pub frontier: &'a mut [u64],
    pub bit_one: &'a mut [u64],
    /// Number of its states.
    pub states: u32,
    /// A word with the bits of all its states set.
    pub full_word: u64,
}

/// Words that are coded at a time.
const PIECE: usize = 4096;

/// Appends a block: the number of its unreached states, and the codes of its frontier and of bit 1 of the distances.
pub(crate) fn append_block(
    unseen: u32,
    frontier: &[u64],
    bit_one: &[u64],
    coder: &mut Coder,
    out: &mut Vec<u8>,
) {
    out.extend(unseen.to_le_bytes());
    let pieces = frontier.chunks(PIECE).chain(bit_one.chunks(PIECE));
    pieces.for_each(|piece| coder.append(piece, out));
}

impl BlockWords<'_> {
    /// Reads the output of [`append_block`], and returns the number of unreached states and the contents.
    ///
    /// # Errors
    /// Those of `source`, and [`invalid`] if its bits are more than the states that are reached.
    pub fn read(self, coder: &mut Coder, source: &mut impl Read) -> io::Result<(u32, Contents)> {
        let unseen = u32::from_le_bytes(read(source)?);
        let reached = self.states.checked_sub(unseen).ok_or_else(invalid)?.into();
        let pieces = self
            .frontier
            .chunks_mut(PIECE)
            .chain(self.bit_one.chunks_mut(PIECE));
        for piece in pieces {
            coder.read(source, piece)?;
        }
        let mut contents = Contents {
            reached,
            ..Contents::default()
        };
        let mut all = 0;
        for (frontier, bit_one) in self.frontier.iter().zip(self.bit_one) {
            all |= *frontier | *bit_one;
            contents.frontier += u64::from(frontier.count_ones());
            contents.ones += u64::from(bit_one.count_ones());
            contents.frontier_ones += u64::from((*frontier & *bit_one).count_ones());
        }
        let fits = contents.frontier.max(contents.ones) <= reached;
        if fits && all & !self.full_word == 0 {
            Ok((unseen, contents))
        } else {
            Err(invalid())
        }
    }
}

/// Writes the number of levels and the number of states of each.
pub(crate) fn write_levels(levels: &[u64], out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[levels.len() as u8])?;
    let mut levels = levels.iter();
    levels.try_for_each(|states| out.write_all(&states.to_le_bytes()))
}

/// Reads the output of [`write_levels`].
///
/// # Errors
/// Those of `source`, and [`invalid`] if it is not the beginning of a search from one goal.
pub(crate) fn read_levels(source: &mut impl Read) -> io::Result<Vec<u64>> {
    let [count] = read(source)?;
    let levels = (0..count).map(|_| read(source).map(u64::from_le_bytes));
    let levels = levels.collect::<io::Result<Vec<u64>>>()?;
    match levels.first() {
        None | Some(1) if !levels.contains(&0) => Ok(levels),
        _ => Err(invalid()),
    }
}

/// Writes the checksum of all that was written.
pub(crate) fn write_checksum(out: Checksummed<impl Write>) -> io::Result<()> {
    let checksum = out.checksum();
    let mut out = out.inner;
    out.write_all(&checksum.to_le_bytes())
}

/// Compares the checksum of all that was read with the one that follows.
pub(crate) fn read_checksum(source: Checksummed<impl Read>) -> io::Result<()> {
    let checksum = source.checksum();
    let mut source = source.inner;
    if read(&mut source)? == checksum.to_le_bytes() {
        Ok(())
    } else {
        Err(invalid())
    }
}

/// Reads `N` bytes.
pub(crate) fn read<const N: usize>(source: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The error of a checkpoint that is damaged, or of another search.
pub(crate) fn invalid() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
