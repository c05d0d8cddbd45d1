//! Reasons why a question has no answer.

use serde::{Deserialize, Serialize};

use crate::judge::ApplyError;
use crate::judge::reading::ClaimError;
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

/// Reason why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[error("{sentence}")]
#[non_exhaustive]
pub struct Refusal {
    /// Its kind.
    pub code: RefusalCode,
    /// What is wrong.
    pub sentence: String,
    /// The error of the library, for advice in the words of a program.
    #[doc(hidden)]
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
    Apply(#[from] ApplyError),
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
            Cause::Effort(EffortError::Oracle(error)) => Cause::Oracle(error),
            Cause::Effort(EffortError::Query(error)) => Cause::Oracle(error.into()),
            Cause::Heuristic(HeuristicError::Oracle(error)) => Cause::Oracle(error),
            Cause::Query(error) | Cause::Rows(RowsError::Query(error)) => {
                Cause::Oracle(error.into())
            }
            Cause::Space(error) => Cause::Oracle(error.into()),
            Cause::Generate(GenerateError::Oracle(error)) => Cause::Oracle(error),
            Cause::Claim(ClaimError::Board(error)) => Cause::Board(error),
            cause => cause,
        };
        let refusal = Refusal::new(cause.code(), &cause);
        let cause = Some(cause);
        Refusal { cause, ..refusal }
    }
}

impl RefusalCode {
    fn of_space(error: &SpaceError) -> RefusalCode {
        match error {
            SpaceError::Unsolvable { .. } => RefusalCode::Unsolvable,
            SpaceError::TooManyCells { .. } => RefusalCode::TooLarge,
            _ => RefusalCode::BadBoard,
        }
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
            Cause::Heuristic(_)
            | Cause::Effort(_)
            | Cause::Generate(_)
            | Cause::Claim(_)
            | Cause::Rows(_)
            | Cause::Apply(_) => Code::BadOption,
            Cause::Space(error) | Cause::Oracle(O::Space(error)) => Code::of_space(error),
            Cause::Oracle(O::OtherClass { .. } | O::Pattern(_)) => Code::NoDatabase,
            Cause::Oracle(O::Open(_)) => Code::Damaged,
            Cause::Query(error) | Cause::Oracle(O::Query(error)) => match error {
                Q::Space(error) => Code::of_space(error),
                Q::GaveUp { .. } => Code::TimedOut,
                Q::Cancelled => Code::Cancelled,
                Q::Unknown { .. } | Q::NeedsTable { .. } => Code::NoDatabase,
                Q::Damaged(_) | Q::WrongTable => Code::Damaged,
                Q::TooLittleMemory { .. } | Q::Memory { .. } => Code::Busy,
            },
            Cause::Oracle(O::Search(_)) => Code::Busy,
        }
    }
}
