//! The questions are in `tests/fuzz/header.rs`.
//!
//! `cargo fuzz run -s none header`

#![no_main]

#[allow(dead_code, reason = "a target asks the questions of one file")]
#[path = "../../tests/fuzz/mod.rs"]
mod questions;

libfuzzer_sys::fuzz_target!(|input: &[u8]| questions::header::ask(input));
