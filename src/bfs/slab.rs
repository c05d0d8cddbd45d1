//! One slab of one level at work: its files, what crosses into it, and its new states.

use std::io;
use std::path::Path;

use super::coding::Coder;
use super::colour_planes::{ColourPlanes, Task};
use super::layout::{Colour, Layout};
use super::pull::{Pull, Pulls};
use super::scratch::{Scratch, ScratchError, at};
use super::slab_code::read_frontier;
use super::slab_file::Pieces;
use super::workers::Workers;

/// The files of one slab, read ahead.
pub struct Ahead {
    /// Its states of the level before.
    source: Option<Pieces>,
    /// Its states two levels before, of the colour that is searched.
    old: Option<Pieces>,
    /// Bit 1 of the distances of that colour.
    pub bit_one: Option<Pieces>,
}

/// Pieces of the files of a colour: for each cell, for each chunk of the slab.
pub fn pieces(layout: &Layout, colour: Colour) -> usize {
    layout.cells(colour).count() * layout.slab_chunks()
}

impl Ahead {
    pub fn read(
        scratch: &Scratch,
        layout: &Layout,
        distance: u8,
        slab: usize,
        with_bit_one: bool,
    ) -> Result<Ahead, ScratchError> {
        let colour = Colour::of_distance(distance);
        let level = |back: u8| {
            let before = distance.checked_sub(back);
            before.map(|level| {
                let path = scratch.level(level, slab);
                let count = pieces(layout, Colour::of_distance(level));
                scratch.read(&path, None, count).map_err(at(&path))
            })
        };
        let bit_one = || {
            let path = scratch.bit_one(colour, slab);
            match scratch.read(&path, None, pieces(layout, colour)) {
                // The first level of each colour that sets the bit makes the files.
                Err(error) if distance < 4 && error.kind() == io::ErrorKind::NotFound => Ok(None),
                read => read.map(Some).map_err(at(&path)),
            }
        };
        Ok(Ahead {
            source: level(1).transpose()?,
            old: level(2).transpose()?,
            bit_one: if with_bit_one { bit_one()? } else { None },
        })
    }
}

/// One slab of one level at work.
pub struct Slab<'a> {
    pub pulls: &'a Pulls,
    pub planes: &'a mut [ColourPlanes; 2],
    pub workers: &'a Workers,
    pub scratch: &'a Scratch,
    pub slab: usize,
}

