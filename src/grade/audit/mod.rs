//! Is a heuristic admissible and consistent? Proved over all boards.

mod measure;
mod values;

pub use measure::{Audit, Inconsistency, Overestimate, audit, audit_values};
#[cfg(unix)]
pub use values::values_of_program;
pub use values::{ValuesError, values_of_table};
