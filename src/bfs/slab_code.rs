//! A chunk of a slab as pieces of files, one for each cell.
//!
//! In the file of a level a block is the number of its states that have not been reached, four
//! bytes, and the code of its frontier; in a file of bit 1 of the distances it is their code alone.

use std::io;
use std::ops::Range;

use super::coding::{Coder, split_code};
use super::colour_planes::Task;
use super::layout::Layout;
use super::slab_file::Pieces;

/// The code of a block without any bit.
const EMPTY: [u8; 2] = [0; 2];

/// Splits the number of unreached states off the code of a block.
fn split_unseen<'a>(code: &mut &'a [u8]) -> io::Result<u32> {
    let (unseen, rest): (&[u8; 4], &'a [u8]) =
        code.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
    *code = rest;
    Ok(u32::from_le_bytes(*unseen))
}

/// Appends the codes of some words of the frontier of one cell of a slab, block by block, from the
/// pieces of the chunks that have them, of which the first has the number `chunk`.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] or [`io::ErrorKind::UnexpectedEof`] if these are not such pieces.
pub fn append_run(
    layout: &Layout,
    coder: &mut Coder,
    pieces: &Pieces,
    chunk: usize,
    words: Range<usize>,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let len = layout.block();
    for (i, chunk) in (chunk..words.end.div_ceil(layout.chunk())).enumerate() {
        let mut piece = pieces.get(i);
        let blocks = (chunk * layout.chunk()..(chunk + 1) * layout.chunk()).step_by(len);
        for first in blocks.take_while(|first| *first < words.end) {
            split_unseen(&mut piece)?;
            let mut code = split_code(&mut piece, 1)?;
            let part = words.start.max(first)..words.end.min(first + len);
            if part.len() == len {
                out.extend(code);
            } else if !part.is_empty() {
                let mut block = vec![0; len];
                coder.read(&mut code, &mut block)?;
                coder.append(&block[part.start - first..part.end - first], out);
            }
        }
    }
    Ok(())
}

impl Task<'_> {
    /// The piece of a cell among those of the slab's file.
    fn piece<'a>(&self, layout: &Layout, pieces: &'a Pieces, slot: usize) -> &'a [u8] {
        let chunks = layout.slab_chunks();
        pieces.get(slot * chunks + self.chunk % chunks)
    }

    /// For each cell the places of its blocks in this chunk.
    fn slots(&self, layout: &Layout) -> impl Iterator<Item = Range<usize>> + use<> {
        let (count, blocks) = (self.unseen.len(), layout.chunk() / layout.block());
        (0..count)
            .step_by(blocks)
            .map(move |first| first..first + blocks)
    }

    /// Reads the frontier and the numbers of unreached states; without a file no state has been
    /// reached.
    ///
    /// # Errors
    /// As [`append_run`].
    pub fn read(&mut self, layout: &Layout, pieces: Option<&Pieces>) -> io::Result<()> {
        let (len, mut coder) = (layout.block(), Coder::default());
        for (slot, places) in self.slots(layout).enumerate() {
            let mut piece = pieces.map(|pieces| self.piece(layout, pieces, slot));
            for place in places {
                let frontier = &mut self.frontier[place * len..(place + 1) * len];
                let active = &mut self.active[place];
                self.unseen[place] = match &mut piece {
                    Some(piece) => split_unseen(piece)?,
                    None => layout.block_states(),
                };
                match &mut piece {
                    Some(piece) if !piece.starts_with(&EMPTY) => {
                        coder.read(piece, frontier)?;
                        *active = true;
                        continue;
                    }
                    Some(piece) => *piece = piece.get(EMPTY.len()..).unwrap_or_default(),
                    None => {}
                }
                if std::mem::take(active) {
                    frontier.fill(0);
                }
            }
        }
        Ok(())
    }

    /// Codes the frontier and the numbers of unreached states, a piece for each cell.
    pub fn code(&self, layout: &Layout) -> Vec<Vec<u8>> {
        let (len, mut coder) = (layout.block(), Coder::default());
        let code = |places: Range<usize>| {
            let mut piece = Vec::new();
            for place in places {
                piece.extend(self.unseen[place].to_le_bytes());
                if self.active[place] {
                    coder.append(&self.frontier[place * len..(place + 1) * len], &mut piece)
                } else {
                    piece.extend(EMPTY)
                }
            }
            piece
        };
        self.slots(layout).map(code).collect()
    }

    /// Merges the bits of a file and those of the frontier, a piece for each cell.
    ///
    /// # Errors
    /// As [`append_run`].
    pub fn merged(&self, layout: &Layout, before: Option<&Pieces>) -> io::Result<Vec<Vec<u8>>> {
        let (len, mut coder) = (layout.block(), Coder::default());
        let mut bits = vec![0; len];
        let mut merged = Vec::new();
        for (slot, places) in self.slots(layout).enumerate() {
            let mut before = before.map(|pieces| self.piece(layout, pieces, slot));
            if let Some(before) = before.filter(|_| !self.active[places.clone()].contains(&true)) {
                merged.push(before.to_vec());
                continue;
            }
            let mut piece = Vec::new();
            for place in places {
                match &mut before {
                    Some(before) => coder.read(before, &mut bits)?,
                    None => bits.fill(0),
                }
                if self.active[place] {
                    let frontier = &self.frontier[place * len..(place + 1) * len];
                    bits.iter_mut()
                        .zip(frontier)
                        .for_each(|(bits, new)| *bits |= new);
                }
                coder.append(&bits, &mut piece);
            }
            merged.push(piece);
        }
        Ok(merged)
    }
}