impl Slab<'_> {
    /// Puts the level before, the one before that, and what crosses from other slabs into memory.
    pub fn load(&mut self, files: &Ahead, distance: u8) -> Result<(), ScratchError> {
        let layout = self.pulls.layout();
        let target = Colour::of_distance(distance);
        for (colour, pieces, back) in [(target.other(), &files.source, 1), (target, &files.old, 2)]
        {
            let planes = &mut self.planes[colour as usize];
            planes.set_slab(layout, self.slab);
            let read = |task: &mut Task<'_>| task.read(layout, pieces.as_ref());
            let tasks = self.workers.each(planes.tasks(layout), read);
            let path = |back| self.scratch.level(distance.saturating_sub(back), self.slab);
            tasks
                .into_iter()
                .collect::<io::Result<()>>()
                .map_err(at(&path(back)))?;
        }
        if distance > 0 {
            for cell in layout.cells(target) {
                self.fetch(cell, distance - 1)?;
            }
        }
        Ok(())
    }

    /// Fetches the states of the level whose moves lead from the plane of `cell` in this slab into
    /// it in other slabs.
    fn fetch(&mut self, cell: usize, level: u8) -> Result<(), ScratchError> {
        let layout = self.pulls.layout();
        let pulls = self.pulls.crossing(cell);
        if pulls.is_empty() {
            return Ok(());
        }
        let source = &mut self.planes[Colour::of_distance(level) as usize];
        let crossing = &mut source.crossing[cell];
        crossing.clear();
        crossing.resize(layout.slab_words(), 0);
        for pull in pulls {
            let run = pull
                .run()
                .expect("words that cross are whole")
                .min(layout.slab_words());
            let first = self.slab * layout.slab_words();
            let runs = crossing.chunks_mut(run).enumerate().collect();
            let fetched = self.workers.each(runs, |(i, out)| {
                let from = pull.source_word(first + *i * run);
                let path = self.scratch.level(level, from / layout.slab_words());
                fetch_run(
                    self.scratch,
                    layout,
                    pull,
                    &path,
                    from % layout.slab_words(),
                    out,
                )
                .map_err(at(&path))
            });
            fetched.into_iter().collect::<Result<(), _>>()?;
        }
        Ok(())
    }

    /// The new states of the slab; how many there are.
    pub fn expand(&mut self, distance: u8) -> u64 {
        let layout = self.pulls.layout();
        let colour = Colour::of_distance(distance);
        let [even, odd] = &mut *self.planes;
        let (source, target) = match colour {
            Colour::Even => (&*odd, even),
            Colour::Odd => (&*even, odd),
        };
        if distance == 0 {
            return match self.slab {
                0 => target.reach_goal(layout),
                _ => 0,
            };
        }
        let expand = |task: &mut Task<'_>| task.expand(self.pulls, colour, source, false);
        let states = self.workers.each(target.tasks(layout), expand);
        states.into_iter().sum()
    }

    /// The frontier of a colour as pieces of its file.
    pub fn frontier(&mut self, colour: Colour) -> Vec<Vec<u8>> {
        let layout = self.pulls.layout();
        let tasks = self.planes[colour as usize].tasks(layout);
        by_cell(self.workers.each(tasks, |task| task.code(layout)))
    }

    /// Bit 1 of the distances with that of the new states, as pieces of its file.
    pub fn merge(
        &mut self,
        colour: Colour,
        before: Option<&Pieces>,
    ) -> Result<Vec<Vec<u8>>, ScratchError> {
        let layout = self.pulls.layout();
        let tasks = self.planes[colour as usize].tasks(layout);
        let merged = self.workers.each(tasks, |task| task.merged(layout, before));
        let merged = merged.into_iter().collect::<io::Result<Vec<_>>>();
        let path = self.scratch.bit_one(colour, self.slab);
        merged.map(by_cell).map_err(at(&path))
    }
}

/// Sets the bits of a run of words that begins at `from` in the slab whose level is in this file.
fn fetch_run(
    scratch: &Scratch,
    layout: &Layout,
    pull: &Pull,
    path: &Path,
    from: usize,
    out: &mut [u64],
) -> io::Result<()> {
    let (chunk, chunks) = (layout.chunk(), layout.slab_chunks());
    let wanted = from / chunk..(from + out.len()).div_ceil(chunk);
    let colour = layout.colour(pull.source);
    let first = pull.slot * chunks;
    let some = first + wanted.start..first + wanted.end;
    let found = scratch.read(path, Some(some), pieces(layout, colour))?;
    let (mut coder, mut words) = (Coder::default(), vec![0; chunk]);
    for (i, at) in wanted.enumerate() {
        read_frontier(layout, &mut coder, found.get(i), &mut words)?;
        let start = from.max(at * chunk);
        let end = (from + out.len()).min((at + 1) * chunk);
        let out = &mut out[start - from..end - from];
        for (out, word) in out.iter_mut().zip(&words[start - at * chunk..]) {
            *out |= word;
        }
    }
    Ok(())
}

/// The pieces of all chunks, each cell by cell, cell by cell, each chunk by chunk.
fn by_cell(mut chunks: Vec<Vec<Vec<u8>>>) -> Vec<Vec<u8>> {
    let cells = chunks.first().map_or(0, Vec::len);
    let mut pieces = Vec::with_capacity(cells * chunks.len());
    for cell in 0..cells {
        pieces.extend(
            chunks
                .iter_mut()
                .map(|chunk| std::mem::take(&mut chunk[cell])),
        );
    }
    pieces
}
