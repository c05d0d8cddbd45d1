//! Storage of the planes of a search.

use std::fmt;
use std::io;
use std::ops::Range;

use super::super::checkpoint::coding::Coder;
use super::super::error::SearchError;
use super::colour::{ColourPlanes, Expansion, LevelResult};
use super::layout::Colour;
use super::step::{Setup, Step, Workers};

/// A step that is ready to be expanded.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Words that other ranks, or other slabs, need for theirs, by receiver.
    pub messages: Vec<Vec<u8>>,
    /// Number of this rank's states in the step, if they were stored before.
    pub finished: Option<u64>,
}

/// Storage of the planes of a search between the steps of its levels.
pub trait PlaneStore: fmt::Debug + Send {
    /// Makes the planes of a step ready.
    ///
    /// # Errors
    /// On all ranks, if there is one on any.
    fn load(&mut self, step: &Step, workers: &Workers) -> Result<Loaded, SearchError>;

    /// The planes of the level before, which is of this colour.
    fn source(&mut self, colour: Colour) -> &mut ColourPlanes;

    /// Makes the new states of a step, and returns the result of each chunk. Those of other cells stay.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if the stored states are damaged.
    fn expand(&mut self, level: Expansion<'_>, workers: &Workers) -> Vec<io::Result<LevelResult>>;

    /// Stores the new states, or ends the search: with [`io::ErrorKind::Interrupted`] the observer has ended it, with
    /// another error the stored planes or the messages of other ranks are damaged.
    ///
    /// # Errors
    /// As [`PlaneStore::load`].
    fn save(&mut self, step: &Step, made: io::Result<LevelResult>) -> Result<(), SearchError>;

    /// Records these levels as finished. The level of the last steps has `states` states.
    ///
    /// # Errors
    /// As [`PlaneStore::load`].
    fn finish(&mut self, setup: &Setup, levels: &[u64], states: u64) -> Result<(), SearchError>;

    /// Hands bit 1 of the distances of this rank's share of some cells to `take`, in order, after so many levels.
    ///
    /// # Errors
    /// Those of the files and of `take`.
    fn each_bit_one(
        &self,
        setup: &Setup,
        levels: usize,
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// Planes that stay in memory.
#[derive(Debug)]
pub struct InMemory {
    /// Those of this rank's share, indexed by [`Colour`].
    pub(crate) planes: [ColourPlanes; 2],
}

impl PlaneStore for InMemory {
    fn load(&mut self, step: &Step, workers: &Workers) -> Result<Loaded, SearchError> {
        if !step.crosses() {
            return Ok(Loaded::default());
        }
        let frontier = &self.planes[step.colour().other() as usize].frontier;
        let codes = workers.each(step.outgoing(), |(rank, run)| {
            let (mut code, mut coder) = (Vec::new(), Coder::default());
            for (first, len) in run.pieces(&step.setup.pulls) {
                let words = frontier.piece(run.source, run.from + first, len);
                coder.append(words, &mut code);
            }
            (rank, code)
        });
        let mut messages = vec![Vec::new(); step.setup.shares.ranks()];
        for (rank, code) in codes {
            messages[rank].extend(code);
        }
        Ok(Loaded {
            messages,
            finished: None,
        })
    }

    fn source(&mut self, colour: Colour) -> &mut ColourPlanes {
        &mut self.planes[colour as usize]
    }

    fn expand(&mut self, level: Expansion<'_>, workers: &Workers) -> Vec<io::Result<LevelResult>> {
        let [even, odd] = &mut self.planes;
        let (source, target) = match level.step.colour() {
            Colour::Even => (&*odd, even),
            Colour::Odd => (&*even, odd),
        };
        workers.each(target.tasks(), |task| Ok(task.expand(level, source)))
    }

    fn save(&mut self, step: &Step, made: io::Result<LevelResult>) -> Result<(), SearchError> {
        let is_damaged = made.is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        assert!(!is_damaged, "ranks send what they have coded");
        self.source(step.colour().other()).crossing.fill(Vec::new());
        Ok(())
    }

    fn finish(&mut self, _: &Setup, _: &[u64], _: u64) -> Result<(), SearchError> {
        Ok(())
    }

    fn each_bit_one(
        &self,
        setup: &Setup,
        _: usize,
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let (layout, words) = (setup.layout(), setup.words());
        for cell in cells {
            let planes = &self.planes[layout.colour(cell) as usize].bit_one;
            for word in words.clone().step_by(layout.chunk()) {
                take(planes.piece(cell, word, layout.chunk()))?;
            }
        }
        Ok(())
    }
}
