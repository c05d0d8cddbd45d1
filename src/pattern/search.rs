//! The search of a pattern's states, breadth-first from the goal on bit planes.
//!
//! What is done with a block is shared with [`crate::bfs`]: two colours, new are the states that are pulled and not two
//! levels back, unreached states are counted (`Task`), tiles are exchanged (`Exchanges`), and a checkpoint holds the
//! same blocks. The loop is not. There all planes have the same words, a block's neighbours follow from its number, and
//! chunks of all planes stay in a thread's cache while files are read and other ranks send; here a block's
//! neighbours may be any blocks, in a list, with an exchange of its own each. The tasks of a level run on the threads of the
//! caller, who may search other patterns on them, and stop in the middle of a level once a flag is set. One loop for both
//! would need an interface for neighbours, one for tasks and one for threads, which is more than the sixty lines of each.

use std::io;
use std::sync::Arc;

use multiversion::multiversion;

use crate::basics::parallel::each;
use crate::basics::{Cancel, Cancelled};
use crate::bfs::{Exchanges, GROUP, Room, Task, Words};
use crate::space::factorial;
use crate::table::BitWriter;

use super::blocks::{Blocks, bits};
use super::database::State;
use super::exchanges::OrderPlanes;

/// A breadth-first search of all states of a pattern.
///
/// A move of a tile of the pattern costs 1 and takes the set to one of the other *colour*: with one more or one fewer
/// tile on the dark cells. So the states at even distances have the goal's colour and those at odd distances the other,
/// and the neighbours of a state at distance d are at d - 1 and d + 1. A level is pulled from the last one, without the
/// states of the level before that, which it overwrites. That takes two bits a state: one for the last level of its
/// colour and one for bit 1 of the distance.
pub(super) struct Search {
    pub blocks: Arc<Blocks>,
    pub planes: OrderPlanes,
    /// The place of each block among those of its colour; the colour is the lowest bit.
    places: Vec<u32>,
    /// Blocks by colour, the goal's first.
    pub colours: [ColourBlocks; 2],
    /// Number of states of each finished level.
    pub levels: Vec<u64>,
}

/// The blocks of a colour.
pub(super) struct ColourBlocks {
    /// The states of the last level of this colour.
    pub frontier: Words,
    /// Bit 1 of the distances that are known.
    pub bit_one: Words,
    /// Number of states of each block that have not been reached.
    pub unseen: Vec<u32>,
    /// Whether each block has any state of the last level.
    pub active: Vec<bool>,
    /// Index in `moves` of the first move out of each block.
    first_move: Vec<u32>,
    moves: Vec<Move>,
}

/// A move out of a block.
struct Move {
    /// The place of the block that it leads to.
    to: u32,
    exchanges: Exchanges,
}

/// Returns the parity of the tiles of a set on the dark cells.
pub(super) fn colour(cols: usize, mask: u32) -> usize {
    bits(mask)
        .filter(|cell| (cell / cols + cell % cols) % 2 == 1)
        .count()
        % 2
}

