//! The questions are in `tests/fuzz/request.rs`.
//!
//! `cargo fuzz run -s none --features serve request`

#![no_main]

#[allow(dead_code, reason = "a target asks the questions of one file")]
#[path = "../../tests/fuzz/mod.rs"]
mod questions;

libfuzzer_sys::fuzz_target!(|input: &[u8]| questions::request::ask(input));
