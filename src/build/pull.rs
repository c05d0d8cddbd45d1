//! Bringing the bits of one plane to the places where a move leads them.
//!
//! Everything is written from the target's side: a *pull* through move `mv` into the plane of
//! cell t takes the plane of the cell that the blank reaches from t by `mv`, and sets a target
//! bit where the source bit of the board after `mv` is set.

use crate::puzzle::Move;
use crate::space::{State, digit_sum, factorial};

use super::Layout;

/// The pulls into every plane of a layout.
#[derive(Clone, Debug)]
pub struct Pulls {
    layout: Layout,
    /// The pulls into each cell's plane, in move order.
    into: Vec<Vec<Pull>>,
    /// All ones for the words of a block in which the leading digits that differ within the
    /// block have an odd sum.
    odd_words: Vec<u64>,
}

/// The pull through one move into one plane.
#[derive(Clone, Debug)]
pub(super) struct Pull {
    pub(super) mv: Move,
    pub(super) source: usize,
    map: Map,
}

/// How the bits travel.
#[derive(Clone, Debug)]
enum Map {
    /// They stay: a move within a row keeps the order.
    Same,
    /// Runs of `run` words: the run numbered `mid` (modulo the table's length) comes from
    /// `table[mid]` words further on.
    Runs { run: usize, table: Vec<isize> },
    /// Bits travel among the words of a group: for each target word of the group, its terms.
    Group { terms: Vec<Vec<GroupTerm>> },
    /// Bits travel within each word; words with an odd digit sum have masks of their own.
    Word { terms: Vec<WordTerm> },
}

/// Bits of the group's word `from`, rotated left, that land under `mask`.
#[derive(Clone, Copy, Debug)]
struct GroupTerm {
    from: usize,
    rotate: u32,
    mask: u64,
}

/// Bits of the same word, rotated left, that land under the mask for the word's parity.
#[derive(Clone, Copy, Debug)]
struct WordTerm {
    rotate: u32,
    masks: [u64; 2],
}

impl Pulls {
    /// The pulls for a layout.
    pub fn new(layout: &Layout) -> Pulls {
        let shape = layout.ranking().shape();
        let pull = |cell, mv| {
            let source = shape.step(cell, mv)?;
            let map = Map::new(layout, cell, mv);
            Some(Pull { mv, source, map })
        };
        let into = (0..layout.planes())
            .map(|cell| Move::ALL.iter().filter_map(|&mv| pull(cell, mv)).collect())
            .collect();
        let odd_words = (0..layout.block())
            .map(|word| 0u64.wrapping_sub(word_parity(layout, word)))
            .collect();
        Pulls {
            layout: layout.clone(),
            into,
            odd_words,
        }
    }

    /// The layout that the pulls are for.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The pulls into the plane of `cell`, in move order.
    pub(super) fn into(&self, cell: usize) -> &[Pull] {
        &self.into[cell]
    }

    /// The moves that a blank in `cell` can make, each with the cell it leads to.
    pub fn moves(&self, cell: usize) -> impl Iterator<Item = (Move, usize)> {
        self.into[cell].iter().map(|pull| (pull.mv, pull.source))
    }

    /// Sets the bits of block `block` of cell `cell`'s plane whose board after `mv` has its bit
    /// set in `source`, the whole plane of the cell that `mv` leads to.
    ///
    /// `out` is the block, [`Layout::block`] words; bits that it has stay.
    ///
    /// # Panics
    /// If the blank cannot make `mv` from `cell`, or a slice is too short.
    pub fn pull(&self, cell: usize, mv: Move, source: &[u64], block: usize, out: &mut [u64]) {
        let pull = self.into[cell].iter().find(|pull| pull.mv == mv);
        let pull = pull.expect("the blank can make this move");
        self.run(pull, cell, source, block, |_| true, out);
    }

