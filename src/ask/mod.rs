//! Questions: what the command line, the server and the browser ask, and where they find the databases.
//!
//! A question is a struct of its options, which the command line (feature `cli`), serde and the OpenAPI document (feature
//! `schema`) read and describe by derives. It answers itself with a record, or a [`Refusal`].

mod effort;
mod estimates;
mod library;
mod refusal;
mod run;
#[cfg(feature = "schema")]
mod schemas;
mod search;
mod text;

pub use effort::Effort;
pub use estimates::Estimates;
pub use library::Library;
pub use refusal::{Refusal, RefusalCode};
pub use run::{Oracles, Run};
pub use search::Search;

// Parts for `puzzledb-cli`, which any version may change.
#[doc(hidden)]
pub use self::{
    refusal::Cause,
    run::{distance_oracle, heuristic},
    search::{search_by, search_by_each},
};
#[cfg(feature = "schema")]
#[doc(hidden)]
pub use schemas::names;
