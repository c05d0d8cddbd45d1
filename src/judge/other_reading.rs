//! What a text that was not read claims, where the reader is held to one reading.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::oracle::{Optimum, Oracle, QueryError};

use super::answer::Reading;
use super::claim_record::ClaimRecord;
use super::reading::{Hold, ReadAs};
use super::records::Claim;

/// Readings that are shown.
const SHOWN: usize = 3;

/// A reading of a text in which no answer is beyond doubt, and the option that holds the reader to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct OtherReading {
    /// The kind of claim to hold the reader to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadAs>,
    /// A regular expression for the line with the moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
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
        readings: &[(Hold, Claim)],
        oracle: &Oracle,
        optimum: Optimum,
        only: Option<Reading>,
    ) -> Result<Vec<OtherReading>, QueryError> {
        let mut judged = Vec::new();
        for (hold, claim) in readings {
            let judgement =
                oracle.judge_with_optimum(&claim.board, optimum, &claim.answer, only)?;
            let record = ClaimRecord::new(0, claim, &judgement, oracle, false)?;
            let (verdict, reaches) = (judgement.verdict, judgement.verdict.reaches_goal());
            let (read, answer) = match hold {
                Hold::Read(kind) => (Some(*kind), None),
                Hold::Answer(pattern) => (None, Some(pattern.clone())),
            };
            let reading = OtherReading {
                read,
                answer,
                claimed: record.claimed,
                verdict: record.verdict,
                right: record.right,
                solves: judgement.moves.is_some() && reaches,
            };
            judged.push(((!record.right, !reaches, verdict.kind()), reading));
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
            Some(ReadAs::Boards) => "as boards: ",
            Some(ReadAs::Lines) => "as lines of moves: ",
            Some(ReadAs::Last) => "last line: ",
            Some(ReadAs::Length) => "as a length: ",
            None => "behind its label: ",
        })?;
        if let Some(moves) = self.claimed {
            write!(f, "{moves} move{}, ", if moves == 1 { "" } else { "s" })?;
        }
        f.write_str(&self.verdict)?;
        match (self.read, &self.answer) {
            (Some(kind), _) => write!(f, "    --read {kind}"),
            (None, Some(pattern)) => write!(f, "    --answer '{pattern}'"),
            (None, None) => Ok(()),
        }
    }
}