    /// As [`Pulls::pull`]; parts of the source for whose block `live` is false have no bits and
    /// are not looked at.
    pub(super) fn run(
        &self,
        pull: &Pull,
        cell: usize,
        source: &[u64],
        block: usize,
        live: impl Fn(usize) -> bool,
        out: &mut [u64],
    ) {
        let len = self.layout.block();
        let start = block * len;
        let out = &mut out[..len];
        if let Map::Runs { run, table } = &pull.map {
            return runs(*run, table, start, source, |word| live(word / len), out);
        }
        if !live(block) {
            return;
        }
        let same = &source[start..start + len];
        match &pull.map {
            Map::Group { terms } => group(terms, same, out),
            Map::Word { terms } => {
                let digits = word_parity(&self.layout, start);
                let parity = digits ^ self.layout.ranking().parity(cell);
                for term in terms {
                    within_words(term, parity as usize, &self.odd_words, same, out);
                }
            }
            Map::Same | Map::Runs { .. } => {
                for (out, word) in out.iter_mut().zip(same) {
                    *out |= word;
                }
            }
        }
    }
}

fn runs(
    run: usize,
    table: &[isize],
    start: usize,
    source: &[u64],
    live: impl Fn(usize) -> bool,
    out: &mut [u64],
) {
    let first = start / run;
    let piece = run.min(out.len());
    for (i, out) in out.chunks_exact_mut(piece).enumerate() {
        let mid = (first + i * piece / run) % table.len();
        let from = (start + i * piece).wrapping_add_signed(table[mid]);
        if live(from) {
            for (out, word) in out.iter_mut().zip(&source[from..from + piece]) {
                *out |= word;
            }
        }
    }
}

fn group(terms: &[Vec<GroupTerm>], source: &[u64], out: &mut [u64]) {
    let words = terms.len();
    for (out, source) in out.chunks_exact_mut(words).zip(source.chunks_exact(words)) {
        for (out, terms) in out.iter_mut().zip(terms) {
            for term in terms {
                *out |= source[term.from].rotate_left(term.rotate) & term.mask;
            }
        }
    }
}

fn within_words(term: &WordTerm, parity: usize, odd: &[u64], source: &[u64], out: &mut [u64]) {
    let mask = term.masks[parity];
    let change = mask ^ term.masks[parity ^ 1];
    for ((out, word), odd) in out.iter_mut().zip(source).zip(odd) {
        *out |= word.rotate_left(term.rotate) & (mask ^ change & odd);
    }
}

/// The parity of the sum of the leading digits, those that number the words.
fn word_parity(layout: &Layout, word: usize) -> u64 {
    let m = layout.ranking().shape().tiles();
    let rank = word as u64 * factorial(layout.in_word());
    digit_sum(m, rank) & 1
}

impl Map {
    /// The map of a pull into `cell`'s plane through `mv`.
    fn new(layout: &Layout, cell: usize, mv: Move) -> Map {
        let shape = layout.ranking().shape();
        let cols = shape.cols();
        // The rotation moves the tiles s..s+cols of the order.
        let s = match mv {
            Move::Up => cell - cols,
            Move::Down => cell,
            Move::Left | Move::Right => return Map::Same,
        };
        let rotation = Rotation {
            layout,
            cell,
            mv,
            s,
        };
        let leading = shape.tiles() - layout.in_word();
        if s + cols <= leading {
            rotation.runs()
        } else if s < leading {
            rotation.group()
        } else {
            rotation.word()
        }
    }
}

/// The rotation of the tiles s.. of the order by one move out of one cell.
struct Rotation<'a> {
    layout: &'a Layout,
    cell: usize,
    mv: Move,
    s: usize,
}

