//! The extractors: each proposes candidates from its own kind of stretch of a text.

mod boards;
mod found;
mod labelled;
mod records;
mod sentence;
mod stepwise;
mod text;

pub(super) use found::{BARE, Candidate, DEPTH, Finder, LABELLED, SENTENCE, Strength, Told};
pub(super) use labelled::number;
