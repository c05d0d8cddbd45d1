//! Storage of the planes of a search.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::ops::{ControlFlow, Range};

use super::coding::Coder;
use super::colour_planes::ColourPlanes;
use super::layout::Layout;
use super::step::Step;
use super::workers::Workers;

/// Storage of the planes of a search between the steps of its levels.
pub trait PlaneStore: fmt::Debug {
    /// Error that ends a search early.
    type Error;

    /// Puts the planes of a step into memory: the level before, and the last one of the colour that
    /// is searched. Returns the messages that other ranks, or other slabs, need for theirs.
    ///
    /// # Errors
    /// On all ranks, if there is one on any.
    fn load(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
    ) -> Result<Vec<Vec<u8>>, Self::Error>;

    /// Stores the new states, unless the messages of other ranks were damaged, or the search is to
    /// end.
    ///
    /// # Errors
    /// As [`PlaneStore::load`].
    fn save(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
        arrived: io::Result<()>,
        ended: ControlFlow<()>,
    ) -> Result<(), Self::Error>;

    /// Records these levels as finished. The level of the last steps has `states` states.
    ///
    /// # Errors
    /// As [`PlaneStore::load`].
    fn finish(&mut self, levels: &[u64], states: u64) -> Result<(), Self::Error>;

    /// Hands bit 1 of the distances of these words of some cells to `take`, in order.
    ///
    /// # Errors
    /// Those of the files and of `take`.
    fn each_bit_one(
        &self,
        layout: &Layout,
        planes: &[ColourPlanes; 2],
        cells: Range<usize>,
        words: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// Planes that stay in memory.
#[derive(Clone, Copy, Debug)]
pub struct InMemory;

impl PlaneStore for InMemory {
    type Error = Infallible;

    fn load(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
    ) -> Result<Vec<Vec<u8>>, Infallible> {
        if !step.crosses() {
            return Ok(Vec::new());
        }
        let frontier = &planes[step.colour().other() as usize].frontier;
        let runs = step.outgoing();
        let codes = workers.each(runs.clone(), |(_, run)| {
            let (mut code, mut coder) = (Vec::new(), Coder::default());
            for (first, len) in run.pieces(step.pulls) {
                let words = frontier.piece(run.source, run.from + first, len);
                coder.append(words, &mut code);
            }
            code
        });
        Ok(step.messages(&runs, codes))
    }

    fn save(
        &mut self,
        _: &Step<'_>,
        _: &mut [ColourPlanes; 2],
        _: &Workers,
        arrived: io::Result<()>,
        _: ControlFlow<()>,
    ) -> Result<(), Infallible> {
        arrived.expect("ranks send what they have coded");
        Ok(())
    }

    fn finish(&mut self, _: &[u64], _: u64) -> Result<(), Infallible> {
        Ok(())
    }

    fn each_bit_one(
        &self,
        layout: &Layout,
        planes: &[ColourPlanes; 2],
        cells: Range<usize>,
        words: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        for cell in cells {
            let planes = &planes[layout.colour(cell) as usize].bit_one;
            for word in words.clone().step_by(layout.chunk()) {
                take(planes.piece(cell, word, layout.chunk()))?;
            }
        }
        Ok(())
    }
}
