//! From the levels of a search to the bytes of a file.

use std::ops::ControlFlow;

use crate::build::{Level, Pulls, Search, SearchError};
use crate::space::GoalClass;

use super::Encoding;
use super::format::SectionKind;
use super::header::{Section, assemble};
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
    let mut distances = DistancePlanes::new(search.pulls(), encoding);
    let mut levels = Vec::new();
    while let Some(level) = search.advance() {
        distances.add(&level);
        levels.push(level.states());
        if observe(&level).is_break() {
            return Ok(None);
        }
    }
    let sections = distances.sections(search.pulls());
    Ok(Some(assemble(class, encoding, levels, sections)))
}

/// The distances of all states, a plane for each cell and each bit of the distance that the
/// encoding needs.
struct DistancePlanes {
    encoding: Encoding,
    /// `bits[k][cell]` holds bit k of the distances; empty where it is 0 or not needed.
    bits: Vec<Vec<Vec<u64>>>,
}

impl DistancePlanes {
    fn new(pulls: &Pulls, encoding: Encoding) -> DistancePlanes {
        let mut planes = DistancePlanes {
            encoding,
            bits: Vec::new(),
        };
        planes.grow(pulls, BIT_ONE + 1);
        planes
    }

    /// Makes room for `bits` bits.
    fn grow(&mut self, pulls: &Pulls, bits: usize) {
        let layout = pulls.layout();
        while self.bits.len() < bits {
            let needed = self.encoding == Encoding::Full || self.bits.len() == BIT_ONE;
            let words = if needed { layout.words() } else { 0 };
            self.bits.push(vec![vec![0; words]; layout.planes()]);
        }
    }

    fn add(&mut self, level: &Level<'_>) {
        let distance = usize::from(level.distance());
        if self.encoding == Encoding::Full {
            self.grow(
                level.pulls(),
                distance.checked_ilog2().map_or(0, |log| log as usize + 1),
            );
        }
        for (k, planes) in self.bits.iter_mut().enumerate() {
            if distance >> k & 1 == 1 {
                for (cell, front) in level.planes() {
                    for (bits, new) in planes[cell].iter_mut().zip(front) {
                        *bits |= new;
                    }
                }
            }
        }
    }

    fn sections(&self, pulls: &Pulls) -> Vec<Section> {
        match self.encoding {
            Encoding::Bit => vec![(SectionKind::BitOne, self.pack_bit_one(pulls))],
            Encoding::Full => vec![
                (SectionKind::Distances, self.pack_distances(pulls)),
                (SectionKind::Parents, self.pack_parents(pulls)),
            ],
        }
    }

    fn pack_bit_one(&self, pulls: &Pulls) -> Vec<u8> {
        let mut writer = writer(pulls, 1);
        let bits = pulls.layout().word_bits();
        for word in self.bits[BIT_ONE].iter().flatten() {
            writer.push(*word, bits);
        }
        writer.finish()
    }

    fn pack_distances(&self, pulls: &Pulls) -> Vec<u8> {
        match self.bits.len() {
            2 => self.pack_wide::<2>(pulls),
            3 => self.pack_wide::<3>(pulls),
            4 => self.pack_wide::<4>(pulls),
            5 => self.pack_wide::<5>(pulls),
            6 => self.pack_wide::<6>(pulls),
            7 => self.pack_wide::<7>(pulls),
            _ => self.pack_wide::<8>(pulls),
        }
    }

    /// The distances in fields of `W` bits.
    fn pack_wide<const W: usize>(&self, pulls: &Pulls) -> Vec<u8> {
        let layout = pulls.layout();
        let mut writer = writer(pulls, W);
        for cell in 0..layout.planes() {
            let planes: [&[u64]; W] = std::array::from_fn(|k| self.bits[k][cell].as_slice());
            for word in 0..layout.words() {
                writer.push_fields(planes.map(|plane| plane[word]), layout.word_bits());
            }
        }
        writer.finish()
    }

    /// The first move, in move order, that leads one step closer; 0 for the goal.
    ///
    /// Bit 1 of the distances tells it: from d to d - 1 it changes if d is even and stays if d
    /// is odd, and from d to d + 1 the other way round.
    fn pack_parents(&self, pulls: &Pulls) -> Vec<u8> {
        let layout = pulls.layout();
        let (block, full) = (layout.block(), layout.full_word());
        let mut writer = writer(pulls, 2);
        let mut pulled = vec![0; block];
        let (mut open, mut codes) = (vec![0; block], [vec![0; block], vec![0; block]]);
        for cell in 0..layout.planes() {
            let odd = if layout.ranking().is_odd(cell) {
                full
            } else {
                0
            };
            for (i, own) in self.bits[BIT_ONE][cell].chunks_exact(block).enumerate() {
                open.fill(full);
                codes.iter_mut().for_each(|code| code.fill(0));
                for (mv, source) in pulls.moves(cell) {
                    pulled.fill(0);
                    pulls.pull(cell, mv, &self.bits[BIT_ONE][source], i, &mut pulled);
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

/// The bit of the distance that, with the blank's colour, gives the distance modulo 4.
const BIT_ONE: usize = 1;

fn writer(pulls: &Pulls, width: usize) -> BitWriter {
    let states = pulls.layout().ranking().states() as usize;
    BitWriter::with_capacity((states * width).div_ceil(8))
}
