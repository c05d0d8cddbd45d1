//! Reading claims from what solvers print.
//!
//! Files of records are read record by record: [`Format`] is a claim a line, a table with a header or JSON
//! objects. A text for people is read with the truth at hand, by these principles:
//!
//! 1. Cells of which all but one are the tiles are a board, in whatever frame; the odd one is the blank. Boards
//!    a slide apart are a chain, in either direction.
//! 2. A list of steps is tried in every notation, known words first. What is not known is accepted only if it solves
//!    the board and chance cannot have done it.
//! 3. Claims have an order. The last that stands as an answer decides; hints, scrambles, examples, traces and
//!    answers about other boards are none.
//! 4. A path is wrong only if it is unmistakable: directions read whole under the label of an answer, or a chain that
//!    begins at the board and ends elsewhere. Numbers are never accused.
//! 5. A length counts only where no path was claimed that was not understood.
//!
//! All words are in one table of stems, `text::labels`. Reading takes time in proportion to the text.

mod blocks;
mod claim;
mod columns;
mod fields;
mod format;
mod json;
mod length;
mod line;
mod moves;
mod records;
mod roles;
mod table;
mod text;

pub(super) use moves::paths;
pub use text::find_answer;

// Parts for `puzzledb-cli` and the benches, which any version may change.
#[doc(hidden)]
pub use self::{
    claim::{Claim, ClaimError, Reader},
    format::FIRST_LINES,
    format::Format,
    records::{End, Records},
    table::Table,
    text::find_answers,
};

#[cfg(test)]
mod tests;
