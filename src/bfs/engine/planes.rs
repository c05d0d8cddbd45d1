//! The planes of all blank cells of one colour of the checkerboard, and the memory that they are in.

use std::io;
use std::ops::{Deref, DerefMut, Range};

#[cfg(any(unix, windows))]
use memmap2::MmapMut;

use super::super::error::SearchError;
use super::layout::Layout;

/// The planes of the cells of one colour, in memory chunk by chunk: a chunk of all cells, cell by
/// cell, then the next chunk of all cells.
///
/// Most moves lead to the same chunk of another cell, so a thread that works on one chunk of all
/// cells finds most of its data in its cache.
#[derive(Debug)]
pub struct Planes {
    pub(crate) words: Words,
    /// Number of cells of this colour.
    pub(super) cells: usize,
    /// Each cell's place among those of its colour.
    slots: Vec<usize>,
    /// Words of one cell in a chunk.
    pub(super) chunk: usize,
    /// First chunk of each plane in memory: 0 unless only some slabs are.
    pub(crate) first_chunk: usize,
}

impl Planes {
    /// Creates planes of zeros for the cells of a colour, with these words of each: a number of whole chunks, perhaps none.
    ///
    /// # Errors
    /// [`SearchError::System`] if the system does not give the memory.
    pub(crate) fn zeroed(
        layout: &Layout,
        colour: usize,
        words: Range<usize>,
    ) -> Result<Planes, SearchError> {
        let cells = layout.cells(colour).count();
        let zeros = Words::zeroed(cells * words.len());
        Ok(Planes {
            words: zeros.map_err(|cause| {
                let shape = layout.ranking.shape().transposed();
                let what = format!("there is not enough memory to search {shape} boards");
                SearchError::System { what, cause }
            })?,
            cells,
            slots: (0..layout.planes()).map(|cell| layout.slot(cell)).collect(),
            chunk: layout.chunk(),
            first_chunk: words.start / layout.chunk(),
        })
    }

    /// Place of a chunk of the plane in this slot among all in memory.
    #[inline]
    pub(super) fn place(&self, slot: usize, chunk: usize) -> usize {
        (chunk - self.first_chunk) * self.cells + slot
    }

    /// Place of `len` words of a cell's plane from `word` on, which must all be in one chunk.
    #[inline]
    fn range(&self, cell: usize, word: usize, len: usize) -> Range<usize> {
        let at = word % self.chunk;
        debug_assert!(at + len <= self.chunk);
        let start = self.place(self.slots[cell], word / self.chunk) * self.chunk + at;
        start..start + len
    }

    /// `len` words of a cell's plane from `word` on, which must all be in one chunk.
    #[inline]
    pub fn piece(&self, cell: usize, word: usize, len: usize) -> &[u64] {
        &self.words[self.range(cell, word, len)]
    }

    /// The words of a cell's plane in one chunk.
    #[inline]
    pub fn of_chunk(&self, cell: usize, chunk: usize) -> &[u64] {
        self.piece(cell, chunk * self.chunk, self.chunk)
    }
}

/// The places of the bits of a word that are set, in order.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.checked_sub(1)?;
        Some(bit)
    })
}

/// Sets the bits of `words` in `out`.
#[inline(always)]
pub(crate) fn or_into(out: &mut [u64], words: &[u64]) {
    out.iter_mut()
        .zip(words)
        .for_each(|(out, word)| *out |= word);
}

/// Words that begin as zeros. The system gives their pages when they are first touched.
#[derive(Debug)]
pub struct Words(Memory);

#[cfg(any(unix, windows))]
type Memory = MmapMut;

#[cfg(not(any(unix, windows)))]
type Memory = Vec<u64>;

impl Words {
    /// `len` zeros.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn zeroed(len: usize) -> io::Result<Words> {
        #[cfg(any(unix, windows))]
        let memory = MmapMut::map_anon(len * size_of::<u64>())?;
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage); // without them it is only slower
        #[cfg(not(any(unix, windows)))]
        let memory = vec![0; len];
        Ok(Words(memory))
    }

    /// Gives the memory back.
    pub fn clear(&mut self) {
        *self = Words::zeroed(0).expect("no memory is needed for nothing");
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        bytemuck::cast_slice(&self.0)
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Planes {
        /// Mutable version of [`Planes::of_chunk`].
        pub(crate) fn of_chunk_mut(&mut self, cell: usize, chunk: usize) -> &mut [u64] {
            let range = self.range(cell, chunk * self.chunk, self.chunk);
            &mut self.words[range]
        }

        /// Creates a plane of zeros that stands for the plane of any cell: the planes of a colour of a
        /// large shape take gigabytes.
        pub(crate) fn of_one_cell(layout: &Layout) -> Planes {
            Planes {
                words: Words::zeroed(layout.words).unwrap(),
                cells: 1,
                slots: vec![0; layout.planes()],
                chunk: layout.chunk(),
                first_chunk: 0,
            }
        }
    }
}
