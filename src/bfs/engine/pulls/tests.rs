use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::*;
use crate::puzzle::Shape;
use crate::space::{GoalClass, StateIndex};

impl Pulls {
    /// [`Pulls::pull_block`] by a move, where all blocks are read.
    fn pull(&self, mv: Move, to: Block, planes: &Planes, out: &mut [u64]) {
        let pull = self.inside[to.cell].iter().find(|pull| pull.mv == mv);
        let is_active = |_| true;
        self.pull_block(pull.unwrap(), to, Source { planes, is_active }, out);
    }
}

/// The pulls into all planes, filled at random, against the moves on all states.
#[test]
fn a_pull_is_the_move_on_every_board() {
    for (rows, cols) in [(2, 2), (3, 2), (4, 2), (5, 2), (3, 3)] {
        for class in GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap() {
            let layout = Layout::new(class);
            check_pulls(&layout);
        }
    }
}

fn check_pulls(layout: &Layout) {
    let pulls = Pulls::new(layout);
    let (ranking, bits) = (&layout.ranking, u64::from(layout.word_bits()));
    let mut x = 1u64;
    let mut random = || {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (x ^ x >> 29) & layout.full_word()
    };
    let mut planes = [0, 1].map(|colour| Planes::zeroed(layout, colour, 0..layout.words).unwrap());
    let words = planes.iter_mut().flat_map(|planes| &mut *planes.words);
    words.for_each(|word| *word = random());
    for cell in 0..layout.planes() {
        for (mv, from) in pulls.inside[cell].iter().map(|pull| (pull.mv, pull.source)) {
            let source = &planes[layout.colour(from)];
            let mut out = vec![0; layout.words];
            for (number, out) in out.chunks_mut(layout.block).enumerate() {
                pulls.pull(mv, Block { cell, number }, source, out);
            }
            let source_words: Vec<u64> = (0..layout.chunks())
                .flat_map(|chunk| source.of_chunk(from, chunk).to_vec())
                .collect();
            for rank in 0..ranking.orders() {
                let index = StateIndex(cell as u64 * ranking.orders() + rank);
                let source = ranking.step(ranking.state(index), mv).unwrap();
                assert_eq!(usize::from(source.blank), from);
                let source = ranking.index(source).0 % ranking.orders();
                let bit =
                    |plane: &[u64], rank: u64| plane[(rank / bits) as usize] >> (rank % bits) & 1;
                assert_eq!(bit(&out, rank), bit(&source_words, source));
            }
            assert!(out.iter().all(|word| word & !layout.full_word() == 0));
        }
    }
}

/// The same for shapes whose planes have many chunks, by drawn boards: every move of every cell,
/// against slides of tiles on plain boards and a Lehmer rank counted tile by tile.
#[test]
fn a_pull_is_the_move_on_drawn_boards_of_large_shapes() {
    let mut long_runs_over_chunks = 0;
    for (rows, cols, bases) in [(4, 3, 80), (6, 2, 80), (7, 2, 40)] {
        let shape = Shape::new(rows, cols).unwrap();
        let mut classes = GoalClass::all(shape).unwrap();
        classes.drain(..if rows == 7 { classes.len() - 1 } else { 0 });
        for class in classes {
            let pulls = Pulls::new(&Layout::new(class));
            assert!(pulls.layout.chunks() > 100 && pulls.layout.block == 336);
            for source in 0..shape.cells() {
                let boards = PlainBoard::draw(rows, cols, class.blank(), source, bases);
                check_boards(&pulls, &boards, Planes::of_one_cell(&pulls.layout));
            }
            long_runs_over_chunks += (pulls.inside.iter().flatten())
                .filter(|pull| is_run_over_chunks(pull, &pulls.layout))
                .count();
        }
    }
    assert!(
        long_runs_over_chunks > 0,
        "each arm of `Pulls::pull_block` is taken"
    );
}

/// The planes of 4x4 are too large, but with slabs of a chunk all moves of the last tiles stay inside one.
#[test]
fn a_pull_of_the_last_tiles_is_the_move_on_drawn_boards_of_4x4() {
    let shape = Shape::new(4, 4).unwrap();
    for class in GoalClass::all(shape).unwrap() {
        let layout = Layout::new(class).in_slabs(6).unwrap();
        assert_eq!(layout.slab_chunks(), 1);
        let pulls = Pulls::new(&layout);
        let is_far = |swaps: Exchanges| swaps.steps().any(|(last, _)| last == 8);
        let far = |pull: &Pull| pull.exchanges.is_some_and(is_far);
        assert_eq!(
            pulls
                .inside
                .iter()
                .flatten()
                .filter(|pull| far(pull))
                .count(),
            2
        );
        for source in 0..shape.cells() {
            for boards in PlainBoard::draw(4, 4, class.blank(), source, 20).chunks(8) {
                let (word, _) = boards[0].place();
                let first = word / layout.chunk() * layout.chunk();
                let words = first..first + layout.chunk();
                let plane = Planes::zeroed(&layout, layout.colour(source), words).unwrap();
                check_boards(&pulls, boards, plane);
            }
        }
    }
}

/// Returns whether a block is several runs that come from several chunks.
fn is_run_over_chunks(pull: &Pull, layout: &Layout) -> bool {
    pull.run < layout.block && pull.run * pull.table.len() > layout.chunk()
}

