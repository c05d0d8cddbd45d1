//! An audit in the form in which it is written as JSON.

use serde::Serialize;

use puzzledb::puzzle::Board;

use super::measure::{Audit, Inconsistency, Overestimate};

/// The result of an audit, with the name of the heuristic.
///
/// ```
/// use puzzledb_cli::grade::audit::{AuditRecord, audit};
/// use puzzledb::oracle::TableOracle;
///
/// let oracle = TableOracle::in_memory(&"1230".parse()?)?;
/// let record = AuditRecord::new("zero", oracle.goal(), &audit(&oracle, |_| 0.0)?);
/// assert!(record.admissible && record.perfect == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AuditRecord {
    /// The heuristic's name, or where its values come from.
    pub heuristic: String,
    /// The board at distance 0.
    pub goal: Board,
    /// The number of boards.
    pub boards: u64,
    /// Whether no board has h above its distance.
    pub admissible: bool,
    /// Whether no move lowers h by more than 1 and h(goal) = 0.
    pub consistent: bool,
    /// h of the goal.
    pub goal_value: f64,
    /// Boards with h above the distance.
    pub overestimates: u64,
    /// The first of them.
    pub first_overestimate: Option<Overestimate>,
    /// Moves of all boards.
    pub edges: u64,
    /// Moves that lower h by more than 1.
    pub inconsistent_edges: u64,
    /// The first of them.
    pub first_inconsistent: Option<Inconsistency>,
    /// The mean of h.
    pub mean: f64,
    /// The largest h.
    pub max: f64,
    /// The mean of |distance - h|.
    pub mean_absolute_error: f64,
    /// Pearson's correlation of h and the distance; `None` if h is constant.
    pub correlation: Option<f64>,
    /// Boards whose h is the distance.
    pub perfect: u64,
    /// Their share of all boards, 0 to 1.
    pub perfect_share: f64,
    /// The distribution of distance - h, rounded down, in ascending order.
    pub errors: Vec<ErrorCount>,
}

/// Number of boards with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ErrorCount {
    /// distance - h, rounded down.
    pub error: i64,
    /// The number of boards.
    pub boards: u64,
}

impl AuditRecord {
    /// The record of an audit.
    pub fn new(heuristic: &str, goal: &Board, audit: &Audit) -> AuditRecord {
        let errors = audit.errors.iter();
        AuditRecord {
            heuristic: heuristic.to_owned(),
            goal: *goal,
            boards: audit.boards,
            admissible: audit.is_admissible(),
            consistent: audit.is_consistent(),
            goal_value: audit.goal_value,
            overestimates: audit.overestimates,
            first_overestimate: audit.first_overestimate,
            edges: audit.edges,
            inconsistent_edges: audit.inconsistent_edges,
            first_inconsistent: audit.first_inconsistent,
            mean: audit.mean,
            max: audit.max,
            mean_absolute_error: audit.mean_absolute_error,
            correlation: audit.correlation,
            perfect: audit.exact,
            perfect_share: audit.exact as f64 / audit.boards as f64,
            errors: errors
                .map(|(&error, &boards)| ErrorCount { error, boards })
                .collect(),
        }
    }
}
