//! The questions are in `tests/fuzz/reading.rs`.
//!
//! `cargo fuzz run -s none reading`

#![no_main]

#[allow(dead_code, reason = "a target asks the questions of one file")]
#[path = "../../tests/fuzz/mod.rs"]
mod questions;

libfuzzer_sys::fuzz_target!(|input: &[u8]| questions::reading::ask(input));
