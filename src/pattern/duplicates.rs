//! Finite-state machine that prunes paths of the blank which need not be followed.
//!
//! Two paths that move the same tiles in the same way lead to the same board, so one of them is enough (Taylor and
//! Korf, "Pruning Duplicate Nodes in Depth-First Search", 1993): the shorter one or, of equally long ones, the first
//! in the order of [`Move`], if it stays in the rectangle of cells that the other one visits and so is possible
//! wherever that is. The first of a board's shortest solutions has no part that is pruned.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::puzzle::Move;

/// State after a move that need not be made.
pub(super) const PRUNED: u16 = u16::MAX;

/// States by the moves that were made last; 0 is the one before the first move.
#[derive(Debug)]
pub(super) struct PruningAutomaton {
    /// The state after each move.
    after: Vec<[u16; 4]>,
}

/// The machine for a search of all solutions: prunes the moves that take the one before back.
pub(super) static BACK: LazyLock<PruningAutomaton> =
    LazyLock::new(|| PruningAutomaton::new(TAKEN_BACK));

/// The machine for a search of one solution: prunes all duplicates of up to ten moves, 4 parts of six moves, 32 of eight,
/// 4 of nine and 296 of ten.
pub(super) static DUPLICATES: LazyLock<PruningAutomaton> = LazyLock::new(|| {
    let longer = include_str!("duplicates.txt").split_whitespace();
    PruningAutomaton::new(TAKEN_BACK.into_iter().chain(longer))
});

const TAKEN_BACK: [&str; 4] = ["UD", "DU", "LR", "RL"];

impl PruningAutomaton {
    /// Returns the machine that prunes the last move of each of these paths, none of which has another as a part (Aho and
    /// Corasick, 1975). Its states are the beginnings of the paths; after a move the longest end of the moves so far
    /// counts that is one of them.
    fn new<'a>(pruned: impl IntoIterator<Item = &'a str>) -> PruningAutomaton {
        let (mut states, mut beginnings) = (FxHashMap::default(), Vec::new());
        for path in pruned {
            for end in 0..path.len() {
                states.entry(&path[..end]).or_insert_with(|| {
                    beginnings.push(&path[..end]);
                    beginnings.len() as u16 - 1
                });
            }
            states.insert(path, PRUNED);
        }
        let after = |path: &&str, mv: Move| {
            let longer = format!("{path}{}", mv.letter());
            let mut ends = (0..=longer.len()).map(|start| &longer[start..]);
            let state = ends.find_map(|end| states.get(end).copied());
            state.expect("the empty path is a state")
        };
        let after = |path| Move::ALL.map(|mv| after(path, mv));
        PruningAutomaton {
            after: beginnings.iter().map(after).collect(),
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
        for (machine, parts) in [(&*BACK, &all[..TAKEN_BACK.len()]), (&*DUPLICATES, &all[..])] {
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
