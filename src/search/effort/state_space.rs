//! The boards of a space as the searches for its goal value them, and the expansions that follow from them.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::basics::parallel::{each, runs};
use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move};
use crate::search::algorithm::Algorithm;
use crate::search::heuristic::BoardHeuristic;
use crate::space::{Space, State, StateIndex};

use super::{Effort, EffortError, GoalTest};

/// Most states of a space that is searched.
const MOST_STATES: u64 = 4_000_000;

/// States between two checks of the oracle's flag.
const CHECK_INTERVAL: u64 = 1 << 12;

/// A distance that is not known yet.
const UNREACHED: u8 = u8::MAX;

/// The work that the bounds of all boards share: the estimates of all states for one goal and one algorithm.
///
/// ```
/// use puzzledb::Oracle;
/// use puzzledb::search::{Algorithm, BoardHeuristic, Efforts, GoalTest};
///
/// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
/// let manhattan = BoardHeuristic::new(&"manhattan".parse()?, oracle.goal())?;
/// let efforts = Efforts::new(&oracle, Algorithm::AStar, &manhattan)?;
/// let effort = efforts.of(&"638541720".parse()?, GoalTest::Late)?;
/// assert_eq!((effort.certain, effort.most), (3902, 9788));
/// assert!(effort.judge(3_010_477).is_err()); // more than exist
/// assert_eq!(efforts.of(&"536407182".parse()?, GoalTest::Late)?.most, 1506);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Efforts {
    oracle: Oracle,
    /// Oracles of other goals come from it, with tables in memory that are of no other use.
    of_boards: Oracle,
    space: Space,
    algorithm: Algorithm,
    /// Values of the heuristic in units, by state index. Empty if the algorithm uses none.
    values: Vec<u32>,
    unit: u64,
}

/// The number of expansions with each f, in units.
type CountsByF = BTreeMap<u64, u64>;

impl Efforts {
    /// Computes the estimates of all states for uniform cost, A*, IDA* or breadth-first search, and a consistent heuristic
    /// for the oracle's goal; breadth-first search and uniform cost use none.
    ///
    /// # Errors
    /// [`EffortError`] if the bounds are not known for the algorithm, or the heuristic is not consistent;
    /// [`QueryError::Cancelled`] within it, if the [flag of the oracle](Oracle::with_cancel) is set.
    pub fn new(
        oracle: &Oracle,
        algorithm: Algorithm,
        heuristic: &BoardHeuristic,
    ) -> Result<Efforts, EffortError> {
        let space = oracle.space()?;
        let states = space.ranking().states();
        if states > MOST_STATES {
            return Err(EffortError::TooLarge { states });
        }
        let is_informed = match algorithm {
            Algorithm::AStar | Algorithm::IdaStar => true,
            Algorithm::BreadthFirst | Algorithm::UniformCost => false,
            other => return Err(EffortError::Algorithm(other)),
        };
        let values = |run: Range<u64>| {
            oracle.cancel.check()?;
            let value = |index| heuristic.of_tiles(space.unrank(StateIndex(index)).tiles());
            Ok(run.map(value).collect())
        };
        let valued = runs(if is_informed { states } else { 0 });
        let values = each(valued, values).into_iter();
        let values: Result<Vec<Vec<u32>>, QueryError> = values.collect();
        let efforts = Efforts {
            values: values?.concat(),
            unit: heuristic.unit().into(),
            of_boards: Oracle::for_goal_unless(oracle.goal(), &oracle.cancel)?,
            oracle: oracle.clone(),
            algorithm,
            space,
        };
        efforts.check_consistency()?;
        Ok(efforts)
    }

