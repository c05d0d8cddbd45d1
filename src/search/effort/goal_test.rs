//! The time at which a search tests whether a state is the goal.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::basics::UnknownName;
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

    fn name(self) -> &'static str {
        match self {
            GoalTest::Early => "early",
            GoalTest::Late => "late",
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

impl FromStr for GoalTest {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<GoalTest, UnknownName> {
        let all = [GoalTest::Early, GoalTest::Late];
        let found = all.into_iter().find(|test| test.name() == text);
        let names = all.map(GoalTest::name);
        found.ok_or_else(|| UnknownName::new(text, "a goal test", names))
    }
}

impl fmt::Display for GoalTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
