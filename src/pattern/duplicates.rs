//! Finite-state machine that prunes paths of the blank which need not be followed.
//!
//! Two paths that move the same tiles in the same way lead to the same board, so one of them is enough (Taylor and
//! Korf, "Pruning Duplicate Nodes in Depth-First Search", 1993): the shorter one or, of equally long ones, the first
//! in the order of [`Move`], if it stays in the rectangle of cells that the other one visits and so is possible
//! wherever that is. The first of a board's shortest solutions has no part that is pruned.

use std::collections::VecDeque;
use std::sync::LazyLock;

use crate::puzzle::Move;

/// State after a move that need not be made.
pub(super) const PRUNED: u16 = u16::MAX;

/// States by the moves that were made last; 0 is the one before the first move.
#[derive(Debug)]
pub(super) struct PruningAutomaton {
    /// The state after each move.
    after: Vec<[u16; 4]>,
}

/// Prunes the moves that take the one before back.
static BACK: LazyLock<PruningAutomaton> = LazyLock::new(|| PruningAutomaton::new(TAKEN_BACK));

/// Prunes all duplicates of up to ten moves: 4 parts of six moves, 32 of eight, 4 of nine and 296 of ten.
static DUPLICATES: LazyLock<PruningAutomaton> = LazyLock::new(|| {
    let longer = include_str!("duplicates.txt").split_whitespace();
    PruningAutomaton::new(TAKEN_BACK.into_iter().chain(longer))
});

const TAKEN_BACK: [&str; 4] = ["UD", "DU", "LR", "RL"];

impl PruningAutomaton {
    /// Returns the machine for a search of all solutions.
    pub fn for_all() -> &'static PruningAutomaton {
        &BACK
    }

    /// Returns the machine for a search of one solution.
    pub fn for_one() -> &'static PruningAutomaton {
        &DUPLICATES
    }

    /// Returns the machine that prunes the last move of each of these paths (Aho and Corasick, 1975).
    fn new<'a>(pruned: impl IntoIterator<Item = &'a str>) -> PruningAutomaton {
        let mut states = vec![AutomatonState::default()];
        for path in pruned {
            let mut state = 0;
            for letter in path.chars() {
                let mv = usize::from(Move::from_letter(letter).expect("a letter").code());
                if states[state].after[mv] == 0 {
                    states[state].after[mv] = states.len();
                    states.push(AutomatonState::default());
                }
                state = states[state].after[mv];
            }
            states[state].is_pruned = true;
        }
        // A move that a state lacks is taken from the state of its longest suffix that has one.
        let mut queue: VecDeque<usize> = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            for mv in 0..4 {
                let (next, end) = (states[state].after[mv], states[state].end);
                let of_end = if state == 0 { 0 } else { states[end].after[mv] };
                if next == 0 {
                    states[state].after[mv] = of_end;
                } else {
                    states[next].end = of_end;
                    states[next].is_pruned |= states[of_end].is_pruned;
                    queue.push_back(next);
                }
            }
        }
        let number = |state: usize| {
            if states[state].is_pruned {
                PRUNED
            } else {
                state as u16
            }
        };
        PruningAutomaton {
            after: states.iter().map(|state| state.after.map(number)).collect(),
        }
    }

    /// Returns the state after each move, by [`Move::code`]; [`PRUNED`] where it need not be made.
    #[inline]
    pub fn after(&self, state: u16) -> [u16; 4] {
        self.after[usize::from(state)]
    }

    /// Returns the state after a path without a part that is pruned.
    pub fn state(&self, path: &[Move]) -> u16 {
        let moves = path.iter().map(|mv| usize::from(mv.code()));
        moves.fold(0, |state, mv| self.after(state)[mv])
    }
}

