//! Whether a heuristic is admissible and consistent.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::run::{Oracles, Question, Run, heuristic};
use super::text::goal_of;
use crate::oracle::Oracle;
use crate::puzzle::{Board, Shape};
use crate::search::{self, HeuristicName};

/// A heuristic that is audited over all boards of a space.
///
/// ```
/// use puzzledb::ask::{Audit, Library, Question, Run};
///
/// let question = Audit {
///     heuristic: Some("misplaced-with-blank".parse()?),
///     ..Audit::default()
/// };
/// let record = question.answer(&Library::new(None), &Run::default())?;
/// assert_eq!((record.audit.admissible, record.audit.overestimates), (false, 78));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// The heuristic [default: manhattan]
    pub heuristic: Option<HeuristicName>,
    /// Rows x columns [default: 3x3]
    pub shape: Option<Shape>,
    /// The board at distance 0: a board, or last, first or spiral
    pub goal: Option<String>,
}

/// The audit of a heuristic.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AuditRecord {
    /// The heuristic, or the table or program that gave the values.
    pub heuristic: String,
    /// The board at distance 0.
    pub goal: Board,
    /// What was found over all boards.
    #[serde(flatten)]
    pub audit: search::Audit,
}

impl AuditRecord {
    /// Returns the record of an audit over the boards of an oracle.
    pub fn new(heuristic: impl ToString, oracle: &Oracle, audit: search::Audit) -> AuditRecord {
        AuditRecord {
            heuristic: heuristic.to_string(),
            goal: *oracle.goal(),
            audit,
        }
    }
}

impl Question for Audit {
    type Record = AuditRecord;

    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<AuditRecord, L::Error> {
        let goal = goal_of(self.shape, self.goal.as_deref())?;
        let usual = HeuristicName::Manhattan;
        let name = self.heuristic.as_ref().unwrap_or(&usual);
        let oracle = library.table(&goal)?.with_cancel(&run.cancel);
        let states = oracle.space().map_err(Refusal::from)?.ranking().states();
        Run::check("the number of boards", Some(states), run.states)?;
        let heuristic = heuristic(name, &goal, library, run)?;
        let audit = search::audit(&oracle, |board| heuristic.value(board));
        let audit = audit.map_err(Refusal::from)?;
        Ok(AuditRecord::new(name, &oracle, audit))
    }
}
