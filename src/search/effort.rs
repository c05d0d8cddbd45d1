//! How many states must a correct search expand, and how many may it?
//!
//! **What is counted.** An expansion is the making of a state's successors, each time it happens.
//! The goal is not expanded: a search that counts it reports 1 more than these bounds. The
//! heuristic must be consistent, as then no order of equals can make a difference to the bounds.
//! With d the distance of the board and g(s) that of a state s from the board:
//!
//! * Uniform cost and A* that look for the goal among the states they take from the queue and keep
//!   an expanded list, and f(s) = g(s) + h(s) (h = 0 for uniform cost): every state with f < d is
//!   expanded once, none with f > d, and of those with f = d as many as the order of ties
//!   decides: at least those at the end of the way to the goal, at most all but the goal. Every number
//!   between is possible.
//! * Breadth-first search that looks for the goal among the successors it makes, and keeps a list: all
//!   states with g < d - 1, and of those with g = d - 1 at least the one that meets the goal, at most
//!   all but the other neighbours of the goal.
//! * IDA* that drops a successor only if it takes back the last move: the nodes of its trees, states that
//!   several ways lead to counted as often. All trees with a threshold below d are gone
//!   through whole; of the last tree at least the d states on a way to the goal.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;
use utoipa::ToSchema;

use crate::oracle::{Oracle, OracleError, QueryError};
use crate::puzzle::{Board, Move};
use crate::space::{Ranking, State, StateIndex};

use super::Algorithm;
use super::heuristic::BoardHeuristic;

/// The largest spaces that are gone through.
const MOST_STATES: u64 = 4_000_000;

/// The expansions that a correct search of a board can report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Effort {
    /// The board's distance.
    pub distance: u8,
    /// States that there are.
    pub states: u64,
    /// Expansions that every order of ties makes.
    pub certain: u64,
    /// The fewest expansions.
    pub least: u64,
    /// The most expansions.
    pub most: u64,
    /// Does the search expand a state once at most?
    pub once: bool,
}

/// Why a number of expansions cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// More expansions than states, by a search that expands a state once at most.
    #[error("only {states} states exist, and a correct search expands none of them twice")]
    MoreThanExist {
        /// States that there are.
        states: u64,
    },
    /// More than the most.
    #[error(
        "{most} is the most: no other state has f <= {distance}, the length of a shortest solution"
    )]
    TooMany {
        /// The most expansions.
        most: u64,
        /// The board's distance.
        distance: u8,
    },
    /// Fewer than the least.
    #[error("{least} is the least: {certain} expansions are certain, because f is less than {distance}, the length of a shortest solution, and the way to the goal needs {} more", least - certain)]
    TooFew {
        /// The fewest expansions.
        least: u64,
        /// Expansions that every order of ties makes.
        certain: u64,
        /// The board's distance.
        distance: u8,
    },
}

impl Effort {
    /// Can a correct search report this number of expansions?
    ///
    /// # Errors
    /// [`Impossible`] tells why not.
    pub fn judge(&self, expanded: u64) -> Result<(), Impossible> {
        let &Effort {
            states,
            most,
            least,
            certain,
            distance,
            ..
        } = self;
        if self.once && expanded > states {
            Err(Impossible::MoreThanExist { states })
        } else if expanded > most {
            Err(Impossible::TooMany { most, distance })
        } else if expanded < least {
            Err(Impossible::TooFew {
                least,
                certain,
                distance,
            })
        } else {
            Ok(())
        }
    }
}

/// Why there are no bounds.
#[derive(Debug, thiserror::Error)]
pub enum EffortError {
    /// There are none for this algorithm.
    #[error("there are bounds for ucs, astar, idastar and bfs, not for {0}")]
    Algorithm(Algorithm),
    /// Too many states to go through.
    #[error("the bounds are found by going through all states: {states} of them are too many")]
    TooLarge {
        /// States that there are.
        states: u64,
    },
    /// The heuristic is not consistent.
    #[error(
        "the heuristic is not consistent (from {from} to {to} it falls by more than 1), so a correct search may expand states again, and there are no bounds"
    )]
    Inconsistent {
        /// A board.
        from: Board,
        /// The board after a move.
        to: Board,
    },
    /// The heuristic is not 0 at the goal.
    #[error("the heuristic is not 0 at the goal, so it is no estimate of the distance")]
    GoalValue,
    /// The board has no distance.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The distances from the board could not be found.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