/// A state while the machine is made: the path to it from state 0 is the beginning of a pruned one.
#[derive(Clone, Default)]
struct AutomatonState {
    /// Next states by moves; 0 for none.
    after: [usize; 4],
    /// The state of the longest suffix of its path.
    end: usize,
    is_pruned: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet, HashMap};

    /// A path on a plane without borders that begins at (0, 0), and its effect.
    #[derive(Clone, Default)]
    struct Path {
        letters: String,
        blank: (i32, i32),
        /// Origin of each tile that was moved, by its cell.
        moved: BTreeMap<(i32, i32), (i32, i32)>,
        /// The least and the largest row and column.
        rows: (i32, i32),
        cols: (i32, i32),
    }

    impl Path {
        fn with(&self, letter: char) -> Path {
            let mut path = self.clone();
            path.letters.push(letter);
            let (row, col) = self.blank;
            path.blank = match letter {
                'U' => (row - 1, col),
                'D' => (row + 1, col),
                'L' => (row, col - 1),
                _ => (row, col + 1),
            };
            let tile = path.moved.remove(&path.blank).unwrap_or(path.blank);
            if tile != self.blank {
                path.moved.insert(self.blank, tile);
            }
            let wider = |(least, most): (i32, i32), at: i32| (least.min(at), most.max(at));
            path.rows = wider(path.rows, path.blank.0);
            path.cols = wider(path.cols, path.blank.1);
            path
        }

        fn is_inside(&self, other: &Path) -> bool {
            let inside = |own: (i32, i32), all: (i32, i32)| all.0 <= own.0 && own.1 <= all.1;
            inside(self.rows, other.rows) && inside(self.cols, other.cols)
        }
    }

    /// Every duplicate of up to ten moves is found anew, by trying all paths, the shortest first.
    #[test]
    fn the_pruned_parts_are_those_that_another_path_makes_unnecessary() {
        let mut pruned: BTreeSet<String> = TAKEN_BACK.map(str::to_owned).into();
        let mut level = vec![Path::default()];
        let mut first = HashMap::new();
        for _ in 0..10 {
            let mut next = Vec::new();
            for path in &level {
                for letter in ['U', 'D', 'L', 'R'] {
                    let path = path.with(letter);
                    let ends = 0..path.letters.len();
                    if ends
                        .into_iter()
                        .any(|at| pruned.contains(&path.letters[at..]))
                    {
                        continue;
                    }
                    let known = first.entry((path.blank, path.moved.clone()));
                    let known: &Path = known.or_insert_with(|| path.clone());
                    if known.letters != path.letters && known.is_inside(&path) {
                        pruned.insert(path.letters);
                    } else {
                        next.push(path);
                    }
                }
            }
            level = next;
        }
        let mut listed: BTreeSet<String> = TAKEN_BACK.map(str::to_owned).into();
        listed.extend(
            include_str!("duplicates.txt")
                .split_whitespace()
                .map(str::to_owned),
        );
        assert_eq!(listed, pruned);
        for (length, count) in [(2, 4), (6, 4), (8, 32), (9, 4), (10, 296)] {
            let of_length = pruned.iter().filter(|path| path.len() == length);
            assert_eq!(of_length.count(), count, "{length}");
        }
    }

    #[test]
    fn a_machine_prunes_a_path_where_one_of_its_parts_ends() {
        let longer = include_str!("duplicates.txt").split_whitespace();
        let all: Vec<&str> = TAKEN_BACK.into_iter().chain(longer).collect();
        for (machine, parts) in [
            (PruningAutomaton::for_all(), &all[..TAKEN_BACK.len()]),
            (PruningAutomaton::for_one(), &all[..]),
        ] {
            let (mut random, mut state, mut path) = (1u64, 0, String::new());
            for _ in 0..200_000 {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let mv = Move::ALL[(random >> 62) as usize];
                path.push(mv.letter());
                let next = machine.after(state)[usize::from(mv.code())];
                let ends_a_part = parts.iter().any(|part| path.ends_with(part));
                assert_eq!(next == PRUNED, ends_a_part, "{path}");
                match next {
                    PRUNED => drop(path.pop()),
                    _ => state = next,
                }
            }
        }
    }
}
