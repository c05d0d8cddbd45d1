//! Files of this rank that a step needs, read ahead: those of its slab, and the words that cross
//! from this rank's slabs to others.

use std::io;

use super::coding::Coder;
use super::colour_planes::Kept;
use super::crossing::Run;
use super::layout::{Colour, Layout, bit_one_of};
use super::pull::Pulls;
use super::scratch::Scratch;
use super::scratch_error::{ScratchError, at};
use super::shares::Shares;
use super::slab_code::append_run;
use super::slab_file::{PieceFile, Pieces};
use super::step::Step;

/// Data shared by the threads that read and write.
#[derive(Debug)]
pub struct SlabIo {
    pub scratch: Scratch,
    pub pulls: Pulls,
    pub shares: Shares,
    pub rank: usize,
    pub kept: Kept,
}

/// Files of one slab, and words that other slabs need from this rank, read ahead.
#[derive(Debug, Default)]
pub struct Prefetched {
    /// Its states of the level before.
    pub source: Option<Pieces>,
    /// Its states two levels before, of the colour that is searched.
    pub old: Option<Pieces>,
    /// Bit 1 of the distances of that colour.
    pub bit_one: Option<Pieces>,
    /// Crossing words as messages, by receiver.
    pub messages: Vec<Vec<u8>>,
}

/// Number of pieces of a file of a colour: one for each cell and each chunk of the slab.
pub fn pieces(layout: &Layout, colour: Colour) -> usize {
    layout.cells(colour).count() * layout.slab_chunks()
}

impl SlabIo {
    fn step(&self, distance: u8, number: usize) -> Step<'_> {
        Step {
            pulls: &self.pulls,
            shares: self.shares,
            rank: self.rank,
            distance,
            number,
        }
    }

    /// Returns whether a level changes bit 1 of the kept distances.
    pub fn sets_bit_one(&self, distance: u8) -> bool {
        self.kept == Kept::BitOne && bit_one_of(distance) != 0
    }

    /// Reads the files that a step needs.
    pub fn read(&self, distance: u8, number: usize) -> Result<Prefetched, ScratchError> {
        let (scratch, layout) = (&self.scratch, self.pulls.layout());
        let step = self.step(distance, number);
        let messages = if step.crosses() {
            self.outgoing(&step)?
        } else {
            Vec::new()
        };
        let Some(slab) = slab(&step) else {
            return Ok(Prefetched {
                messages,
                ..Prefetched::default()
            });
        };
        let level = |back: u8| {
            let before = distance.checked_sub(back);
            before.map(|level| {
                let path = scratch.level(level, slab);
                let count = pieces(layout, Colour::of_distance(level));
                scratch.read(&path, count).map_err(at(&path))
            })
        };
        let bit_one = || {
            let path = scratch.bit_one(step.colour(), slab);
            match scratch.read(&path, pieces(layout, step.colour())) {
                // The first level of each colour that sets the bit makes the files.
                Err(error) if distance < 4 && error.kind() == io::ErrorKind::NotFound => Ok(None),
                read => read.map(Some).map_err(at(&path)),
            }
        };
        Ok(Prefetched {
            source: level(1).transpose()?,
            old: level(2).transpose()?,
            bit_one: if self.sets_bit_one(distance) {
                bit_one()?
            } else {
                None
            },
            messages,
        })
    }

    /// Reads the words that other slabs need from this rank in a step, as messages. Each file is
    /// opened once.
    fn outgoing(&self, step: &Step<'_>) -> Result<Vec<Vec<u8>>, ScratchError> {
        let layout = self.pulls.layout();
        let runs = step.outgoing();
        let slab_of = |i: &usize| runs[*i].1.from / layout.slab_words();
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.sort_by_key(slab_of);
        let mut codes = vec![Vec::new(); runs.len()];
        let mut coder = Coder::default();
        for same in order.chunk_by(|a, b| slab_of(a) == slab_of(b)) {
            let path = self.scratch.level(step.distance - 1, slab_of(&same[0]));
            let mut read = || {
                let count = pieces(layout, step.colour().other());
                let mut file = PieceFile::open(&path, count)?;
                for &i in same {
                    self.read_run(&mut file, &runs[i].1, &mut coder, &mut codes[i])?;
                }
                Ok(())
            };
            read().map_err(at(&path))?;
        }
        Ok(step.messages(&runs, codes))
    }

    /// Appends the codes of a run, from the file of its slab.
    fn read_run(
        &self,
        file: &mut PieceFile,
        run: &Run,
        coder: &mut Coder,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let layout = self.pulls.layout();
        let first = run.from % layout.slab_words();
        let words = first..first + run.len;
        let chunks = words.start / layout.chunk()..words.end.div_ceil(layout.chunk());
        let place = layout.slot(run.source) * layout.slab_chunks();
        let found = file.read(place + chunks.start..place + chunks.end)?;
        self.scratch.has_read(&found);
        append_run(layout, coder, &found, chunks.start, words, out)
    }
}

/// The slab of this rank in a step, if it has one.
pub fn slab(step: &Step<'_>) -> Option<usize> {
    let words = step.words();
    (!words.is_empty()).then(|| words.start / step.pulls.layout().slab_words())
}
