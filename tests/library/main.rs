//! Promises of the library, a module each.

#[path = "../common/bytes.rs"]
mod bytes;
#[path = "../../src/tests/full.rs"]
mod full;
#[path = "../../src/bfs/ranks/tests/threads.rs"]
mod threads;

mod anytime;
mod by_position;
mod cancel;
mod compatibility;
mod corpus;
mod effort;
mod errors;
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
mod records;
mod search;
mod search_fixture;
mod textbook;
mod unsafe_files;
mod verify_texts;
