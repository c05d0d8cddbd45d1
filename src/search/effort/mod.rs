//! Bounds on the number of states that a correct search expands.
//!
//! **Counting.** An expansion is the making of a state's successors, each time it happens. The goal is not expanded: a
//! search that counts it reports 1 more than these bounds. The heuristic must be consistent, as then no order of equals
//! can make a difference to the bounds. With d the distance of the board and g(s) that of a state s from the board:
//!
//! * Uniform cost and A* that test the goal late, when they take a state from the queue, and keep
//!   an expanded list, and f(s) = g(s) + h(s) (h = 0 for uniform cost): every state with f < d is
//!   expanded once, none with f > d, and of those with f = d as many as the order of ties
//!   decides: at least those at the end of the way to the goal, at most all but the goal. Every
//!   number between is possible, so this range is exact.
//! * Breadth-first search that tests the goal early, among the successors it makes, and keeps a list:
//!   all states with g < d - 1, and of those with g = d - 1 at least the one that meets the goal, at
//!   most all but the goal's other neighbours. No search leaves this range, but not every number in
//!   it need be reached by some order of moves.
//! * IDA* that drops a successor only if it takes back the last move, and tests the goal late: the
//!   nodes of its trees, a state with several paths counted once for each. All trees with a
//!   threshold below d are expanded whole; of the last tree at least the d states on a path to the
//!   goal are, and at most all. This range, too, is safe and not always reached.
//!
//! Each of them can also test the goal at the other time. Breadth-first search with a late test has
//! the bounds of uniform cost: all states with g < d, and any number of the others with g = d. With an
//! early test a search stops when it expands the first neighbour of the goal with g = d - 1, so the least f of
//! these neighbours takes the place of the goal's f = d above. The solution is still a shortest one:
//! a neighbour of the goal with f <= d has g <= d, and g is odd or even as d - 1 is. This range is
//! safe and not always reached.

mod state_space;

use crate::basics::names;
use crate::oracle::{OracleError, QueryError};
use crate::puzzle::Board;

use super::algorithm::Algorithm;

pub use state_space::Efforts;

use Algorithm as A;
use GoalTest::{Early, Late};

/// When a search tests whether a state is the goal.
///
/// ```
/// use puzzledb::search::{Algorithm, GoalTest};
///
/// assert_eq!(GoalTest::usual(Algorithm::BreadthFirst), GoalTest::Early);
/// assert_eq!("late".parse(), Ok(GoalTest::Late));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum GoalTest {
    /// When the state is generated as a successor.
    Early,
    /// When the state is taken from the queue, or visited by a depth-first search.
    Late,
}

impl GoalTest {
    /// Returns the test of the textbooks' algorithm: early for breadth-first search, late for the
    /// others.
    pub fn usual(algorithm: Algorithm) -> GoalTest {
        match algorithm {
            Algorithm::BreadthFirst => GoalTest::Early,
            _ => GoalTest::Late,
        }
    }

    /// Returns the other test.
    pub fn other(self) -> GoalTest {
        match self {
            GoalTest::Early => GoalTest::Late,
            GoalTest::Late => GoalTest::Early,
        }
    }
}

names!(GoalTest, "a goal test", [Early: "early", Late: "late"]);

/// The expansions that a correct search of a board can report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// The algorithm.
    pub algorithm: Algorithm,
    /// When the goal is tested.
    pub goal_test: GoalTest,
    /// The fewest and the most expansions with the other goal test.
    pub with_other_test: (u64, u64),
}

impl Effort {
    /// Checks whether a correct search can report this number of expansions.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn judge(&self, expanded: u64) -> Result<(), String> {
        let (states, least, most) = (self.states, self.least, self.most);
        let mut why = if (least..=most).contains(&expanded) {
            return Ok(());
        } else if expanded < least {
            format!("{least} is the least: {}", self.why_least())
        } else if self.algorithm != A::IdaStar && expanded > states {
            format!("only {states} states exist, and a correct search expands none of them twice")
        } else {
            let goal = match expanded - most {
                1 => " (a program that counts the goal as expanded reports 1 more)",
                _ => "",
            };
            format!("{most} is the most: {}{goal}", self.why_most())
        };
        let (least, most) = self.with_other_test;
        if (least..=most).contains(&expanded) {
            let other = match (self.goal_test, self.algorithm) {
                (Late, _) => "early, when a board is generated",
                (Early, A::IdaStar) => "late, when a board is visited",
                (Early, _) => "late, when a board is taken from the queue",
            };
            why +=
                &format!("; possible if the goal is tested {other}: {least} to {most} expansions");
        }
        Err(why)
    }

    fn why_most(&self) -> String {
        let d = self.distance;
        match (self.algorithm, self.goal_test) {
            (A::BreadthFirst | A::UniformCost, Early) => format!(
                "it stops when it meets the goal, {d} moves away, and other boards of that \
                 distance are not expanded before"
            ),
            (_, Early) => "it stops when it meets the goal among the successors of a board".into(),
            (A::IdaStar, _) => format!("its trees hold no more ways with f <= {d}"),
            (A::BreadthFirst, _) => format!("no other board is within {d} moves"),
            _ => format!("no other board has f <= {d}, the length of a shortest solution"),
        }
    }

    fn why_least(&self) -> String {
        let (d, certain, least) = (self.distance, self.certain, self.least);
        let what = match (self.algorithm, self.goal_test) {
            (A::BreadthFirst | A::UniformCost, Early) => {
                "boards are nearer than the last before the goal".to_owned()
            }
            (A::BreadthFirst, Late) => "boards are nearer than the goal".to_owned(),
            (A::IdaStar, Late) => format!("ways have f < {d} in one of its trees"),
            (_, Early) => "expansions come before that of a board next to the goal".to_owned(),
            _ => format!("boards have f < {d}, the length of a shortest solution"),
        };
        let certain_ones = format!("{certain} {what}");
        match least - certain {
            0 => certain_ones,
            more => format!("{certain_ones}, and the way to the goal needs {more} more"),
        }
    }
}

/// Reason why there are no bounds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EffortError {
    /// The bounds are not known for this algorithm.
    #[error("there are bounds for ucs, astar, idastar and bfs, not for {0}")]
    Algorithm(Algorithm),
    /// The space has too many states.
    #[error("the bounds are found by going through all states: {states} of them are too many")]
    TooLarge {
        /// Its reachable states.
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
    #[error("the heuristic is not 0 at the goal, so it is not an estimate of the distance")]
    GoalValue,
    /// The board's distance cannot be looked up.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The distances from the board cannot be computed.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}
