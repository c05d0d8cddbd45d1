//! The time at which a search tests whether a state is the goal.

use serde::{Deserialize, Serialize};

use crate::basics::names;
use crate::search::algorithm::Algorithm;

/// When a search tests whether a state is the goal.
///
/// ```
/// use puzzledb::search::{Algorithm, GoalTest};
///
/// assert_eq!(GoalTest::usual(Algorithm::BreadthFirst), GoalTest::Early);
/// assert_eq!("late".parse(), Ok(GoalTest::Late));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
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
