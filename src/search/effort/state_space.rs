//! The distances and estimates of all states, and the bounds that follow from them.

use std::collections::BTreeMap;

use crate::basics::parallel::prelude::*;
use rustc_hash::FxHashMap;

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};
use crate::search::heuristic::BoardHeuristic;
use crate::space::{Ranking, Space, State, StateIndex};

use super::error::EffortError;
use super::goal_test::GoalTest;

/// States between two checks of the oracle's flag.
const CHECK_INTERVAL: u64 = 1 << 12;

/// The bounds on the number of expansions. `certain` counts those that every tie-breaking makes.
#[derive(Default)]
pub(super) struct Bounds {
    pub certain: u64,
    pub least: u64,
    pub most: u64,
}

/// Every state's distance from a board and estimate of its distance to the goal.
pub(super) struct StateSpace<'a> {
    oracle: &'a Oracle,
    space: Space,
    start: StateIndex,
    pub distance: u8,
    /// Distances from the board, by state index.
    from_start: Vec<u8>,
    /// Values of the heuristic in units, by state index.
    values: Vec<u32>,
    unit: u32,
}

impl<'a> StateSpace<'a> {
    pub(super) fn new(
        oracle: &'a Oracle,
        board: &Board,
        heuristic: Option<&BoardHeuristic>,
    ) -> Result<StateSpace<'a>, EffortError> {
        let distance = oracle.distance(board)?;
        let space = oracle.space()?;
        let start = space.rank(board).map_err(QueryError::from)?;
        // Every move has an inverse, so distances from the board are distances to it.
        let to_board = Oracle::for_goal(board)?;
        let states = space.ranking().states();
        let values_of = |index: u64| {
            if index.is_multiple_of(CHECK_INTERVAL) {
                oracle.cancel.check()?;
            }
            let board = space.unrank(StateIndex(index));
            let h = heuristic.map_or(0, |heuristic| heuristic.of_tiles(board.tiles()));
            Ok((to_board.distance(&board)?, h))
        };
        let values: Result<Vec<_>, QueryError> =
            (0..states).into_par_iter().map(values_of).collect();
        let (from_start, values) = values?.into_iter().unzip();
        Ok(StateSpace {
            oracle,
            space,
            start,
            distance,
            from_start,
            values,
            unit: heuristic.map_or(1, BoardHeuristic::unit),
        })
    }

    fn ranking(&self) -> &Ranking {
        self.space.ranking()
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

    /// Fails if the work was cancelled. `number` counts states: the flag is checked once in [`CHECK_INTERVAL`] of them.
    fn check_flag(&self, number: usize) -> Result<(), QueryError> {
        if (number as u64).is_multiple_of(CHECK_INTERVAL) {
            self.oracle.cancel.check()?;
        }
        Ok(())
    }

    /// Fails unless the heuristic is 0 at the goal and falls by at most 1 with every move.
    pub(super) fn check_consistency(&self) -> Result<(), EffortError> {
        if self.values[self.goal()] != 0 {
            return Err(EffortError::GoalValue);
        }
        for from in 0..self.values.len() {
            self.check_flag(from)?;
            for (_, to) in self.neighbours(from) {
                if self.values[from] > self.unit + self.values[to] {
                    let board = |index: usize| self.space.unrank(StateIndex(index as u64));
                    let (from, to) = (board(from), board(to));
                    return Err(EffortError::Inconsistent { from, to });
                }
            }
        }
        Ok(())
    }

    /// Returns `f = g + h`, in units.
    fn f(&self, index: usize) -> u64 {
        u64::from(self.from_start[index]) * u64::from(self.unit) + u64::from(self.values[index])
    }

    /// Returns the neighbours of the goal on shortest paths: a search that tests the goal early stops when
    /// it expands the first of them.
    fn parents_of_goal(&self) -> impl Iterator<Item = usize> {
        let neighbours = self.neighbours(self.goal()).map(|(_, index)| index);
        neighbours.filter(|&index| self.from_start[index] + 1 == self.distance)
    }

    /// Returns the f, in units, of the expansions during which the search stops: that of the goal if the goal
    /// is tested late, and the least f of its parents if it is tested early. `None` if the board
    /// is the goal.
    fn last_f(&self, goal_test: GoalTest) -> Option<u64> {
        let parents = self.parents_of_goal().map(|i| self.f(i)).min()?;
        Some(match goal_test {
            GoalTest::Early => parents,
            GoalTest::Late => self.f(self.goal()),
        })
    }

    /// Returns the bounds for breadth-first search, uniform-cost search or A*.
    pub(super) fn best_first(&self, goal_test: GoalTest) -> Result<Bounds, EffortError> {
        let Some(last) = self.last_f(goal_test) else {
            return Ok(Bounds::default());
        };
        let (mut certain, mut equal) = (0, 0);
        for index in (0..self.values.len()).filter(|&i| i != self.goal()) {
            let f = self.f(index);
            certain += u64::from(f < last);
            equal += u64::from(f == last);
        }
        let parents = self.parents_of_goal().filter(|&i| self.f(i) == last);
        let most = match goal_test {
            GoalTest::Early => equal - parents.count() as u64 + 1,
            GoalTest::Late => equal,
        };
        Ok(Bounds {
            certain,
            least: certain + self.fewest_ties(last)?,
            most: certain + most,
        })
    }

    /// Returns the fewest states with f = `last` on a shortest path to the goal on which none before the goal
    /// has a larger f. The goal is left out.
    ///
    /// Goes from the board to the goal level by level, through the states on shortest paths only.
    fn fewest_ties(&self, last: u64) -> Result<u64, EffortError> {
        let goal = self.goal();
        let is_tie = |index: usize| u64::from(index != goal && self.f(index) == last);
        let start = self.start.0 as usize;
        let mut level = BTreeMap::from([(start, is_tie(start))]);
        for to_go in (0..self.distance).rev() {
            let mut next = BTreeMap::new();
            self.check_flag(0)?;
            for (&index, &ties) in &level {
                for (_, neighbour) in self.neighbours(index) {
                    let board = self.space.unrank(StateIndex(neighbour as u64));
                    let is_expanded = neighbour == goal || self.f(neighbour) <= last;
                    if is_expanded && self.oracle.distance(&board)? == to_go {
                        let ties = ties + is_tie(neighbour);
                        let fewest = next.entry(neighbour).or_insert(ties);
                        *fewest = ties.min(*fewest);
                    }
                }
            }
            level = next;
        }
        Ok(level.values().copied().min().unwrap_or(0))
    }

    /// Returns the bounds for IDA*, by counting the nodes of its trees by their f.
    ///
    /// A node is a path without a move and its inverse in succession. With a consistent heuristic
    /// f never falls along a path, so a node is in the tree of a threshold if its f is not above
    /// it, and the thresholds are the values of f that occur.
    pub(super) fn ida_star(&self, goal_test: GoalTest) -> Result<Bounds, EffortError> {
        let Some(last_f) = self.last_f(goal_test) else {
            return Ok(Bounds::default());
        };
        let mut nodes = BTreeMap::<u64, u64>::new();
        // The number of paths by their last state and last move, level by level.
        let start = self.start.0 as usize;
        let mut level = FxHashMap::<(usize, Option<Move>), u64>::from_iter([((start, None), 1)]);
        for g in 0.. {
            let mut next = FxHashMap::default();
            for (i, (&(index, last), &paths)) in level.iter().enumerate() {
                self.check_flag(i)?;
                let f = g * u64::from(self.unit) + u64::from(self.values[index]);
                if f > last_f || index == self.goal() {
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
            if f < last_f {
                certain += tree;
            }
        }
        Ok(Bounds {
            certain,
            least: certain + u64::from(self.distance),
            most: certain + tree,
        })
    }
}
