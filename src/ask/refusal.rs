//! Reasons why a question has no answer.

use serde::{Deserialize, Serialize};

use crate::judge::ClaimError;
use crate::oracle::generate::GenerateError;
use crate::oracle::{OracleError, QueryError, RowsError};
use crate::puzzle::{GoalError, ParseError};
use crate::search::{EffortError, HeuristicError};
use crate::space::SpaceError;

/// Kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub enum RefusalCode {
    /// The board cannot be solved.
    Unsolvable,
    /// The board or the goal is not valid.
    BadBoard,
    /// An option is not valid.
    BadOption,
    /// The question is too large here.
    TooLarge,
    /// There is no database for it.
    NoDatabase,
    /// The database is damaged.
    Damaged,
    /// The machine has too much to do.
    Busy,
    /// The work was cancelled.
    Cancelled,
    /// The time was over before there was an answer.
    TimedOut,
}

/// Reason why a question has no answer. In JSON it is `{"error": "why not", "code": "bad-board"}`.
#[derive(Debug, Serialize, thiserror::Error)]
#[error("{sentence}")]
#[non_exhaustive]
pub struct Refusal {
    /// What is wrong.
    #[serde(rename = "error")]
    pub sentence: String,
    /// Its kind.
    pub code: RefusalCode,
    /// The error of the library, for advice in the words of a program.
    #[doc(hidden)]
    #[serde(skip)]
    pub cause: Option<Cause>,
}

/// Error of the library behind a refusal.
#[doc(hidden)]
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum Cause {
    Board(#[from] ParseError),
    Goal(#[from] GoalError),
    Oracle(#[from] OracleError),
    Heuristic(#[from] HeuristicError),
    Effort(#[from] EffortError),
    Query(#[from] QueryError),
    Rows(#[from] RowsError),
    Space(#[from] SpaceError),
    Generate(#[from] GenerateError),
    Claim(#[from] ClaimError),
}

impl Refusal {
    /// Returns a refusal without a cause.
    pub fn new(code: RefusalCode, sentence: impl ToString) -> Refusal {
        Refusal {
            code,
            sentence: sentence.to_string(),
            cause: None,
        }
    }
}

impl<E: Into<Cause>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        let cause = match error.into() {
            Cause::Effort(EffortError::Oracle(error))
            | Cause::Heuristic(HeuristicError::Oracle(error))
            | Cause::Generate(GenerateError::Oracle(error)) => Cause::Oracle(error),
            Cause::Effort(EffortError::Query(error))
            | Cause::Rows(RowsError::Query(error))
            | Cause::Query(error) => Cause::Oracle(error.into()),
            Cause::Space(error) => Cause::Oracle(error.into()),
            Cause::Claim(ClaimError::Board(error)) => Cause::Board(error),
            cause => cause,
        };
        let refusal = Refusal::new(cause.code(), &cause);
        let cause = Some(cause);
        Refusal { cause, ..refusal }
    }
}

impl Cause {
    fn code(&self) -> RefusalCode {
        use OracleError as O;
        use QueryError as Q;
        use RefusalCode as Code;
        match self {
            Cause::Board(_)
            | Cause::Goal(_)
            | Cause::Rows(RowsError::Row { .. } | RowsError::NoAnswer { .. }) => Code::BadBoard,
            Cause::Effort(EffortError::TooLarge { .. })
            | Cause::Heuristic(HeuristicError::TooLarge { .. }) => Code::TooLarge,
            Cause::Heuristic(HeuristicError::Memory { .. }) => Code::Busy,
            Cause::Generate(GenerateError::NotFound { .. }) => Code::TimedOut,
            Cause::Oracle(error) => match error {
                O::Space(error) | O::Query(Q::Space(error)) => match error {
                    SpaceError::Unsolvable { .. } => Code::Unsolvable,
                    SpaceError::TooManyCells { .. } => Code::TooLarge,
                    _ => Code::BadBoard,
                },
                O::Query(Q::GaveUp { .. }) => Code::TimedOut,
                O::Query(Q::Cancelled) => Code::Cancelled,
                O::OtherClass { .. }
                | O::Pattern(_)
                | O::Query(Q::Unknown { .. } | Q::NeedsTable { .. }) => Code::NoDatabase,
                O::Open(_) | O::Query(Q::Damaged(_) | Q::WrongTable) => Code::Damaged,
                O::Search(_) | O::Query(Q::TooLittleMemory { .. } | Q::Memory { .. }) => Code::Busy,
            },
            // Queries and spaces are causes of the oracle's.
            _ => Code::BadOption,
        }
    }
}
