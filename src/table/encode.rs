//! From the levels of a search to the bytes of a file.

use std::io;
use std::ops::ControlFlow;

use crate::build::{Colour, Layout, Level, Planes, Search, SearchError};
use crate::space::GoalClass;

use super::Encoding;
use super::format::SectionKind;
use super::header::assemble;
use super::pack::BitWriter;

/// Searches the space of `class` with at most `threads` threads and gives the bytes of its
/// database, which are the same for every number of threads.
///
/// `observe` is told of every finished level and may end the search; then there are no bytes.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
/// use puzzledb::table::{Encoding, Table, build};
///
/// let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8)?;
/// let bytes = build(class, Encoding::Bit, 1, |_| ControlFlow::Continue(()))?.unwrap();
/// assert_eq!(Table::new(bytes)?.header().max_distance(), 31);
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
    let mut search = Search::new(class, threads)?;
    let mut high = HighBits::default();
    let mut levels = Vec::new();
    while let Some(level) = search.advance() {
        if encoding == Encoding::Full {
            high.add(&level).map_err(|source| SearchError::Memory {
                shape: class.shape(),
                source,
            })?;
        }
        levels.push(level.states());
        if observe(&level).is_break() {
            return Ok(None);
        }
    }
    let packer = Packer {
        search: &search,
        high: &high,
    };
    let sections = match encoding {
        Encoding::Bit => vec![(SectionKind::BitOne, packer.bit_one())],
        Encoding::Full => vec![
            (SectionKind::Distances, packer.distances()),
            (SectionKind::Parents, packer.parents()),
        ],
    };
    Ok(Some(assemble(class, encoding, levels, sections)))
}

/// Bits 2 and up of all distances: for each bit the planes of both colours.
#[derive(Default)]
struct HighBits(Vec<[Planes; 2]>);

impl HighBits {
    fn add(&mut self, level: &Level<'_>) -> io::Result<()> {
        let layout = level.pulls().layout();
        while level.distance() >> (2 + self.0.len()) > 0 {
            let planes = |colour| Planes::zeroed(layout, colour);
            self.0.push([planes(Colour::Even)?, planes(Colour::Odd)?]);
        }
        let colour = level.colour();
        for (k, planes) in self.0.iter_mut().enumerate() {
            if level.distance() >> (2 + k) & 1 == 1 {
                for cell in layout.cells(colour) {
                    for chunk in 0..layout.chunks() {
                        let bits = planes[colour as usize].of_chunk_mut(cell, chunk);
                        let new = level.planes().of_chunk(cell, chunk);
                        bits.iter_mut()
                            .zip(new)
                            .for_each(|(bits, new)| *bits |= new);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Makes sections of a finished search.
struct Packer<'a> {
    search: &'a Search,
    high: &'a HighBits,
}

impl Packer<'_> {
    fn layout(&self) -> &Layout {
        self.search.pulls().layout()
    }

    /// A writer for a field of `width` bits for each state.
    fn writer(&self, width: usize) -> BitWriter {
        let states = self.layout().ranking().states() as usize;
        BitWriter::with_capacity((states * width).div_ceil(8))
    }

    /// All ones of a word if the states with this blank have odd distances.
    fn odd(&self, cell: usize) -> u64 {
        match self.layout().colour(cell) {
            Colour::Even => 0,
            Colour::Odd => self.layout().full_word(),
        }
    }

    fn bit_one(&self) -> Vec<u8> {
        let layout = self.layout();
        let mut writer = self.writer(1);
        for cell in 0..layout.planes() {
            let planes = self.search.bit_one(layout.colour(cell));
            for chunk in 0..layout.chunks() {
                for word in planes.of_chunk(cell, chunk) {
                    writer.push(*word, layout.word_bits());
                }
            }
        }
        writer.finish()
    }

    fn distances(&self) -> Vec<u8> {
        match self.high.0.len() {
            0 => self.distances_of::<2>(),
            1 => self.distances_of::<3>(),
            2 => self.distances_of::<4>(),
            3 => self.distances_of::<5>(),
            4 => self.distances_of::<6>(),
            5 => self.distances_of::<7>(),
            _ => self.distances_of::<8>(),
        }
    }

    /// The distances in fields of `W` bits.
    fn distances_of<const W: usize>(&self) -> Vec<u8> {
        let layout = self.layout();
        let mut writer = self.writer(W);
        for cell in 0..layout.planes() {
            let (odd, colour) = (self.odd(cell), layout.colour(cell));
            for chunk in 0..layout.chunks() {
                let planes: [&[u64]; W] = std::array::from_fn(|k| match k {
                    0 => &[],
                    1 => self.search.bit_one(colour).of_chunk(cell, chunk),
                    _ => self.high.0[k - 2][colour as usize].of_chunk(cell, chunk),
                });
                for word in 0..layout.chunk() {
                    let bits = std::array::from_fn(|k| if k == 0 { odd } else { planes[k][word] });
                    writer.push_fields::<W>(bits, layout.word_bits());
                }
            }
        }
        writer.finish()
    }

    /// The first move, in move order, that leads one step closer; 0 for the goal.
    ///
    /// Bit 1 of the distances tells it: from d to d - 1 it changes if d is even and stays if d
    /// is odd, and from d to d + 1 the other way round.
    fn parents(&self) -> Vec<u8> {
        let (layout, pulls) = (self.layout(), self.search.pulls());
        let (block, full) = (layout.block(), layout.full_word());
        let mut writer = self.writer(2);
        let mut pulled = vec![0; block];
        let (mut open, mut codes) = (vec![0; block], [vec![0; block], vec![0; block]]);
        for cell in 0..layout.planes() {
            let (odd, colour) = (self.odd(cell), layout.colour(cell));
            let sources = self.search.bit_one(colour.other());
            for i in 0..layout.words() / block {
                let own = self.search.bit_one(colour).piece(cell, i * block, block);
                open.fill(full);
                codes.iter_mut().for_each(|code| code.fill(0));
                for (mv, _) in pulls.moves(cell) {
                    pulled.fill(0);
                    pulls.pull(cell, mv, sources, i, &mut pulled);
                    for ((pulled, own), open) in pulled.iter_mut().zip(own).zip(&mut open) {
                        *pulled = (*pulled ^ own ^ odd) & *open;
                        *open ^= *pulled;
                    }
                    for (bit, code) in codes.iter_mut().enumerate() {
                        if mv.code() >> bit & 1 == 1 {
                            code.iter_mut()
                                .zip(&pulled)
                                .for_each(|(code, new)| *code |= new);
                        }
                    }
                }
                for (&low, &high) in codes[0].iter().zip(&codes[1]) {
                    writer.push_fields([low, high], layout.word_bits());
                }
            }
        }
        writer.finish()
    }
}
