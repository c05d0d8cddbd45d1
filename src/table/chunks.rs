//! The checksums of chunks: computed while a section is written, by one process or by several.

use std::io::{self, Write};

use crate::basics::crc32;
use serde::{Deserialize, Serialize};

/// Bytes of a section that have a checksum of their own. Smaller chunks make the checksums of the largest files slower
/// to read, larger ones make each first look-up slower: a random 15-puzzle looks up a thousand places of 195 MB.
pub const CHUNK: usize = 16 << 10;

/// The CRC-32 of each chunk of a run of a section's bytes. The ends of the run may cut its first chunk and its last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ChunkSums {
    /// Where the run begins in the section.
    pub at: u64,
    /// Bytes of the run.
    pub length: u64,
    pub sums: Vec<u32>,
}

impl ChunkSums {
    /// Appends so many bytes of one chunk, which have this checksum.
    fn add(&mut self, sum: u32, length: u64) {
        let is_begun = !(self.at + self.length).is_multiple_of(CHUNK as u64);
        match self.sums.last_mut() {
            Some(last) if is_begun => *last = combined(*last, sum, length),
            _ => self.sums.push(sum),
        }
        self.length += length;
    }

    /// The sums, each with the number of its bytes.
    fn parts(&self) -> impl Iterator<Item = (u32, u64)> {
        let (mut at, end) = (self.at, self.at + self.length);
        self.sums.iter().map(move |&sum| {
            let length = (CHUNK as u64 - at % CHUNK as u64).min(end - at);
            at += length;
            (sum, length)
        })
    }

    /// Appends the run that follows.
    ///
    /// # Panics
    /// If it does not begin where this one ends.
    pub(super) fn append(&mut self, next: &ChunkSums) {
        assert_eq!(self.at + self.length, next.at, "runs follow each other");
        (next.parts()).for_each(|(sum, length)| self.add(sum, length));
    }

    /// The whole section from all its runs, in any order.
    ///
    /// # Panics
    /// If they do not follow each other.
    pub(super) fn of_runs(mut runs: Vec<ChunkSums>) -> ChunkSums {
        runs.sort_by_key(|run| run.at);
        let mut all = ChunkSums::default();
        runs.iter().for_each(|run| all.append(run));
        all
    }

    /// The CRC-32 of the whole run.
    pub(super) fn checksum(&self) -> u32 {
        let join = |whole, (sum, length)| combined(whole, sum, length);
        self.parts().fold(0, join)
    }

    /// The sums as they stand in the section of checksums.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.sums.iter().flat_map(|sum| sum.to_le_bytes()).collect()
    }
}

/// The CRC-32 of some bytes and `length` more, which have the checksum `next`.
fn combined(sum: u32, next: u32, length: u64) -> u32 {
    let mut whole = crc32::Hasher::new_with_initial_len(sum, 0);
    whole.combine(&crc32::Hasher::new_with_initial_len(next, length));
    whole.finalize()
}

/// Number of chunks of a section of `length` bytes.
pub(super) fn chunks_of(length: usize) -> usize {
    length.div_ceil(CHUNK)
}

/// Passes bytes on to `inner` and computes the checksums of their chunks.
pub(super) struct Summed<W> {
    inner: W,
    /// The sums of all bytes that were written.
    pub run: ChunkSums,
}

impl<W> Summed<W> {
    /// Creates a writer for the bytes of a section from `at` on.
    pub(super) fn new(inner: W, at: u64) -> Summed<W> {
        let (length, sums) = (0, Vec::new());
        let run = ChunkSums { at, length, sums };
        Summed { inner, run }
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let mut bytes = &bytes[..written];
        while !bytes.is_empty() {
            let at = ((self.run.at + self.run.length) % CHUNK as u64) as usize;
            let (part, rest) = bytes.split_at(bytes.len().min(CHUNK - at));
            self.run.add(crc32::hash(part), part.len() as u64);
            bytes = rest;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bytes: &[u8], at: usize, step: usize) -> ChunkSums {
        let mut summed = Summed::new(io::sink(), at as u64);
        for piece in bytes.chunks(step) {
            summed.write_all(piece).unwrap();
        }
        summed.run
    }

    /// The sums do not depend on how a section is cut into runs, and runs into writes.
    #[test]
    fn the_sums_of_runs_are_those_of_the_whole_section() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 77] {
            let section: Vec<u8> = (0..length).map(|i| (i * i / 7) as u8).collect();
            let plain: Vec<u32> = section.chunks(CHUNK).map(crc32::hash).collect();
            for cut in [1, 1000, CHUNK - 5, CHUNK, CHUNK + 5, 2 * CHUNK] {
                let mut whole = ChunkSums::default();
                for (i, piece) in section.chunks(cut).enumerate().take(2000) {
                    whole.append(&run(piece, i * cut, 999));
                    whole.append(&run(&[], i * cut + piece.len(), 1));
                }
                if whole.length == length as u64 {
                    assert_eq!(whole.sums, plain, "{length} {cut}");
                    let runs = section.chunks(cut).enumerate();
                    let runs = runs.map(|(i, piece)| run(piece, i * cut, 999));
                    let mut runs: Vec<ChunkSums> = runs.collect();
                    runs.reverse();
                    assert_eq!(ChunkSums::of_runs(runs), whole);
                }
            }
            assert_eq!(run(&section, 0, 1 << 20).sums, plain);
            assert_eq!(plain.len(), chunks_of(length));
        }
    }
}