    /// Returns the bounds for a board and the time of the goal test: [`GoalTest::usual`] is that of the textbooks.
    ///
    /// # Errors
    /// [`EffortError::Query`] if the board has no distance, or the flag of the oracle is set.
    pub fn of(&self, board: &Board, goal_test: GoalTest) -> Result<Effort, EffortError> {
        let distance = self.oracle.distance(board)?;
        let bounds = match distance {
            0 => [(0, 0, 0); 2],
            _ => self.bounds(board, distance)?,
        };
        let of = |test: GoalTest| bounds[test as usize];
        let ((certain, least, most), other) = (of(goal_test), of(goal_test.other()));
        Ok(Effort {
            distance,
            states: self.space.ranking().states(),
            certain,
            least,
            most,
            algorithm: self.algorithm,
            goal_test,
            with_other_test: (other.1, other.2),
        })
    }

    fn goal_index(&self) -> usize {
        self.index(self.space.ranking().goal())
    }

    fn index(&self, state: State) -> usize {
        self.space.ranking().index(state).0 as usize
    }

    fn board(&self, index: usize) -> Board {
        self.space.unrank(StateIndex(index as u64))
    }

    fn neighbours(&self, index: usize) -> impl Iterator<Item = (Move, usize)> {
        let ranking = self.space.ranking();
        let state = ranking.state(StateIndex(index as u64));
        let next = move |mv| Some((mv, self.index(ranking.step(state, mv)?)));
        Move::ALL.into_iter().filter_map(next)
    }

    /// Fails if the work was cancelled. `number` counts states: the flag is checked once in [`CHECK_INTERVAL`] of them.
    fn check_flag(&self, number: usize) -> Result<(), QueryError> {
        if (number as u64).is_multiple_of(CHECK_INTERVAL) {
            self.oracle.cancel.check()?;
        }
        Ok(())
    }

    /// Fails unless the heuristic is 0 at the goal and falls by at most 1 with every move.
    fn check_consistency(&self) -> Result<(), EffortError> {
        if self.f(self.goal_index(), 0) != 0 {
            return Err(EffortError::GoalValue);
        }
        for from in 0..self.values.len() {
            self.check_flag(from)?;
            for (_, to) in self.neighbours(from) {
                if self.f(from, 0) > self.f(to, 1) {
                    let (from, to) = (self.board(from), self.board(to));
                    return Err(EffortError::Inconsistent { from, to });
                }
            }
        }
        Ok(())
    }

    /// Returns `f = g + h`, in units; h = 0 for an uninformed search.
    #[inline]
    fn f(&self, index: usize, g: u8) -> u64 {
        let h = self.values.get(index).copied().unwrap_or(0);
        u64::from(g) * self.unit + u64::from(h)
    }

    /// Returns by goal test the expansions of every order of ties of a search of a board, the fewest and the most. The board
    /// is at least 1 move from the goal.
    ///
    /// The search stops among the expansions with the f of the goal if that is tested late, and with the least f of its
    /// neighbours on shortest paths if it is tested early.
    fn bounds(&self, board: &Board, distance: u8) -> Result<[(u64, u64, u64); 2], EffortError> {
        // Every move has an inverse, so distances from the board are distances to it.
        let to_board = self.of_boards.with_goal(board)?;
        // The least f of a neighbour of the goal on a shortest path, and the number of such neighbours with that f.
        let (mut parent, mut parents) = (u64::MAX, 0);
        for (_, index) in self.neighbours(self.goal_index()) {
            let f = self.f(index, distance - 1);
            if f <= parent && to_board.distance(&self.board(index))? + 1 == distance {
                parents = 1 + if f == parent { parents } else { 0 };
                parent = f;
            }
        }
        let start = self.space.rank(board).map_err(QueryError::from)?.0 as usize;
        let late = u64::from(distance) * self.unit;
        let (by_f, from_board): (CountsByF, _) = if self.values.is_empty() {
            // The states at each distance from a board are those of its class.
            let rows = to_board.stats()?.histogram.into_iter();
            let levels = rows.map(|row| {
                let without_goal = row.states - u64::from(row.distance == distance);
                (u64::from(row.distance) * self.unit, without_goal)
            });
            (levels.collect(), Vec::new())
        } else {
            self.reach(start, distance)?
        };
        // With an early test an uninformed search expands one of the goal's neighbours, and none of them after it.
        let tests = [(parent, 1, u64::saturating_sub(parents, 1)), (late, 0, 0)];
        Ok(tests.map(|(last, fewest, left)| {
            let equal = by_f.get(&last).copied().unwrap_or(0);
            let below = by_f.range(..last).map(|(_, count)| count);
            if self.algorithm == Algorithm::IdaStar {
                // All trees with a threshold below the last are expanded whole.
                let add = |(tree, trees), count| (tree + count, trees + tree + count);
                let (tree, certain) = below.fold((0, 0), add);
                let least = certain + u64::from(distance);
                return (certain, least, certain + tree + equal);
            }
            let certain: u64 = below.sum();
            let fewest = match self.algorithm {
                Algorithm::AStar => self.fewest_ties(distance, &from_board, last),
                _ => fewest,
            };
            (certain, certain + fewest, certain + equal - left)
        }))
    }