impl Search {
    /// Starts a search from the goal: the tiles in order in the cells of the set `goal`, and the blank in `blank`.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn new(blocks: &Arc<Blocks>, goal: &State) -> io::Result<Search> {
        let (cols, tiles) = (blocks.shape.cols(), blocks.tiles);
        let planes = OrderPlanes::new(tiles);
        let goal_colour = colour(cols, goal.mask);
        let (mut places, mut count) = (Vec::with_capacity(blocks.count()), [0u32; 2]);
        for mask in blocks.sets() {
            let colour = colour(cols, mask) ^ goal_colour;
            for _ in blocks.regions(mask) {
                places.push(count[colour] << 1 | colour as u32);
                count[colour] += 1;
            }
        }
        let unseen = factorial(tiles) as u32;
        let size = planes.block_words();
        let of_colour = |count: u32| -> io::Result<ColourBlocks> {
            let words = count as usize * size;
            Ok(ColourBlocks {
                frontier: Words::zeroed(words)?,
                bit_one: Words::zeroed(words)?,
                unseen: vec![unseen; count as usize],
                active: vec![false; count as usize],
                first_move: vec![0],
                moves: Vec::new(),
            })
        };
        let mut search = Search {
            blocks: Arc::clone(blocks),
            planes,
            places,
            colours: [of_colour(count[0])?, of_colour(count[1])?],
            levels: vec![1],
        };
        search.find_moves();
        let start = search.places[blocks.block(goal.mask, goal.blank)] as usize >> 1;
        let of_colour = &mut search.colours[0];
        of_colour.frontier[start * search.planes.block_words()] = 1;
        (of_colour.unseen[start], of_colour.active[start]) = (unseen - 1, true);
        Ok(search)
    }

    /// Returns the bytes of memory that a search of these blocks takes.
    pub fn memory(blocks: &Blocks) -> u64 {
        let planes = 2 * OrderPlanes::words_of_block(blocks.tiles) * size_of::<u64>() as u64;
        let block = planes + (3 * size_of::<u32>() + size_of::<bool>()) as u64; // place, first move, `unseen`, `active`
        blocks.count() as u64 * block + blocks.count_moves() * size_of::<Move>() as u64
    }

    /// Collects the moves out of every block, in the order of the blocks of each colour.
    fn find_moves(&mut self) {
        let mut places = self.places.iter();
        for mask in self.blocks.sets() {
            for (region, place) in self.blocks.regions(mask).zip(&mut places) {
                let of_colour = &mut self.colours[(place & 1) as usize];
                for mv in self.blocks.moves(mask, region.trailing_zeros() as usize) {
                    let (first, passed) = mv.rotated(mask);
                    of_colour.moves.push(Move {
                        to: self.places[self.blocks.block(mask ^ mv.both, mv.to)] >> 1,
                        exchanges: Exchanges::of(mv.mv, self.blocks.tiles - first, passed),
                    });
                }
                of_colour.first_move.push(of_colour.moves.len() as u32);
            }
        }
    }

    /// Finds the next level and returns its number of states; 0 when there are no more.
    ///
    /// # Errors
    /// [`Cancelled`]; the search cannot be continued.
    pub fn advance(&mut self, cancel: &Cancel) -> Result<u64, Cancelled> {
        let Ok(level) = u8::try_from(self.levels.len()) else {
            return Ok(0); // only a search that was resumed from a wrong checkpoint
        };
        let (planes, size) = (&self.planes, self.planes.block_words());
        let colour = usize::from(level % 2);
        let colours = self.colours.get_disjoint_mut([1 - colour, colour]);
        let [source, target] = colours.expect("they differ");
        let (moves, first_move) = (&target.moves, &target.first_move);
        let expand = |blocks: Task<'_>| -> Result<u64, Cancelled> {
            cancel.check()?;
            let mut room = <(Room, Vec<u64>)>::default();
            let places = blocks.chunk * MANY..;
            let states = places.zip(blocks.split(size, 1)).map(|(place, block)| {
                let moves = match block.unseen[0] > 0 {
                    true => &moves[first_move[place] as usize..first_move[place + 1] as usize],
                    false => &[],
                };
                let level = (&*source, moves, level);
                match size >= 2 * GROUP {
                    true => expand_wide(planes, level, block, &mut room),
                    false => planes.expand(level, block, &mut room),
                }
            });
            Ok(states.sum())
        };
        let is_large = target.frontier.len() >= WORTH_THREADS;
        let (words, counts) = (
            (&mut *target.frontier, &mut *target.bit_one),
            (&mut *target.unseen, &mut *target.active),
        );
        let tasks = Task::new(0, words, counts).split(MANY * size, MANY);
        let states: u64 = match is_large {
            true => each(tasks, expand).into_iter().sum::<Result<_, _>>()?,
            false => tasks.map(expand).sum::<Result<_, _>>()?,
        };
        self.levels.extend((states > 0).then_some(states));
        Ok(states)
    }

    /// Returns the bits of all states, block by block and in each in the order of the ranks, the lowest bit
    /// of a byte first.
    pub fn into_bits(mut self) -> Vec<u8> {
        (self.colours.iter_mut()).for_each(|of_colour| of_colour.frontier.clear());
        let orders = factorial(self.blocks.tiles) as usize;
        let mut bytes = vec![0; (self.blocks.count() * orders).div_ceil(8)];
        // Eight blocks together have whole bytes.
        let parts = bytes.chunks_mut(orders * MANY / 8);
        each(
            parts.zip(self.places.chunks(MANY)),
            |(mut bytes, places)| {
                let mut out = BitWriter::new(&mut bytes);
                for place in places {
                    let size = self.planes.block_words();
                    let words = &self.colours[(place & 1) as usize].bit_one;
                    let block = &words[(place >> 1) as usize * size..][..size];
                    (self.planes).in_order(block, |bits, states| out.push(bits, states));
                    out.write_out().expect("there is room for all states");
                }
                out.finish().expect("there is room for all states");
            },
        );
        bytes
    }

    /// Returns the blocks of both colours, some at a time.
    pub fn tasks(&mut self) -> impl Iterator<Item = Task<'_>> {
        let words = self.planes.block_words();
        self.colours.iter_mut().flat_map(move |colour| {
            let planes = (&mut *colour.frontier, &mut *colour.bit_one);
            let all = Task::new(0, planes, (&mut colour.unseen, &mut colour.active));
            all.split(MANY * words, MANY)
        })
    }

    /// Returns the distance of the last level that was found.
    pub fn distance(&self) -> u8 {
        (self.levels.len() - 1) as u8
    }

    /// Number of states that have been reached.
    pub fn reached(&self) -> u64 {
        self.levels.iter().sum()
    }
}

