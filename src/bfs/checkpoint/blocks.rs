//! Saved blocks of planes, of tables and of patterns: their codes, and their contents, which have to agree with the
//! levels.

use std::io::{self, Read, Write};

use super::super::engine::colour::Task;
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

    /// Adds the contents of other blocks.
    pub fn add(&mut self, other: &Contents) {
        self.reached += other.reached;
        self.frontier += other.frontier;
        self.ones += other.ones;
        self.frontier_ones += other.frontier_ones;
    }
}

/// Form of the blocks of a plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockForm {
    /// Words of a block.
    pub words: usize,
    /// States of a block.
    pub states: u32,
    /// A word with the bits of all its states set.
    pub full_word: u64,
}

/// Words that are coded at a time.
const PIECE: usize = 4096;

/// Most bytes of a block of so many words, as [`Task::save`] writes it.
pub(crate) const fn most_bytes(words: usize) -> usize {
    4 + 2 * (2 * words.div_ceil(PIECE) + 8 * words)
}

impl Task<'_> {
    /// Appends the blocks: of each the number of its unreached states, and the codes of its frontier and of bit 1 of
    /// the distances.
    pub(crate) fn save(&self, form: BlockForm, coder: &mut Coder, out: &mut Vec<u8>) {
        let words = form.words;
        let blocks = self.frontier.chunks(words).zip(self.bit_one.chunks(words));
        for ((frontier, bit_one), unseen) in blocks.zip(&*self.unseen) {
            out.extend(unseen.to_le_bytes());
            let pieces = frontier.chunks(PIECE).chain(bit_one.chunks(PIECE));
            pieces.for_each(|piece| coder.append(piece, out));
        }
    }

    /// Reads the output of [`Task::save`], and returns the contents.
    ///
    /// # Errors
    /// Those of `source`, and [`invalid`] if the bits of a block are more than its states that are reached.
    pub(crate) fn load(
        &mut self,
        form: BlockForm,
        coder: &mut Coder,
        source: &mut impl Read,
    ) -> io::Result<Contents> {
        let (words, mut all) = (form.words, Contents::default());
        let blocks = (self.frontier.chunks_mut(words)).zip(self.bit_one.chunks_mut(words));
        let counts = self.unseen.iter_mut().zip(&mut *self.active);
        for ((frontier, bit_one), (unseen, active)) in blocks.zip(counts) {
            *unseen = u32::from_le_bytes(read(source)?);
            for piece in (frontier.chunks_mut(PIECE)).chain(bit_one.chunks_mut(PIECE)) {
                coder.read(source, piece)?;
            }
            let mut found = Contents {
                reached: form.states.checked_sub(*unseen).ok_or_else(invalid)?.into(),
                ..Contents::default()
            };
            let mut bits = 0;
            for (frontier, bit_one) in frontier.iter().zip(bit_one) {
                bits |= *frontier | *bit_one;
                found.frontier += u64::from(frontier.count_ones());
                found.ones += u64::from(bit_one.count_ones());
                found.frontier_ones += u64::from((*frontier & *bit_one).count_ones());
            }
            if found.frontier.max(found.ones) > found.reached || bits & !form.full_word != 0 {
                return Err(invalid());
            }
            *active = found.frontier > 0;
            all.add(&found);
        }
        Ok(all)
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
