//! Encoding the levels of a search as the bytes of a file.

use std::fs::File;
use std::io::{self, Cursor, Seek, Write};
use std::ops::{ControlFlow, Range};

use crate::bfs::{
    Block, Colour, Layout, Level, PlaneStore, Planes, Search, SearchError, go_on, or_into,
};
use crate::space::GoalClass;

use super::checkpoints::Saved;
use super::encoding::Encoding;
use super::header::Header;
use super::pack::BitWriter;

/// Searches the space of `class` with at most `threads` threads and returns the bytes of its
/// database, which are the same for every number of threads.
///
/// `observe` is called with every finished level and may end the search; then the result is `None`.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
/// use puzzledb::table::{Encoding, Table, build};
///
/// let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8)?;
/// let bytes = build(class, Encoding::Bit, 1, |_| ControlFlow::Continue(()))?.unwrap();
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
    mut observe: impl FnMut(&Level<'_>) -> ControlFlow<()>,
) -> Result<Option<Vec<u8>>, SearchError> {
    let mut distances = Distances::new(Search::new(class, threads)?, encoding);
    while distances.advance()? {
        if observe(&distances.search.last_level()).is_break() {
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
    search: Search,
    encoding: Encoding,
    /// Bits 2 and up of the distances of a full table: for each bit the planes of both colours.
    high: Vec<[Planes; 2]>,
}

impl Distances {
    /// Nothing but the search's own distances yet.
    pub(super) fn new(search: Search, encoding: Encoding) -> Distances {
        let high = Vec::new();
        Distances {
            search,
            encoding,
            high,
        }
    }

    /// Finds the next level; false if there is none.
    pub(super) fn advance(&mut self) -> Result<bool, SearchError> {
        let Ok(level) = self.search.advance(&mut go_on);
        if let (Some(level), Encoding::Full) = (&level, self.encoding) {
            add_level(&mut self.high, level)?;
        }
        Ok(level.is_some())
    }

    /// The search.
    pub(super) fn search(&self) -> &Search {
        &self.search
    }

    /// Writes the database.
    pub(super) fn write<W: Write + Seek>(&self, out: &mut W) -> io::Result<()> {
        let (class, levels) = (self.search.class(), self.search.levels().to_vec());
        let header = Header::new(class, self.encoding, levels);
        header
            .first
            .write_file(out, |i, out| match (self.encoding, i) {
                (Encoding::Bit, _) => {
                    pack_bit_one(&self.search, 0..self.layout().planes(), BitWriter::new(out))
                }
                (Encoding::Full, 0) => self.pack_distances(BitWriter::new(out)),
                (Encoding::Full, _) => self.pack_parents(BitWriter::new(out)),
            })
    }
}

impl Saved for Distances {
    fn distance(&self) -> u8 {
        self.search.last_level().distance()
    }

    fn is_complete(&self) -> bool {
        self.search.is_complete()
    }

    fn save(&mut self, file: &mut File) -> io::Result<()> {
        self.search.save(file)
    }
}

/// Writes bit 1 of the distances of this rank's share of the planes of some cells.
pub(super) fn pack_bit_one<P: PlaneStore>(
    search: &Search<P>,
    cells: Range<usize>,
    mut writer: BitWriter<'_>,
) -> io::Result<()> {
    let bits = search.layout().word_bits();
    search.each_bit_one(cells, |words| writer.push_words(words, bits))?;
    writer.finish()
}

/// Sets bits 2 and up of the distances of a level's states.
fn add_level(high: &mut Vec<[Planes; 2]>, level: &Level<'_>) -> Result<(), SearchError> {
    let (layout, colour) = (level.pulls().layout(), level.colour());
    while level.distance() >> (2 + high.len()) > 0 {
        let planes = |colour| Planes::zeroed(layout, colour);
        high.push([planes(Colour::Even)?, planes(Colour::Odd)?]);
    }
    let is_set = |k: &usize| level.distance() >> (2 + k) & 1 == 1;
    for k in (0..high.len()).filter(is_set) {
        for cell in layout.cells(colour) {
            for chunk in 0..layout.chunks() {
                let bits = high[k][colour as usize].of_chunk_mut(cell, chunk);
                or_into(bits, level.planes().of_chunk(cell, chunk));
            }
        }
    }
    Ok(())
}

impl Distances {
    fn layout(&self) -> &Layout {
        self.search.pulls().layout()
    }

    /// Bit 0 of the distances of all states of a word with the blank in this cell.
    fn odd(&self, cell: usize) -> u64 {
        match self.layout().colour(cell) {
            Colour::Even => 0,
            Colour::Odd => self.layout().full_word(),
        }
    }

    fn pack_distances(&self, mut writer: BitWriter<'_>) -> io::Result<()> {
        let layout = self.layout();
        let mut bits = vec![0; 2 + self.high.len()];
        for cell in 0..layout.planes() {
            let colour = layout.colour(cell);
            bits[0] = self.odd(cell);
            for chunk in 0..layout.chunks() {
                let high = self.high.iter().map(|planes| &planes[colour as usize]);
                let planes = [self.search.bit_one(colour)].into_iter().chain(high);
                let planes = planes.map(|planes| planes.of_chunk(cell, chunk));
                let planes: Vec<&[u64]> = planes.collect();
                for word in 0..layout.chunk() {
                    for (bits, plane) in bits[1..].iter_mut().zip(&planes) {
                        *bits = plane[word];
                    }
                    writer.push_fields(&bits, layout.word_bits());
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
        let (layout, pulls) = (self.layout(), self.search.pulls());
        let (block, full) = (layout.block, layout.full_word());
        let mut pulled = vec![0; block];
        // `open`: the states whose parent move has not been found; `codes`: the moves' two bits.
        let (mut open, mut codes) = (vec![0; block], [vec![0; block], vec![0; block]]);
        for cell in 0..layout.planes() {
            let (odd, colour) = (self.odd(cell), layout.colour(cell));
            let sources = self.search.bit_one(colour.other());
            for number in 0..layout.words() / block {
                let own = self
                    .search
                    .bit_one(colour)
                    .piece(cell, number * block, block);
                open.fill(full);
                codes.iter_mut().for_each(|code| code.fill(0));
                for (mv, _) in pulls.moves(cell) {
                    pulled.fill(0);
                    pulls.pull(mv, Block { cell, number }, sources, &mut pulled);
                    for ((pulled, own), open) in pulled.iter_mut().zip(own).zip(&mut open) {
                        *pulled = (*pulled ^ own ^ odd) & *open;
                        *open ^= *pulled;
                    }
                    for (bit, code) in codes.iter_mut().enumerate() {
                        if mv.code() >> bit & 1 == 1 {
                            or_into(code, &pulled);
                        }
                    }
                }
                for (&low, &high) in codes[0].iter().zip(&codes[1]) {
                    writer.push_fields(&[low, high], layout.word_bits());
                }
                writer.write_out()?;
            }
        }
        writer.finish()
    }
}
