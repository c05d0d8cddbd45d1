//! The planes of all blank cells of one colour of the checkerboard.

use std::io;
use std::ops::Range;

use super::layout::{Colour, Layout};
use super::memory::Words;

/// The planes of the cells of one colour, in memory chunk by chunk: a chunk of all cells, cell by
/// cell, then the next chunk of all cells.
///
/// Most moves lead to the same chunk of another cell, so a thread that works on one chunk of all
/// cells finds most of its data in its cache.
#[derive(Debug)]
pub struct Planes {
    words: Words,
    /// Number of cells of this colour.
    cells: usize,
    /// Each cell's place among those of its colour.
    slots: Vec<usize>,
    /// Words of one cell in a chunk.
    chunk: usize,
    /// First word of each plane in memory: 0 unless only some slabs are.
    first: usize,
}

impl Planes {
    /// Creates planes of zeros for the cells of a colour.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn zeroed(layout: &Layout, colour: Colour) -> io::Result<Planes> {
        Planes::part(layout, colour, 0..layout.words())
    }

    /// Creates these words of such planes, a number of whole chunks.
    pub(super) fn part(layout: &Layout, colour: Colour, words: Range<usize>) -> io::Result<Planes> {
        let cells = layout.cells(colour).count();
        Ok(Planes {
            words: Words::zeroed(cells * words.len())?,
            cells,
            slots: (0..layout.planes()).map(|cell| layout.slot(cell)).collect(),
            chunk: layout.chunk(),
            first: words.start,
        })
    }

    /// Creates a plane of zeros that stands for the plane of any cell: the planes of a colour of a
    /// large shape take gigabytes.
    #[cfg(test)]
    pub(super) fn of_one_cell(layout: &Layout) -> Planes {
        Planes {
            words: Words::zeroed(layout.words()).unwrap(),
            cells: 1,
            slots: vec![0; layout.planes()],
            chunk: layout.chunk(),
            first: 0,
        }
    }

    /// Returns whether these are the planes of any cell.
    pub(super) fn is_kept(&self) -> bool {
        self.cells > 0
    }

    /// Sets the first word of the planes in memory.
    pub(super) fn set_first(&mut self, first: usize) {
        self.first = first;
    }

    /// `len` words of a cell's plane from `word` on, which must all be in one chunk.
    #[inline]
    pub fn piece(&self, cell: usize, word: usize, len: usize) -> &[u64] {
        let at = word % self.chunk;
        debug_assert!(at + len <= self.chunk);
        let start =
            ((word - self.first) / self.chunk * self.cells + self.slots[cell]) * self.chunk + at;
        &self.words[start..start + len]
    }

    /// The words of a cell's plane in one chunk.
    #[inline]
    pub fn of_chunk(&self, cell: usize, chunk: usize) -> &[u64] {
        self.piece(cell, chunk * self.chunk, self.chunk)
    }

    /// Mutable version of [`Planes::of_chunk`].
    #[inline]
    pub fn of_chunk_mut(&mut self, cell: usize, chunk: usize) -> &mut [u64] {
        let chunk = chunk - self.first / self.chunk;
        let start = (chunk * self.cells + self.slots[cell]) * self.chunk;
        &mut self.words[start..start + self.chunk]
    }

    /// Creates planes of no cell, which stand for bits that are not kept.
    ///
    /// # Errors
    /// Never: these planes take no memory.
    pub(super) fn none(layout: &Layout) -> io::Result<Planes> {
        Ok(Planes {
            words: Words::zeroed(0)?,
            cells: 0,
            slots: Vec::new(),
            chunk: layout.chunk(),
            first: 0,
        })
    }

    /// The chunks, each with the words of all cells, cell by cell. There are `chunks` of them.
    pub fn chunks_mut(&mut self, chunks: usize) -> impl Iterator<Item = &mut [u64]> {
        let (mut rest, words) = (&mut self.words[..], self.cells * self.chunk);
        (0..chunks).map(move |_| {
            let chunk = rest.split_off_mut(..words);
            chunk.expect("the planes have that many chunks")
        })
    }
}