/// The level before, the moves into it out of a block, and the distance of the new states.
type BlockLevel<'a> = (&'a ColourBlocks, &'a [Move], u8);

impl OrderPlanes {
    /// Makes the states of a block at a level, and returns their number.
    #[inline(always)]
    fn expand(
        &self,
        (source, moves, level): BlockLevel<'_>,
        block: Task<'_>,
        room: &mut (Room, Vec<u64>),
    ) -> u64 {
        let ((room, pulled), size, mut any) = (room, self.block_words(), false);
        for mv in moves.iter().filter(|mv| source.active[mv.to as usize]) {
            if !any {
                pulled.clear();
                pulled.resize(size, 0);
            }
            let words = &source.frontier[mv.to as usize * size..][..size];
            self.pull(words, mv.exchanges, pulled, room);
            any = true;
        }
        block.update(any.then_some(pulled), level).into()
    }
}

/// [`OrderPlanes::expand`] for blocks of many words.
#[multiversion(targets = "simd")]
fn expand_wide(
    planes: &OrderPlanes,
    level: BlockLevel<'_>,
    block: Task<'_>,
    room: &mut (Room, Vec<u64>),
) -> u64 {
    planes.expand(level, block, room)
}

/// Blocks of a task, and of a record of a checkpoint: a multiple of eight.
pub(super) const MANY: usize = 64;

/// Fewest words for which a second thread saves more time than it takes.
const WORTH_THREADS: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    impl Search {
        /// Returns the bytes of memory that the search takes now.
        pub fn bytes(&self) -> u64 {
            let of_colour = |colour: &ColourBlocks| {
                size_of_val(&*colour.frontier)
                    + size_of_val(&*colour.bit_one)
                    + size_of_val(&*colour.unseen)
                    + size_of_val(&*colour.active)
                    + size_of_val(&colour.first_move[1..])
                    + size_of_val(&*colour.moves)
            };
            let colours: usize = self.colours.iter().map(of_colour).sum();
            (colours + size_of_val(&*self.places)) as u64
        }
    }
}
