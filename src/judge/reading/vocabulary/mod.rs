//! Every word that the reader knows, in one place.
//!
//! Words are compared in small letters. The programs whose output is read are written by people of
//! many languages, so the words for moves and for "no solution" are here in the usual ones.

mod algorithms;
mod labels;
mod roles;
mod sentences;
#[cfg(test)]
mod tests;
mod words;

pub(super) use algorithms::algorithm;
pub(super) use labels::Label;
pub(super) use roles::{Role, role};
pub(super) use sentences::{is_none, length_told, says_none};
pub(super) use words::{
    ENGLISH_DIRECTIONS, direction, is_end, is_filler, is_prose, is_unit, words,
};
