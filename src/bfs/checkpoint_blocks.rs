//! The blocks of the planes as a checkpoint has them, and what they must hold together.

use std::io::{self, Read, Write};
use std::ops::Range;

use super::coding::Coder;
use super::colour_planes::{ColourPlanes, Kept};
use super::layout::{Colour, Layout};

/// What the planes of a colour hold, which follows from the levels: states that have been reached;
/// those of the frontier; those for which bit 1 of the distance is kept, and is 1; those of the
/// frontier among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents(pub [u64; 4]);

impl Contents {
    /// What they hold after these levels.
    pub(super) fn of_levels(levels: &[u64], colour: Colour, kept: Kept) -> Contents {
        let [mut reached, mut frontier, mut ones, mut frontier_ones] = [0u64; 4];
        for (distance, &states) in levels.iter().enumerate().skip(colour as usize).step_by(2) {
            let one = kept == Kept::BitOne && distance & 2 != 0;
            frontier_ones = if one { states } else { 0 };
            frontier = states;
            reached = reached.saturating_add(states);
            ones = ones.saturating_add(frontier_ones);
        }
        Contents([reached, frontier, ones, frontier_ones])
    }

    pub(super) fn add(&mut self, block: &Contents) {
        let sums = self.0.iter_mut().zip(block.0);
        sums.for_each(|(sum, states)| *sum += states);
    }
}

impl ColourPlanes {
    /// Writes what is known of the block at this place.
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

    /// Reads what [`ColourPlanes::write_block`] has written.
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
        let (reached, in_frontier) = (u64::from(reached), ones(frontier));
        self.active[place] = in_frontier > 0;
        let mut all = frontier.iter().fold(0, |all, word| all | word);
        let [mut kept, mut kept_in_frontier] = [0; 2];
        if self.bit_one.is_kept() {
            let bit_one = &mut self.bit_one.of_chunk_mut(cell, chunk)[words];
            coder.read(source, bit_one)?;
            kept = ones(bit_one);
            let both = frontier.iter().zip(&*bit_one);
            kept_in_frontier = both.map(|(a, b)| u64::from((a & b).count_ones())).sum();
            all = bit_one.iter().fold(all, |all, word| all | word);
        }
        match in_frontier.max(kept) > reached || all & !layout.full_word() != 0 {
            true => invalid(),
            false => Ok(Contents([reached, in_frontier, kept, kept_in_frontier])),
        }
    }
}

/// Reads over what [`ColourPlanes::write_block`] has written.
pub(super) fn skip_block(
    kept: Kept,
    coder: &mut Coder,
    block: &mut [u64],
    source: &mut impl Read,
) -> io::Result<()> {
    source.read_exact(&mut [0; 4])?;
    (0..kept.bits()).try_for_each(|_| coder.read(source, block))
}

fn ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
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
