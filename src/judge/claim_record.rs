//! A judged claim in the form in which it is written.

use serde::{Deserialize, Serialize};

use crate::oracle::{Oracle, QueryError};
use crate::puzzle::{Board, Move, Notation, letters};

use super::answer::Reading;
use super::reading::decision::find_answer_by;
use super::records::{Claim, Reader};
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
    pub distance: Option<u8>,
    /// What is proved of a distance that is not known: no solution has fewer moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u64>,
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
    /// Judges the last answer about a board in any text, a solver's whole output or a person's words; `None` if
    /// [none](super::reading::find_answer) is beyond doubt. The flag of the oracle ends it.
    ///
    /// ```
    /// use puzzledb::Oracle;
    /// use puzzledb::judge::ClaimRecord;
    ///
    /// let oracle = Oracle::for_goal(&"123456780".parse()?)?;
    /// let text = "The shortest solution is: L, R, R.";
    /// let record = ClaimRecord::of_text(&"123456708".parse()?, text, &oracle)?;
    /// assert_eq!(record.unwrap().verdict, "suboptimal +2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Oracle::judge`](crate::oracle::Oracle::judge).
    pub fn of_text(
        board: &Board,
        text: &str,
        oracle: &Oracle,
    ) -> Result<Option<ClaimRecord>, QueryError> {
        let mut reader = Reader::default();
        reader.cancel.clone_from(&oracle.cancel);
        let Ok(answer) = find_answer_by(text.as_bytes(), board, oracle.goal(), &reader) else {
            return Ok(None);
        };
        let judgement = oracle.judge(board, &answer, None)?;
        let claim = Claim::new(*board, None, answer);
        ClaimRecord::new(1, &claim, &judgement, oracle, false).map(Some)
    }

    /// Returns the record of a claim that the oracle judged. With `fix`, a wrong claim gets an optimal solution that
    /// keeps the good moves.
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
        let (board, answer, verdict) = (claim.board, &claim.answer, judgement.verdict);
        let moves = judgement.moves.as_deref();
        let at = match verdict {
            Verdict::Suboptimal { first_loss, .. } => first_loss,
            Verdict::IllegalMove { at } => Some(at),
            _ => None,
        };
        let record = ClaimRecord {
            line,
            board,
            goal: *oracle.goal(),
            right: verdict.is_right(),
            verdict: verdict.to_string(),
            distance: judgement.distance,
            at_least: None,
            claimed: judgement.claimed(answer),
            claims_unsolvable: answer.unsolvable,
            reading: judgement.reading,
            at,
            moves: moves.map(letters),
            fix: None,
        };
        if !fix || record.right || record.distance.is_none() {
            return Ok(record);
        }
        match oracle.mend(&board, moves.unwrap_or_default()) {
            Ok(moves) => Ok(record.with_fix(judgement, &moves)),
            Err(QueryError::GaveUp { .. }) => Ok(record),
            Err(error) => Err(error),
        }
    }

    /// Returns this record with a better solution, in the notation of the claim.
    #[must_use]
    pub fn with_fix(self, judgement: &Judgement, moves: &[Move]) -> ClaimRecord {
        let notation = match judgement.reading {
            Some(Reading::Tile) => Notation::Tile,
            Some(Reading::Numbers) => Notation::Numbers,
            Some(Reading::Blank | Reading::Boards) | None => Notation::Blank,
        };
        let fix = Some(notation.text(&self.board, moves));
        ClaimRecord { fix, ..self }
    }
}
