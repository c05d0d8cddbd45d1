//! Storage of the planes of a search between the steps of its levels: in memory, or in coded slabs.

use std::io;
use std::ops::Range;

use super::super::checkpoint::coding::Coder;
use super::super::error::SearchError;
use super::super::scratch::files::Files;
use super::colour::{ColourPlanes, Expansion, LevelResult, Task};
use super::step::{Setup, Step};

/// Whether there are files: the browser has none, and its module is smaller without the code for them.
pub const HAS_FILES: bool = !cfg!(target_family = "wasm");

/// Storage of the planes of a search between the steps of its levels.
#[derive(Debug)]
pub struct Store {
    /// Planes in memory, indexed by colour: those of this rank's share, or of the slab at work.
    pub planes: [ColourPlanes; 2],
    /// Coded slabs, of a search whose planes do not stay in memory.
    pub files: Option<Files>,
}

impl Store {
    /// Makes the planes of a step ready, and sets whether it is finished. Returns the words that other ranks, or other
    /// slabs, need for theirs, by receiver.
    ///
    /// # Errors
    /// Those of this rank.
    pub fn load(&mut self, step: &mut Step) -> Result<Vec<Vec<u8>>, SearchError> {
        if let Some(files) = self.files.as_mut().filter(|_| HAS_FILES) {
            return files.load(&mut self.planes, step);
        }
        if !step.crosses() {
            return Ok(Vec::new());
        }
        let frontier = &self.source(step).frontier;
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

    /// The planes of the level before a step's.
    pub fn source(&mut self, step: &Step) -> &mut ColourPlanes {
        &mut self.planes[1 - step.colour()]
    }

    /// Makes the new states of a step, and returns the result of each chunk. Those of other cells stay.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if the stored states are damaged.
    pub fn expand(&mut self, level: Expansion<'_>) -> Vec<io::Result<LevelResult>> {
        let colour = level.step.colour();
        let planes = self.planes.get_disjoint_mut([1 - colour, colour]);
        let [source, target] = planes.expect("the colours differ");
        let expand = |task: Task<'_>| Ok(task.expand(level, source));
        match self.files.as_mut().filter(|_| HAS_FILES) {
            Some(files) => files.expand(level, source),
            None => level.step.setup.each(target.tasks(), expand),
        }
    }

    /// Stores the new states, or ends the search: with [`io::ErrorKind::Interrupted`] the observer has ended it, with
    /// another error the stored planes or the messages of other ranks are damaged.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub fn save(&mut self, step: &Step, made: io::Result<LevelResult>) -> Result<(), SearchError> {
        if let Some(files) = self.files.as_mut().filter(|_| HAS_FILES) {
            return files.save(step, made);
        }
        let is_damaged = made.is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        assert!(!is_damaged, "ranks send what they have coded");
        self.source(step).crossing.fill(Vec::new());
        Ok(())
    }

    /// Hands bit 1 of the distances of this rank's share of some cells to `take`, in order, after so many levels.
    ///
    /// # Errors
    /// Those of the files and of `take`.
    pub fn each_bit_one(
        &self,
        setup: &Setup,
        levels: usize,
        cells: Range<usize>,
        take: &mut dyn FnMut(&[u64]) -> io::Result<()>,
    ) -> io::Result<()> {
        let (layout, words) = (setup.layout(), setup.words());
        if let Some(files) = self.files.as_ref().filter(|_| HAS_FILES) {
            return files.each_bit_one(setup, levels, cells, take);
        }
        for cell in cells {
            let planes = &self.planes[layout.colour(cell)].bit_one;
            for word in words.clone().step_by(layout.chunk()) {
                take(planes.piece(cell, word, layout.chunk()))?;
            }
        }
        Ok(())
    }
}
