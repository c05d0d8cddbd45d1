//! Encoding the levels of a search as the bytes of a file.

use std::fs::File;
use std::io::{self, Cursor, Seek, Write};
use std::ops::Range;

use crate::basics::Cancel;
use crate::bfs::{Block, Observe, Planes, Search, SearchError, Source, go_on, or_into};
use crate::space::GoalClass;

use super::checkpoints::Saved;
use super::encoding::Encoding;
use super::header::Header;
use super::pack::BitWriter;

/// Searches the space of `class` with at most `threads` threads and returns the bytes of its
/// database, which are the same for every number of threads.
///
/// The result is `None` if the search was cancelled, which ends it after a level.
///
/// ```
/// use puzzledb::{Cancel, Shape};
/// use puzzledb::space::GoalClass;
/// use puzzledb::table::{Encoding, Table, build};
///
/// let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8)?;
/// let bytes = build(class, Encoding::Bit, 1, &Cancel::new())?.unwrap();
/// assert_eq!(Table::from_bytes(bytes)?.header().max_distance(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Search::new`].
pub fn build(
    class: GoalClass,
    encoding: Encoding,
    threads: usize,
    cancel: &Cancel,
) -> Result<Option<Vec<u8>>, SearchError> {
    let mut distances = Distances::new(Search::new(class, threads)?, encoding);
    while distances.advance(&mut go_on)? {
        if cancel.is_cancelled() {
            return Ok(None);
        }
    }
    let mut bytes = Cursor::new(Vec::new());
    distances
        .write(&mut bytes)
        .expect("memory takes everything");
    Ok(Some(bytes.into_inner()))
}

/// The distances of all states that have been reached.
#[derive(Debug)]
pub(super) struct Distances {
    pub(super) search: Search,
    encoding: Encoding,
    /// Bits 2 and up of the distances in a full table: for each bit the planes of both colours.
    high: Vec<[Planes; 2]>,
}

impl Distances {
    /// Nothing but the search's own distances yet.
    pub(super) fn new(search: Search, encoding: Encoding) -> Distances {
        Distances {
            search,
            encoding,
            high: Vec::new(),
        }
    }

    /// Finds the next level; false if there is none.
    pub(super) fn advance(&mut self, observe: Observe<'_>) -> Result<bool, SearchError> {
        let Some(level) = self.search.advance(observe)? else {
            return Ok(false);
        };
        if self.encoding == Encoding::Full {
            let (layout, distance) = (level.layout(), level.distance());
            while distance >> (2 + self.high.len()) > 0 {
                let planes = |colour| Planes::zeroed(layout, colour, 0..layout.words);
                let both = [planes(0)?, planes(1)?];
                self.high.push(both);
            }
            for (k, planes) in self.high.iter_mut().enumerate() {
                if distance >> (2 + k) & 1 == 1 {
                    let planes = &mut planes[level.colour()];
                    or_into(&mut planes.words, &level.planes().words);
                }
            }
        }
        Ok(true)
    }

    /// Writes the database.
    pub(super) fn write<W: Write + Seek>(&self, out: &mut W) -> io::Result<()> {
        let (search, cells) = (&self.search, 0..self.search.layout().planes());
        let header = Header::of_table(search.class(), self.encoding, search.levels().to_vec());
        header.write_file(out, |i, out| {
            match (self.encoding, i, BitWriter::new(out)) {
                (Encoding::Bit, _, writer) => pack_bit_one(search, cells.clone(), writer),
                (Encoding::Full, 0, writer) => self.pack_distances(writer),
                (Encoding::Full, _, writer) => self.pack_parents(writer),
            }
        })
    }
}

impl Saved for Distances {
    fn distance(&self) -> Option<u8> {
        let levels = self.search.levels();
        levels.len().checked_sub(1).map(|last| last as u8)
    }

    fn is_complete(&self) -> bool {
        self.search.is_complete()
    }

    fn save(&mut self, file: &mut File) -> io::Result<()> {
        self.search.save(file)
    }
}

