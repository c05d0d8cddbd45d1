//! Blocks of the planes in a checkpoint, and the consistency of their contents.

use std::io::{self, Read, Write};
use std::ops::Range;

use super::coding::Coder;
use super::colour_planes::{ColourPlanes, Kept};
use super::layout::{Colour, Layout};

/// Numbers of states in the planes of a colour, which follow from the levels: reached states; those
/// of the frontier; those for which bit 1 of the distance is kept, and is 1; those of the frontier
/// among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents(pub [u64; 4]);

impl Contents {
    /// Contents of the planes of the even distances (colour 0) or of the odd ones after these
    /// levels.
    pub(crate) fn of_levels(levels: &[u64], colour: usize, has_bit_one: bool) -> Contents {
        let [mut reached, mut frontier, mut ones, mut frontier_ones] = [0u64; 4];
        for (distance, &states) in levels.iter().enumerate().skip(colour).step_by(2) {
            let one = has_bit_one && distance & 2 != 0;
            frontier_ones = if one { states } else { 0 };
            frontier = states;
            reached = reached.saturating_add(states);
            ones = ones.saturating_add(frontier_ones);
        }
        Contents([reached, frontier, ones, frontier_ones])
    }

    /// Contents of a block with `reached` reached states; `None` if its bits show more.
    pub(crate) fn of_block(reached: u32, frontier: &[u64], bit_one: &[u64]) -> Option<Contents> {
        let ones = |words: &mut dyn Iterator<Item = u64>| {
            words.map(|word| u64::from(word.count_ones())).sum::<u64>()
        };
        let reached = u64::from(reached);
        let in_frontier = ones(&mut frontier.iter().copied());
        let kept = ones(&mut bit_one.iter().copied());
        let both = ones(&mut frontier.iter().zip(bit_one).map(|(a, b)| a & b));
        let contents = Contents([reached, in_frontier, kept, both]);
        (in_frontier.max(kept) <= reached).then_some(contents)
    }

    /// Number of states of the frontier.
    pub(crate) fn frontier(&self) -> u64 {
        self.0[1]
    }

    pub(crate) fn add(&mut self, block: &Contents) {
        let sums = self.0.iter_mut().zip(block.0);
        sums.for_each(|(sum, states)| *sum += states);
    }
}

impl ColourPlanes {
    /// Writes the block at this place: its number of unreached states, its frontier, and bit 1 if
    /// it is kept.
    pub(super) fn write_block(
        &self,
        place: usize,
        cell: usize,
        word: usize,
        layout: &Layout,
        coder: &mut Coder,
        out: &mut impl Write,
    ) -> io::Result<()> {
        out.write_all(&self.unseen[place].to_le_bytes())?;
        coder.write(self.frontier.piece(cell, word, layout.block()), out)?;
        if self.bit_one.is_kept() {
            coder.write(self.bit_one.piece(cell, word, layout.block()), out)?;
        }
        Ok(())
    }

    /// Reads a block that [`ColourPlanes::write_block`] has written.
    pub(super) fn read_block(
        &mut self,
        place: usize,
        cell: usize,
        word: usize,
        layout: &Layout,
        coder: &mut Coder,
        source: &mut impl Read,
    ) -> io::Result<Contents> {
        let mut unseen = [0; 4];
        source.read_exact(&mut unseen)?;
        self.unseen[place] = u32::from_le_bytes(unseen);
        let (chunk, at) = (word / layout.chunk(), word % layout.chunk());
        let words = at..at + layout.block();
        let frontier = &mut self.frontier.of_chunk_mut(cell, chunk)[words.clone()];
        coder.read(source, frontier)?;
        let Some(reached) = layout.block_states().checked_sub(self.unseen[place]) else {
            return invalid();
        };
        let mut bit_one: &mut [u64] = &mut [];
        if self.bit_one.is_kept() {
            bit_one = &mut self.bit_one.of_chunk_mut(cell, chunk)[words];
            coder.read(source, bit_one)?;
        }
        let block = Contents::of_block(reached, frontier, bit_one);
        let mut all = frontier.iter().chain(&*bit_one);
        match block.filter(|_| all.all(|word| word & !layout.full_word() == 0)) {
            None => invalid(),
            Some(block) => {
                self.active[place] = block.frontier() > 0;
                Ok(block)
            }
        }
    }
}

/// Skips a block that [`ColourPlanes::write_block`] has written.
pub(super) fn skip_block(
    kept: Kept,
    coder: &mut Coder,
    block: &mut [u64],
    source: &mut impl Read,
) -> io::Result<()> {
    source.read_exact(&mut [0; 4])?;
    (0..kept.bits()).try_for_each(|_| coder.read(source, block))
}

/// Cell and first word of all blocks of these words of a colour, in the order of
/// [`ColourPlanes::unseen`].
pub(super) fn blocks(
    layout: &Layout,
    colour: Colour,
    words: Range<usize>,
) -> impl Iterator<Item = (usize, usize)> {
    words.step_by(layout.chunk()).flat_map(move |chunk| {
        layout.cells(colour).flat_map(move |cell| {
            let words = (chunk..chunk + layout.chunk()).step_by(layout.block());
            words.map(move |word| (cell, word))
        })
    })
}

/// The error of a checkpoint that is damaged, or of another search.
pub(super) fn invalid<T>() -> io::Result<T> {
    Err(io::ErrorKind::InvalidData.into())
}
