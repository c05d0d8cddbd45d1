//! Reading claims from what solvers print.
//!
//! Files of records are read record by record: [`Format`] tells a claim a line, a table with a header or JSON
//! objects. A text for people is read with the truth at hand. Small independent extractors propose
//! *candidates*, each of them a whole reading of a stretch of text: moves as letters, words, arrows or tile
//! numbers, boards one after another, a labelled length, a statement that there is no solution. Then
//! (`choose`):
//!
//! 1. A candidate path that is legal from the board and ends in the goal is the answer. Of several the last
//!    counts, and one under a label before one without.
//! 2. If there is none, a path is wrong only if it is unmistakably meant as the answer, under a label such
//!    as path, solution or moves, or as the whole output, and if it was read whole.
//! 3. If no path is claimed, a length counts in a form that leaves no doubt.
//! 4. Otherwise the words for "no solution" count.
//! 5. Otherwise the text holds no answer that can be read, which is neither right nor wrong.
//!
//! All words are in `vocabulary`. Reading takes time in proportion to the text.

mod blocks;
mod choose;
mod claim;
mod columns;
mod extract;
mod fields;
mod find;
mod format;
mod json;
mod length;
mod line;
mod lines;
mod moves;
mod near;
mod pairs;
mod python;
mod records;
mod rows;
mod steps;
mod table;
mod vocabulary;

pub use find::find_answer;
pub(super) use moves::paths;

// Parts for `puzzledb-cli` and the benches, which any version may change.
#[doc(hidden)]
pub use self::{
    claim::{Claim, ClaimError, Reader},
    find::find_answers,
    format::FIRST_LINES,
    format::Format,
    records::{End, Records},
    table::Table,
};

#[cfg(test)]
mod tests;
