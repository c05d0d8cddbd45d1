//! A judged claim in the form in which it is written.

use serde::{Deserialize, Serialize};

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move, Notation, letters};

use super::answer::Reading;
use super::reading::Claim;
use super::verdict::{Judgement, Verdict};

/// What is written of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ClaimRecord {
    /// The line of the input on which the claim begins, from 1.
    pub line: u64,
    /// The board.
    pub board: Board,
    /// The board at distance 0.
    pub goal: Board,
    /// Whether the claim is right.
    pub right: bool,
    /// What is to be said of it.
    pub verdict: String,
    /// The board's distance; `None` if it cannot be solved, or is not known.
    pub optimal: Option<u8>,
    /// What is proved of a distance that is not known: no solution has fewer moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u64>,
    /// The length that was claimed, or else that of a path all of whose moves are legal.
    pub claimed: Option<u64>,
    /// Whether the claim is that there is no solution.
    pub claims_unsolvable: bool,
    /// How the path was read.
    pub reading: Option<Reading>,
    /// The move that is illegal or the first to lose ground.
    #[serde(rename = "move")]
    pub at: Option<usize>,
    /// The path that was claimed, as far as it is legal, in the blank's directions.
    pub moves: Option<String>,
    /// An optimal solution that keeps the good moves, or a better one where the optimum is not known,
    /// in the notation of the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl ClaimRecord {
    /// Returns the record of a claim that the oracle judged. With `fix`, a wrong claim gets an optimal solution.
    ///
    /// # Errors
    /// As [`Oracle::mend`](crate::oracle::Oracle::mend).
    pub fn new(
        line: u64,
        claim: &Claim,
        judgement: &Judgement,
        oracle: &Oracle,
        fix: bool,
    ) -> Result<ClaimRecord, QueryError> {
        let wrong = !judgement.verdict.is_right() && judgement.distance.is_some();
        let mended = (fix && wrong).then(|| mended(&claim.board, judgement, oracle));
        let fix = match mended.transpose() {
            Err(QueryError::GaveUp { .. }) => None,
            fix => fix?,
        };
        Ok(ClaimRecord {
            fix,
            ..ClaimRecord::without_fix(line, claim, judgement, oracle.goal())
        })
    }

    /// Returns this record with a better solution.
    #[must_use]
    pub fn with_fix(self, judgement: &Judgement, moves: &[Move]) -> ClaimRecord {
        let fix = Some(in_its_notation(&self.board, judgement, moves));
        ClaimRecord { fix, ..self }
    }

    /// Returns this record with a proved lower bound, if the distance is not known.
    #[must_use]
    pub fn with_lower_bound(self, moves: u64) -> ClaimRecord {
        let lower_bound = self.optimal.is_none().then_some(moves);
        ClaimRecord {
            lower_bound,
            ..self
        }
    }

    /// Returns the record of a claim, without an optimal solution.
    fn without_fix(line: u64, claim: &Claim, judgement: &Judgement, goal: &Board) -> ClaimRecord {
        let verdict = judgement.verdict;
        let moves = judgement.moves.as_deref();
        let at = match verdict {
            Verdict::Suboptimal { first_loss, .. } => first_loss,
            Verdict::IllegalMove { at } => Some(at),
            _ => None,
        };
        let legal = !matches!(verdict, Verdict::IllegalMove { .. });
        // A number that turned out to be a tile is not a length.
        let length = claim.answer.length;
        let claimed = length.filter(|_| !claim.answer.length_or_tile || moves.is_none());
        let given = moves.filter(|_| legal).map(|moves| moves.len() as u64);
        ClaimRecord {
            line,
            board: claim.board,
            goal: *goal,
            right: verdict.is_right(),
            verdict: verdict.to_string(),
            optimal: judgement.distance,
            lower_bound: None,
            claimed: claimed.or(given),
            claims_unsolvable: claim.answer.unsolvable,
            reading: judgement.reading,
            at,
            moves: moves.map(letters),
            fix: None,
        }
    }
}

/// Returns an optimal solution that keeps the good moves, in the notation of the claim.
fn mended(board: &Board, judgement: &Judgement, oracle: &Oracle) -> Result<String, QueryError> {
    let moves = oracle.mend(board, judgement.moves.as_deref().unwrap_or(&[]))?;
    Ok(in_its_notation(board, judgement, &moves))
}

/// Writes moves in the notation of the claim.
fn in_its_notation(board: &Board, judgement: &Judgement, moves: &[Move]) -> String {
    let notation = match judgement.reading {
        Some(Reading::Tile) => Notation::Tile,
        Some(Reading::Numbers) => Notation::Numbers,
        Some(Reading::Blank | Reading::Boards) | None => Notation::Blank,
    };
    notation.text(board, moves)
}