/// Sets the bits of boards that have their blank in one cell in its plane and compares each block that
/// a move inside a slab leads them to, and the block beside it, with the boards after the move.
fn check_boards(pulls: &Pulls, boards: &[PlainBoard], mut plane: Planes) {
    let (layout, source) = (&pulls.layout, boards[0].blank());
    let shape = layout.ranking.shape();
    let mut active = HashSet::new();
    for board in boards {
        let (word, bit) = board.place();
        plane.of_chunk_mut(source, word / layout.chunk())[word % layout.chunk()] |= 1 << bit;
        active.insert(word / layout.block);
    }
    for mv in Move::ALL {
        // The pull through `mv` brings a board's bit to the board from which `mv` leads to it.
        let mut expected: BTreeMap<usize, BTreeSet<(usize, u32)>> = BTreeMap::new();
        let mut target = None;
        for board in boards {
            let mut before = board.clone();
            let slides = before.slide(mv.opposite());
            let is_inside = |pull: &Pull| pull.mv == mv;
            if slides && pulls.inside[before.blank()].iter().any(is_inside) {
                let (word, bit) = before.place();
                let block = word / layout.block;
                let blocks = layout.slab_words() / layout.block;
                if block / blocks == (block ^ 1) / blocks {
                    expected.entry(block ^ 1).or_default();
                }
                let places = expected.entry(block).or_default();
                places.insert((word % layout.block, bit));
                target = Some(before.blank());
            }
        }
        for (block, expected) in expected {
            let target = target.expect("a board can make the move");
            let mut out = vec![0; layout.block];
            let to = Block {
                cell: target,
                number: block,
            };
            pulls.pull(mv, to, &plane, &mut out);
            let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
            let found = (out.iter().enumerate().filter(|&(_, &word)| word != 0))
                .flat_map(|(i, &word)| bits(word).map(move |bit| (i, bit)))
                .collect::<BTreeSet<_>>();
            assert_eq!(found, expected, "{shape} {mv} from {target}, block {block}");
            let mut out_of_active = vec![0; layout.block];
            let pull = pulls.inside[target].iter().find(|pull| pull.mv == mv);
            let is_active = |block: usize| active.contains(&block);
            let from = Source {
                planes: &plane,
                is_active,
            };
            pulls.pull_block(pull.unwrap(), to, from, &mut out_of_active);
            assert_eq!(out_of_active, out);
        }
    }
}

/// A board as a list of tiles, with its own slides and its own rank.
#[derive(Clone)]
struct PlainBoard {
    rows: usize,
    cols: usize,
    tiles: Vec<usize>,
}

impl PlainBoard {
    /// Boards with the blank in one cell: `bases` ends of random walks from the goal, and for each
    /// seven boards that differ from it by even permutations of the last nine tiles, so that they
    /// are in its chunk.
    fn draw(rows: usize, cols: usize, goal: usize, blank: usize, bases: usize) -> Vec<PlainBoard> {
        let mut x = 1 + blank as u64;
        let mut random = |below: usize| {
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (x >> 33) as usize % below
        };
        let mut tiles: Vec<usize> = (1..rows * cols).collect();
        tiles.insert(goal, 0);
        let mut walker = PlainBoard { rows, cols, tiles };
        let mut boards = Vec::new();
        for _ in 0..bases {
            let mut slides = 0;
            while slides < 300 || walker.blank() != blank {
                slides += usize::from(walker.slide(Move::ALL[random(4)]));
            }
            boards.push(walker.clone());
            let mut other = walker.clone();
            for _ in 0..7 {
                for _ in 0..6 {
                    let (i, step) = (random(9), 1 + random(8));
                    other.exchange_last(i, (i + step) % 9);
                }
                boards.push(other.clone());
            }
        }
        boards
    }

    /// Exchanges two of the last nine tiles.
    fn exchange_last(&mut self, i: usize, j: usize) {
        let mut cells: Vec<usize> = (0..self.tiles.len()).collect();
        cells.remove(self.blank());
        let first = cells.len() - 9;
        self.tiles.swap(cells[first + i], cells[first + j]);
    }

    fn blank(&self) -> usize {
        self.tiles.iter().position(|&tile| tile == 0).unwrap()
    }

    /// Makes a move if it is legal, and returns whether it was.
    fn slide(&mut self, mv: Move) -> bool {
        let blank = self.blank();
        let (row, col) = (blank / self.cols, blank % self.cols);
        let (row, col) = match mv {
            Move::Up if row > 0 => (row - 1, col),
            Move::Down if row + 1 < self.rows => (row + 1, col),
            Move::Left if col > 0 => (row, col - 1),
            Move::Right if col + 1 < self.cols => (row, col + 1),
            _ => return false,
        };
        self.tiles.swap(blank, row * self.cols + col);
        true
    }

    /// The word and the bit of this board in the plane of its blank: half its Lehmer rank, by 60.
    fn place(&self) -> (usize, u32) {
        let order: Vec<usize> = self.tiles.iter().copied().filter(|&t| t != 0).collect();
        let mut rank = 0;
        for (i, tile) in order.iter().enumerate() {
            let smaller = order[i..].iter().filter(|later| *later < tile).count();
            rank = rank * (order.len() - i) + smaller;
        }
        (rank / 2 / 60, (rank / 2 % 60) as u32)
    }
}
