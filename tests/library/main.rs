//! Promises of the library, a module each. They need no feature but their own, so that they hold for the core.

#[path = "../common/bytes.rs"]
mod bytes;

mod anytime;
#[cfg(feature = "grade")]
mod audit;
mod by_position;
mod cancel;
mod compatibility;
mod effort;
mod every_board;
mod figures;
mod format;
mod fuzz_corpora;
mod golden;
mod naive;
mod opening;
mod pairs;
mod patterns;
mod ranks;
mod search;
#[cfg(feature = "grade")]
mod supervision;
mod textbook;
mod verify_texts;
