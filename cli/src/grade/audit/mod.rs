//! A heuristic's value of every board, from a table or from a program, for
//! [`audit_values`](puzzledb::search::audit_values).

mod program;
mod table;

pub use program::values_of_program;
pub use table::values_of_table;