/// Writes bit 1 of the distances of this rank's share of the planes of some cells.
pub(super) fn pack_bit_one(
    search: &Search,
    cells: Range<usize>,
    mut writer: BitWriter<'_>,
) -> io::Result<()> {
    let bits = search.layout().word_bits();
    search.each_bit_one(cells, |words| writer.push_words(words, bits))?;
    writer.finish()
}

impl Distances {
    /// Bit 0 of the distances of all states of a word with the blank in this cell.
    fn odd(&self, cell: usize) -> u64 {
        match self.search.layout().colour(cell) {
            0 => 0,
            _ => self.search.layout().full_word(),
        }
    }

    fn pack_distances(&self, writer: BitWriter<'_>) -> io::Result<()> {
        match self.high.len() {
            0 => self.pack_wide::<2>(writer),
            1 => self.pack_wide::<3>(writer),
            2 => self.pack_wide::<4>(writer),
            3 => self.pack_wide::<5>(writer),
            4 => self.pack_wide::<6>(writer),
            5 => self.pack_wide::<7>(writer),
            _ => self.pack_wide::<8>(writer),
        }
    }

    /// Packs the distances in fields of `W` bits.
    fn pack_wide<const W: usize>(&self, mut writer: BitWriter<'_>) -> io::Result<()> {
        let layout = self.search.layout();
        for cell in 0..layout.planes() {
            let (odd, colour) = (self.odd(cell), layout.colour(cell));
            for chunk in 0..layout.chunks() {
                let bit_one = self.search.bit_one(colour).of_chunk(cell, chunk);
                let high: [&[u64]; W] = std::array::from_fn(|k| match k {
                    0 | 1 => bit_one, // not read
                    _ => self.high[k - 2][colour].of_chunk(cell, chunk),
                });
                for (word, &bit_one) in bit_one.iter().enumerate() {
                    let bits = std::array::from_fn(|k| match k {
                        0 => odd,
                        1 => bit_one,
                        _ => high[k][word],
                    });
                    writer.push_fields::<W>(bits, layout.word_bits());
                }
                writer.write_out()?;
            }
        }
        writer.finish()
    }

    /// Packs the first move, in move order, that leads one step closer; 0 for the goal.
    ///
    /// Bit 1 of the distances identifies these moves: from d to d - 1 it changes if d is even and
    /// stays if d is odd, and from d to d + 1 the other way round.
    fn pack_parents(&self, mut writer: BitWriter<'_>) -> io::Result<()> {
        let (layout, pulls) = (self.search.layout(), &self.search.setup.pulls);
        let (block, full) = (layout.block, layout.full_word());
        let mut pulled = vec![0; block];
        // `open`: the states whose parent move has not been found; `codes`: the moves' two bits.
        let (mut open, mut codes) = (vec![0; block], [vec![0; block], vec![0; block]]);
        for cell in 0..layout.planes() {
            let (odd, colour) = (self.odd(cell), layout.colour(cell));
            let source = Source {
                planes: self.search.bit_one(1 - colour),
                is_active: |_| true,
            };
            for number in 0..layout.words / block {
                let own = self
                    .search
                    .bit_one(colour)
                    .piece(cell, number * block, block);
                open.fill(full);
                codes.iter_mut().for_each(|code| code.fill(0));
                for pull in &pulls.inside[cell] {
                    pulled.fill(0);
                    pulls.pull_block(pull, Block { cell, number }, source, &mut pulled);
                    for ((pulled, own), open) in pulled.iter_mut().zip(own).zip(&mut open) {
                        *pulled = (*pulled ^ own ^ odd) & *open;
                        *open ^= *pulled;
                    }
                    for (bit, code) in codes.iter_mut().enumerate() {
                        if pull.mv.code() >> bit & 1 == 1 {
                            or_into(code, &pulled);
                        }
                    }
                }
                for (&low, &high) in codes[0].iter().zip(&codes[1]) {
                    writer.push_fields([low, high], layout.word_bits());
                }
                writer.write_out()?;
            }
        }
        writer.finish()
    }
}
