//! The distances and estimates of all states, and the bounds that follow from them.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};
use crate::search::heuristic::BoardHeuristic;
use crate::space::{Ranking, State, StateIndex};

use super::error::EffortError;

/// The bounds on the number of expansions. `certain` counts those that every tie-breaking makes.
pub(super) struct Bounds {
    pub certain: u64,
    pub least: u64,
    pub most: u64,
}

/// Every state's distance from a board and estimate of its distance to the goal.
pub(super) struct StateSpace<'a, B> {
    oracle: &'a Oracle<B>,
    start: StateIndex,
    pub distance: u8,
    /// By state index: the distance from the board.
    from_start: Vec<u8>,
    /// By state index: the heuristic, in units.
    values: Vec<u32>,
    unit: u32,
}

impl<'a, B: AsRef<[u8]> + Send + Sync> StateSpace<'a, B> {
    pub(super) fn new(
        oracle: &'a Oracle<B>,
        board: &Board,
        heuristic: &BoardHeuristic,
    ) -> Result<StateSpace<'a, B>, EffortError> {
        let distance = oracle.distance(board)?;
        let start = oracle.rank(board).map_err(QueryError::from)?;
        // Every move has an inverse, so distances from the board are distances to it.
        let to_board = Oracle::in_memory(board)?;
        let states = oracle.table().header().states();
        let values_of = |index| {
            let board = oracle.unrank(StateIndex(index));
            Ok((
                to_board.distance(&board)?,
                heuristic.of_tiles(board.tiles()),
            ))
        };
        let values: Result<Vec<_>, QueryError> =
            (0..states).into_par_iter().map(values_of).collect();
        let (from_start, values) = values?.into_iter().unzip();
        Ok(StateSpace {
            oracle,
            start,
            distance,
            from_start,
            values,
            unit: heuristic.unit(),
        })
    }

    fn ranking(&self) -> &Ranking {
        self.oracle.table().ranking()
    }

    fn goal(&self) -> usize {
        self.index(self.ranking().goal())
    }

    fn index(&self, state: State) -> usize {
        self.ranking().index(state).0 as usize
    }

    fn neighbours(&self, index: usize) -> impl Iterator<Item = (Move, usize)> {
        let state = self.ranking().state(StateIndex(index as u64));
        Move::ALL.into_iter().filter_map(move |mv| {
            let next = self.ranking().step(state, mv)?;
            Some((mv, self.index(next)))
        })
    }

    /// Fails unless the heuristic is 0 at the goal and falls by at most 1 with every move.
    pub(super) fn check_consistency(&self) -> Result<(), EffortError> {
        if self.values[self.goal()] != 0 {
            return Err(EffortError::GoalValue);
        }
        for from in 0..self.values.len() {
            for (_, to) in self.neighbours(from) {
                if self.values[from] > self.unit + self.values[to] {
                    let board = |index: usize| self.oracle.unrank(StateIndex(index as u64));
                    let (from, to) = (board(from), board(to));
                    return Err(EffortError::Inconsistent { from, to });
                }
            }
        }
        Ok(())
    }

    /// `f = g + h`, in units; h = 0 for an uninformed search.
    fn f(&self, index: usize, informed: bool) -> u64 {
        let g = u64::from(self.from_start[index]) * u64::from(self.unit);
        g + u64::from(informed) * u64::from(self.values[index])
    }

    /// The bounds for uniform-cost search or A*.
    pub(super) fn best_first(&self, informed: bool) -> Result<Bounds, EffortError> {
        let cost = u64::from(self.distance) * u64::from(self.unit);
        let below = (0..self.values.len()).filter(|&i| self.f(i, informed) < cost);
        let equal = (0..self.values.len()).filter(|&i| self.f(i, informed) == cost);
        let certain = below.count() as u64;
        Ok(Bounds {
            certain,
            least: certain + self.fewest_ties(cost, informed)?,
            most: certain + equal.count() as u64 - 1, // the goal itself
        })
    }

    /// The fewest states with f = `cost` on any shortest path to the goal, the goal left out.
    ///
    /// Goes from the board to the goal level by level, through the states on shortest paths only.
    fn fewest_ties(&self, cost: u64, informed: bool) -> Result<u64, EffortError> {
        let is_tie = |index: usize| u64::from(self.f(index, informed) == cost);
        let start = self.start.0 as usize;
        let mut level = BTreeMap::from([(start, is_tie(start))]);
        for to_go in (0..self.distance).rev() {
            let mut next = BTreeMap::new();
            for (&index, &ties) in &level {
                for (_, neighbour) in self.neighbours(index) {
                    let board = self.oracle.unrank(StateIndex(neighbour as u64));
                    if self.oracle.distance(&board)? == to_go {
                        let ties = ties + is_tie(neighbour);
                        let fewest = next.entry(neighbour).or_insert(ties);
                        *fewest = ties.min(*fewest);
                    }
                }
            }
            level = next;
        }
        let ties = level.values().copied().min().unwrap_or(0);
        Ok(ties - is_tie(self.goal()))
    }

    /// The bounds for breadth-first search.
    pub(super) fn breadth_first(&self) -> Result<Bounds, EffortError> {
        let Some(last) = self.distance.checked_sub(1) else {
            return Ok(Bounds {
                certain: 0,
                least: 0,
                most: 0,
            });
        };
        let at = |index: &usize, g: u8| self.from_start[*index] == g;
        let certain = self.from_start.iter().filter(|&&g| g < last).count() as u64;
        let level = (0..self.values.len()).filter(|i| at(i, last)).count() as u64;
        let neighbours = self.neighbours(self.goal());
        let meeting = neighbours.filter(|(_, i)| at(i, last)).count() as u64;
        Ok(Bounds {
            certain,
            least: certain + 1,
            most: certain + level - meeting + 1,
        })
    }

    /// The bounds for IDA*, by counting the nodes of its trees by their f.
    ///
    /// A node is a path without a move and its inverse in succession. With a consistent heuristic
    /// f never falls along a path, so a node is in the tree of a threshold if its f is not above
    /// it, and the thresholds are the values of f that occur.
    pub(super) fn ida_star(&self) -> Bounds {
        let cost = u64::from(self.distance) * u64::from(self.unit);
        let mut nodes = BTreeMap::<u64, u64>::new();
        // The number of paths by their last state and last move, level by level.
        let start = self.start.0 as usize;
        let mut level = FxHashMap::<(usize, Option<Move>), u64>::from_iter([((start, None), 1)]);
        for g in 0.. {
            let mut next = FxHashMap::default();
            for (&(index, last), &paths) in &level {
                let f = g * u64::from(self.unit) + u64::from(self.values[index]);
                if f > cost {
                    continue;
                }
                if index == self.goal() {
                    continue;
                }
                *nodes.entry(f).or_default() += paths;
                for (mv, neighbour) in self.neighbours(index) {
                    if last != Some(mv.opposite()) {
                        *next.entry((neighbour, Some(mv))).or_default() += paths;
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        let (mut tree, mut certain) = (0, 0);
        for (&f, &count) in &nodes {
            tree += count;
            if f < cost {
                certain += tree;
            }
        }
        Bounds {
            certain,
            least: certain + u64::from(self.distance),
            most: certain + tree,
        }
    }
}