impl Rotation<'_> {
    /// The Lehmer rank after the rotation.
    fn apply(&self, lehmer: u64) -> u64 {
        let blank = self.cell as u8;
        self.layout
            .ranking()
            .after(State { blank, lehmer }, self.mv)
            .lehmer
    }

    /// Ranks of the orders that differ in the tiles s.. only, 0 to this.
    fn ranks(&self) -> u64 {
        factorial(self.layout.ranking().shape().tiles() - self.s)
    }

    /// Weight of the last rotated digit: so many ranks move as one run.
    fn lo(&self) -> u64 {
        let shape = self.layout.ranking().shape();
        factorial(shape.tiles() - self.s - shape.cols())
    }

    /// The table of a rotation of leading digits: whole words move.
    fn runs(&self) -> Map {
        let (lo, in_word) = (self.lo(), factorial(self.layout.in_word()));
        let change = |rank: u64| self.apply(rank) as isize - rank as isize;
        let mids = 0..self.ranks() / lo;
        Map::Runs {
            run: (lo / in_word) as usize,
            table: mids
                .map(|mid| change(mid * lo) / in_word as isize)
                .collect(),
        }
    }

    /// The terms of a rotation across the border of a word. Two tiles at least stay behind it, so
    /// the order ranks move in runs and the digit that the ranks leave out plays no part.
    fn group(&self) -> Map {
        assert!(self.lo() >= 2, "a rotation across words leaves two tiles");
        let bits = u64::from(self.layout.word_bits());
        let words = self.ranks() / 2 / bits;
        let mut terms = vec![Vec::<GroupTerm>::new(); words as usize];
        for target in 0..words * bits {
            let source = self.apply(target * 2) / 2;
            let from = (source / bits) as usize;
            let rotate = rotation(source % bits, target % bits);
            let terms = &mut terms[(target / bits) as usize];
            let same = |term: &GroupTerm| (term.from, term.rotate) == (from, rotate);
            let place = terms.iter().position(same).unwrap_or_else(|| {
                let mask = 0;
                terms.push(GroupTerm { from, rotate, mask });
                terms.len() - 1
            });
            terms[place].mask |= 1 << (target % bits);
        }
        Map::Group { terms }
    }

    /// The terms of a rotation inside a word, for words whose digit sum must be even and odd.
    fn word(&self) -> Map {
        let mut terms = Vec::<WordTerm>::new();
        for parity in 0..2 {
            for target in 0..u64::from(self.layout.word_bits()) {
                let odd = digit_sum(self.layout.in_word(), target * 2) & 1;
                let source = self.apply(target * 2 + (odd ^ parity)) / 2;
                let rotate = rotation(source, target);
                let same = |term: &WordTerm| term.rotate == rotate;
                let place = terms.iter().position(same).unwrap_or_else(|| {
                    let masks = [0; 2];
                    terms.push(WordTerm { rotate, masks });
                    terms.len() - 1
                });
                terms[place].masks[parity as usize] |= 1 << target;
            }
        }
        Map::Word { terms }
    }
}

/// How far left a bit is rotated to come from one place of a word to another.
fn rotation(from: u64, to: u64) -> u32 {
    ((to + 64 - from) % 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Shape;
    use crate::space::{GoalClass, StateIndex};

    /// Pulls of single bits and of random planes are what the moves on boards say, for every
    /// state, move, block and class.
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
        let (ranking, bits) = (layout.ranking(), u64::from(layout.word_bits()));
        let mut x = 1u64;
        let mut random = || {
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (x ^ x >> 29) & layout.full_word()
        };
        let planes: Vec<Vec<u64>> = (0..layout.planes())
            .map(|_| (0..layout.words()).map(|_| random()).collect())
            .collect();
        for cell in 0..layout.planes() {
            for (mv, from) in pulls.moves(cell).collect::<Vec<_>>() {
                let mut out = vec![0; layout.words()];
                for (i, out) in out.chunks_mut(layout.block()).enumerate() {
                    pulls.pull(cell, mv, &planes[from], i, out);
                }
                for rank in 0..ranking.orders() {
                    let index = StateIndex(cell as u64 * ranking.orders() + rank);
                    let source = ranking.step(ranking.state(index), mv).unwrap();
                    assert_eq!(usize::from(source.blank), from);
                    let source = ranking.index(source).0 % ranking.orders();
                    let bit = |plane: &[u64], rank: u64| {
                        plane[(rank / bits) as usize] >> (rank % bits) & 1
                    };
                    assert_eq!(bit(&out, rank), bit(&planes[from], source));
                }
                assert!(out.iter().all(|word| word & !layout.full_word() == 0));
            }
        }
    }
}
