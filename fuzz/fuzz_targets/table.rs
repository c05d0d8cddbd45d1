//! The questions are in `tests/fuzz/table.rs`.
//!
//! `cargo fuzz run -s none table`

#![no_main]

#[allow(dead_code, reason = "a target asks the questions of one file")]
#[path = "../../tests/fuzz/mod.rs"]
mod questions;

libfuzzer_sys::fuzz_target!(|input: &[u8]| questions::table::ask(input));
