//! Values of a heuristic for an [audit](puzzledb::search::audit), from a table or from a program.

mod error;
mod program;
mod table;

pub use error::ValuesError;
pub use program::values_of_program;
pub use table::values_of_table;
