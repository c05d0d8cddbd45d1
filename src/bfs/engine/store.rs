//! Storage of the planes of a search.

use std::fmt;
use std::io;
use std::ops::Range;

use super::super::checkpoint::coding::Coder;
use super::super::error::SearchError;
use super::colour::{ColourPlanes, Expansion, LevelResult, Task};
use super::step::{Setup, Step};

/// Storage of the planes of a search between the steps of its levels.
pub trait PlaneStore: fmt::Debug + Send {
    /// Makes the planes of a step ready, and sets whether it is finished. Returns the words that other ranks, or other
    /// slabs, need for theirs, by receiver.
    ///
    /// # Errors
    /// Those of this rank.
    fn load(&mut self, step: &mut Step) -> Result<Vec<Vec<u8>>, SearchError>;

    /// The planes of the level before, which is of this colour.
    fn source(&mut self, colour: usize) -> &mut ColourPlanes;

    /// Makes the new states of a step, and returns the result of each chunk. Those of other cells stay.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if the stored states are damaged.
    fn expand(&mut self, level: Expansion<'_>) -> Vec<io::Result<LevelResult>>;

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

/// Planes of a rank's share that stay in memory, indexed by colour.
pub type InMemory = [ColourPlanes; 2];

impl PlaneStore for InMemory {
    fn load(&mut self, step: &mut Step) -> Result<Vec<Vec<u8>>, SearchError> {
        if !step.crosses() {
            return Ok(Vec::new());
        }
        let frontier = &self[1 - step.colour()].frontier;
        let pulls = &step.setup.pulls;
        let codes = step.setup.each(step.outgoing(), |(rank, run)| {
            let (mut code, mut coder) = (Vec::new(), Coder::default());
            for (first, len) in run.pieces(pulls) {
                let words = frontier.piece(run.source, run.from + first, len);
                coder.append(words, &mut code);
            }
            (rank, code)
        });
        let mut messages = vec![Vec::new(); step.setup.shares.ranks()];
        for (rank, code) in codes {
            messages[rank].extend(code);
        }
        Ok(messages)
    }

    fn source(&mut self, colour: usize) -> &mut ColourPlanes {
        &mut self[colour]
    }

    fn expand(&mut self, level: Expansion<'_>) -> Vec<io::Result<LevelResult>> {
        let colour = level.step.colour();
        let planes = self.get_disjoint_mut([1 - colour, colour]);
        let [source, target] = planes.expect("the colours differ");
        let expand = |task: Task<'_>| Ok(task.expand(level, source));
        level.step.setup.each(target.tasks(), expand)
    }

    fn save(&mut self, step: &Step, made: io::Result<LevelResult>) -> Result<(), SearchError> {
        let is_damaged = made.is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        assert!(!is_damaged, "ranks send what they have coded");
        self.source(1 - step.colour()).crossing.fill(Vec::new());
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
            let planes = &self[layout.colour(cell)].bit_one;
            for word in words.clone().step_by(layout.chunk()) {
                take(planes.piece(cell, word, layout.chunk()))?;
            }
        }
        Ok(())
    }
}
