//! Questions: what the command line, the server and the browser ask, and where they find the databases.
//!
//! A question is a struct of its options, which the command line (feature `cli`), serde and the OpenAPI document (feature
//! `schema`) read and describe by derives. It answers itself with a record, or a [`Refusal`].

mod board;
mod check;
mod heuristics;
mod library;
mod options;
mod refusal;
mod run;
#[cfg(feature = "schema")]
mod schemas;
mod search;
mod solutions;
mod space;
pub(crate) mod text;
mod verify;

pub use board::{Apply, Edges, OrBounds, PathRecord, Probe, Solutions, Solve};
pub use check::{Check, DatabaseRecord, SectionRecord};
pub use heuristics::{
    Audit, AuditRecord, Effort, EffortRecord, Estimate, Estimates, EstimatesRecord,
};
pub use library::Library;
pub use options::from_options;
pub use refusal::{Cause, Refusal, RefusalCode};
pub use run::{Oracles, Question, Run, distance_oracle, heuristic};
pub use search::{Search, SearchRecord, search_by, search_by_each};
pub use solutions::{SolutionRecord, SolutionsRecord};
pub use space::{DrawnRecord, Generate, Stats};
pub use verify::{Judge, Moves, Unreadable, Verified, Verify};
