//! Every word that the reader knows, in one place.
//!
//! Words are compared in small letters. The programs whose output is read are written by people of
//! many languages, so the words for moves and for "no solution" are here in the usual ones.

mod algorithms;
mod by_letter;
mod foreign;
mod labels;
mod roles;
mod sentences;
#[cfg(test)]
mod tests;
mod words;

pub(super) use algorithms::algorithm;
pub(super) use labels::Label;
pub(super) use roles::{Role, role};
pub(super) use sentences::{
    is_none, length_told, says_failure, says_none, says_solved, says_success,
};
pub(super) use words::{
    ENGLISH_DIRECTIONS, OTHER_LETTERS, direction, is_end, is_filler, is_prose, is_unit,
    without_log, words,
};
