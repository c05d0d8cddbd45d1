//! Storage of the planes of a search.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::ops::Range;

use super::super::checkpoint::coding::Coder;
use super::colour::ColourPlanes;
use super::step::{Setup, Step, Workers};

/// Reason why the new states of a step are not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The observer ended the search.
    Interrupted,
    /// The messages of other ranks were damaged.
    Damaged,
}

/// Storage of the planes of a search between the steps of its levels.
pub trait PlaneStore: fmt::Debug {
    /// Error that ends a search early.
    type Error;

    /// Whether bit 1 of the distances stays in memory from level to level.
    const IN_MEMORY: bool;

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

    /// Stores the new states, or ends the search.
    ///
    /// # Errors
    /// As [`PlaneStore::load`].
    fn save(
        &mut self,
        step: &Step<'_>,
        planes: &mut [ColourPlanes; 2],
        workers: &Workers,
        made: Result<(), Unfinished>,
    ) -> Result<(), Self::Error>;

    /// Records these levels as finished. The level of the last steps has `states` states.
    ///
    /// # Errors
    /// As [`PlaneStore::load`].
    fn finish(&mut self, setup: &Setup, levels: &[u64], states: u64) -> Result<(), Self::Error>;

    /// Hands bit 1 of the distances of this rank's share of some cells to `take`, in order.
    ///
    /// # Errors
    /// Those of the files and of `take`.
    fn each_bit_one(
        &self,
        setup: &Setup,
        planes: &[ColourPlanes; 2],
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// Planes that stay in memory.
#[derive(Clone, Copy, Debug)]
pub struct InMemory;

impl PlaneStore for InMemory {
    type Error = Infallible;

    const IN_MEMORY: bool = true;

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
        let codes = workers.each(runs.clone(), |sent| {
            let (mut code, mut coder) = (Vec::new(), Coder::default());
            for (first, len) in sent.run.pieces(&step.setup.pulls) {
                let words = frontier.piece(sent.run.source, sent.run.from + first, len);
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
        made: Result<(), Unfinished>,
    ) -> Result<(), Infallible> {
        assert_ne!(
            made,
            Err(Unfinished::Damaged),
            "ranks send what they have coded"
        );
        Ok(())
    }

    fn finish(&mut self, _: &Setup, _: &[u64], _: u64) -> Result<(), Infallible> {
        Ok(())
    }

    fn each_bit_one(
        &self,
        setup: &Setup,
        planes: &[ColourPlanes; 2],
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let (layout, words) = (setup.layout(), setup.words());
        for cell in cells {
            let planes = &planes[layout.colour(cell) as usize].bit_one;
            for word in words.clone().step_by(layout.chunk()) {
                take(planes.piece(cell, word, layout.chunk()))?;
            }
        }
        Ok(())
    }
}