/// The bounds for a board, an algorithm (uniform cost, A*, IDA* or breadth-first) and a consistent
/// heuristic for the oracle's goal; breadth-first and uniform cost ask none.
///
/// ```
/// use puzzledb::oracle::Oracle;
/// use puzzledb::search::{Algorithm, BoardHeuristic, effort};
///
/// let oracle = Oracle::in_memory(&"123456780".parse()?)?;
/// let manhattan = BoardHeuristic::new(&"manhattan".parse()?, oracle.goal())?;
/// let effort = effort(&oracle, &"638541720".parse()?, Algorithm::AStar, &manhattan)?;
/// assert_eq!((effort.certain, effort.most), (3902, 9788));
/// assert!(effort.judge(3_010_477).is_err()); // more than exist
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EffortError`]
pub fn effort<B: AsRef<[u8]> + Sync>(
    oracle: &Oracle<B>,
    board: &Board,
    algorithm: Algorithm,
    heuristic: &BoardHeuristic,
) -> Result<Effort, EffortError> {
    let states = oracle.table().header().states();
    if states > MOST_STATES {
        return Err(EffortError::TooLarge { states });
    }
    let view = View::new(oracle, board, heuristic)?;
    let informed = matches!(algorithm, Algorithm::AStar | Algorithm::IdaStar);
    if informed {
        view.check_consistency()?;
    }
    let bounds = match algorithm {
        Algorithm::AStar | Algorithm::UniformCost => view.best_first(informed)?,
        Algorithm::BreadthFirst => view.breadth_first()?,
        Algorithm::IdaStar => view.ida_star(),
        other => return Err(EffortError::Algorithm(other)),
    };
    Ok(Effort {
        distance: view.distance,
        states,
        certain: bounds.certain,
        least: bounds.least,
        most: bounds.most,
        once: algorithm != Algorithm::IdaStar,
    })
}

struct Bounds {
    certain: u64,
    least: u64,
    most: u64,
}

/// All states as they lie between a board and the goal.
struct View<'a, B> {
    oracle: &'a Oracle<B>,
    start: StateIndex,
    distance: u8,
    /// By state index: the distance from the board.
    from_start: Vec<u8>,
    /// By state index: the heuristic, in units.
    values: Vec<u32>,
    unit: u32,
}

impl<'a, B: AsRef<[u8]> + Sync> View<'a, B> {
    fn new(
        oracle: &'a Oracle<B>,
        board: &Board,
        heuristic: &BoardHeuristic,
    ) -> Result<View<'a, B>, EffortError> {
        let distance = oracle.distance(board)?;
        let start = oracle.rank(board).map_err(QueryError::from)?;
        // Moves can be taken back, so distances from the board are distances to it.
        let back = Oracle::in_memory(board)?;
        let states = oracle.table().header().states();
        let look = |index| {
            let board = oracle.unrank(StateIndex(index));
            Ok((back.distance(&board)?, heuristic.of_tiles(board.tiles())))
        };
        let looked: Result<Vec<_>, QueryError> = (0..states).into_par_iter().map(look).collect();
        let (from_start, values) = looked?.into_iter().unzip();
        Ok(View {
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

    fn check_consistency(&self) -> Result<(), EffortError> {
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

    /// f, in units.
    fn f(&self, index: usize, informed: bool) -> u64 {
        let g = u64::from(self.from_start[index]) * u64::from(self.unit);
        g + u64::from(informed) * u64::from(self.values[index])
    }

    fn best_first(&self, informed: bool) -> Result<Bounds, EffortError> {
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

    /// The fewest states with f = `cost` on a shortest way to the goal, the goal left out.
    ///
    /// The ways are followed level by level from the board; only states on shortest ways are
    /// visited.
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

    fn breadth_first(&self) -> Result<Bounds, EffortError> {
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

    /// Counts the ways by which IDA* comes to states, by their f.
    ///
    /// With a consistent heuristic f never falls along a way, so a node is in the tree of a
    /// threshold if its own f is not above it, and the thresholds are the values of f that occur.
    fn ida_star(&self) -> Bounds {
        let cost = u64::from(self.distance) * u64::from(self.unit);
        let mut nodes = BTreeMap::<u64, u64>::new();
        // Ways by the state they end in and the last move, level by level.
        let start = self.start.0 as usize;
        let mut level = FxHashMap::<(usize, Option<Move>), u64>::from_iter([((start, None), 1)]);
        for g in 0.. {
            let mut next = FxHashMap::default();
            for (&(index, last), &ways) in &level {
                let f = g * u64::from(self.unit) + u64::from(self.values[index]);
                if f > cost {
                    continue;
                }
                if index == self.goal() {
                    continue;
                }
                *nodes.entry(f).or_default() += ways;
                for (mv, neighbour) in self.neighbours(index) {
                    if last != Some(mv.opposite()) {
                        *next.entry((neighbour, Some(mv))).or_default() += ways;
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        let (mut tree, mut certain) = (0, 0);
        for (&f, &ways) in &nodes {
            tree += ways;
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