    /// Counts by f, up to d, the states without the goal, or for IDA* the nodes of a tree without a threshold: paths
    /// without a move and its inverse in succession. Finds the moves to each state.
    ///
    /// With a consistent heuristic f never falls along a path. So all shortest paths to these states lie among them, a
    /// node is in the tree of a threshold if its f is not above it, and the thresholds are the values of f that occur.
    fn reach(&self, start: usize, distance: u8) -> Result<(CountsByF, Vec<u8>), QueryError> {
        let last = u64::from(distance) * self.unit;
        let (is_tree, goal) = (self.algorithm == Algorithm::IdaStar, self.goal_index());
        let mut from_board = vec![UNREACHED; self.values.len()];
        from_board[start] = 0;
        let mut by_f = FxHashMap::<u64, u64>::default();
        // The last state of paths, in a tree the move back, and the number of such paths, level by level.
        let mut level = vec![((start, None), 1)];
        for g in 0..=distance {
            let mut next = Vec::new();
            for (i, ((index, back), paths)) in level.into_iter().enumerate() {
                self.check_flag(i)?;
                *by_f.entry(self.f(index, g)).or_default() += paths;
                for (mv, to) in self.neighbours(index) {
                    let is_next = match is_tree {
                        true => back != Some(mv),
                        false => from_board[to] == UNREACHED,
                    };
                    if is_next && to != goal && self.f(to, g + 1) <= last {
                        from_board[to] = from_board[to].min(g + 1);
                        next.push(((to, is_tree.then(|| mv.opposite())), paths));
                    }
                }
            }
            if is_tree {
                next.sort_unstable_by_key(|&(key, _)| key);
                next.dedup_by(|&mut (key, paths), kept| {
                    let is_same = key == kept.0;
                    kept.1 += if is_same { paths } else { 0 };
                    is_same
                });
            }
            level = next;
        }
        Ok((by_f.into_iter().collect(), from_board))
    }

    /// Returns the fewest states with f = `last` on a shortest path to the goal on which none before the goal
    /// has a larger f. The goal is left out.
    ///
    /// Goes from the goal to the board level by level, through the states on shortest paths only.
    fn fewest_ties(&self, distance: u8, from_board: &[u8], last: u64) -> u64 {
        let mut level = FxHashMap::from_iter([(self.goal_index(), 0)]);
        for g in (0..distance).rev() {
            let mut next = FxHashMap::default();
            for (&index, &ties) in &level {
                for (_, neighbour) in self.neighbours(index) {
                    let f = self.f(neighbour, g);
                    if from_board[neighbour] == g && f <= last {
                        let ties = ties + u64::from(f == last);
                        let fewest = next.entry(neighbour).or_insert(ties);
                        *fewest = ties.min(*fewest);
                    }
                }
            }
            level = next;
        }
        level.values().copied().min().unwrap_or(0)
    }
}
