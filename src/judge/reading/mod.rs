//! Reading claims from what solvers print.

mod boards;
mod decision;
mod lengths;
mod lex;
mod lists;
mod parts;
mod scan;
mod words;

pub use self::decision::find_answer;
pub(super) use self::{
    lengths::{Statement, sense_of, statement_of},
    parts::{claims, heading},
    words::{Sense, direction, meaning},
};

// Parts for `puzzledb-cli` and the benches, which any version may change.
#[doc(hidden)]
pub use self::decision::find_answers;
#[doc(hidden)]
pub use super::records::{Claim, ClaimError, End, FIRST_LINES, Format, Reader, Records, Table};

#[cfg(test)]
mod tests;
