//! The planes of all blank cells of one colour of the checkerboard.

use std::io;

use super::layout::{Colour, Layout};
use super::memory::Words;

/// Planes that are cut into chunks, with the same chunk of all cells side by side.
///
/// Most moves stay within a chunk, so a thread that works on one chunk of all cells finds what
/// it reads in its cache.
#[derive(Debug)]
pub struct Planes {
    words: Words,
    /// Number of cells of this colour.
    cells: usize,
    /// Each cell's place among those of its colour.
    slots: Vec<usize>,
    /// Words of one cell in a chunk.
    chunk: usize,
}

impl Planes {
    /// Planes of zeros for the cells of a colour.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn zeroed(layout: &Layout, colour: Colour) -> io::Result<Planes> {
        let cells = layout.cells(colour).count();
        Ok(Planes {
            words: Words::zeroed(cells * layout.words())?,
            cells,
            slots: (0..layout.planes()).map(|cell| layout.slot(cell)).collect(),
            chunk: layout.chunk(),
        })
    }

    /// `len` words of a cell's plane from `word` on; all must be in one chunk.
    #[inline]
    pub fn piece(&self, cell: usize, word: usize, len: usize) -> &[u64] {
        let at = word % self.chunk;
        debug_assert!(at + len <= self.chunk);
        let start = (word / self.chunk * self.cells + self.slots[cell]) * self.chunk + at;
        &self.words[start..start + len]
    }

    /// The words of a cell's plane in one chunk.
    pub fn of_chunk(&self, cell: usize, chunk: usize) -> &[u64] {
        self.piece(cell, chunk * self.chunk, self.chunk)
    }

    /// As [`Planes::of_chunk`], to be written.
    pub fn of_chunk_mut(&mut self, cell: usize, chunk: usize) -> &mut [u64] {
        let start = (chunk * self.cells + self.slots[cell]) * self.chunk;
        &mut self.words[start..start + self.chunk]
    }

    /// Chunk by chunk, the words of all cells in the order of their slots.
    pub fn chunks_mut(&mut self) -> std::slice::ChunksExactMut<'_, u64> {
        self.words.chunks_exact_mut(self.cells * self.chunk)
    }
}
