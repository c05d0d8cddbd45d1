//! The questions are in `tests/fuzz/board.rs`.
//!
//! `cargo fuzz run -s none board`

#![no_main]

#[allow(dead_code, reason = "a target asks the questions of one file")]
#[path = "../../tests/fuzz/mod.rs"]
mod questions;

libfuzzer_sys::fuzz_target!(|input: &[u8]| questions::board::ask(input));
