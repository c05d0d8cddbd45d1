//! What a text that was not read claims, where the reader is held to one kind of claim.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::oracle::{Optimum, Oracle, QueryError};
use crate::puzzle::Board;

use super::answer::{Answer, Reading};
use super::reading::ReadAs;

/// Readings that are shown.
const SHOWN: usize = 3;

/// A reading of a text in which no answer is beyond doubt, and the option that holds the reader to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct OtherReading {
    /// The kind of claim to hold the reader to.
    pub read: ReadAs,
    /// The length that is claimed, or that of the path.
    pub claimed: Option<u64>,
    /// The verdict on it.
    pub verdict: String,
    /// Whether it is right.
    pub right: bool,
    /// Whether it is a path to the goal.
    pub solves: bool,
}

impl OtherReading {
    /// Judges the readings of a text about a board whose optimum was looked up, and returns the best, the best first.
    ///
    /// # Errors
    /// As [`Oracle::judge`].
    #[doc(hidden)]
    pub fn best(
        readings: &[(ReadAs, Answer)],
        board: &Board,
        oracle: &Oracle,
        optimum: Optimum,
        only: Option<Reading>,
    ) -> Result<Vec<OtherReading>, QueryError> {
        let mut judged = Vec::new();
        for (read, answer) in readings {
            let judgement = oracle.judge_with_optimum(board, optimum, answer, only)?;
            let verdict = judgement.verdict;
            let (right, reaches) = (verdict.is_right(), verdict.reaches_goal());
            let reading = OtherReading {
                read: *read,
                claimed: judgement.claimed(answer),
                verdict: verdict.to_string(),
                right,
                solves: judgement.moves.is_some() && reaches,
            };
            judged.push(((!right, !reaches, verdict.kind()), reading));
        }
        judged.sort_by_key(|(rank, _)| *rank);
        judged.truncate(SHOWN);
        Ok(judged.into_iter().map(|(_, reading)| reading).collect())
    }
}

/// The reading, its verdict, and the option of the command line that holds the reader to it.
impl fmt::Display for OtherReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.read {
            ReadAs::Boards => "as boards: ",
            ReadAs::Lines => "as lines of moves: ",
            ReadAs::Last => "last line: ",
            ReadAs::Length => "as a length: ",
            ReadAs::Label => "behind its label: ",
        })?;
        if let Some(moves) = self.claimed {
            write!(f, "{moves} move{}, ", if moves == 1 { "" } else { "s" })?;
        }
        write!(f, "{}    --read {}", self.verdict, self.read)
    }
}
