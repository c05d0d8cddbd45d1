//! Audits of a heuristic: proof, over all boards, whether it is admissible and consistent.
//!
//! [`audit()`] takes the heuristic as a function; [`audit_values`] takes its value of every board, read
//! from a table or from a program.

mod error;
mod measure;
mod program;
mod table;

pub use error::ValuesError;
pub use measure::{Audit, Inconsistency, Overestimate, audit, audit_observed, audit_values};
pub use program::values_of_program;
pub use table::values_of_table;
