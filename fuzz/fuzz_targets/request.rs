//! The questions are in `cli/tests/fuzz/request.rs`.
//!
//! `cargo fuzz run -s none --features serve request`

#![no_main]

#[path = "../../cli/tests/fuzz/request.rs"]
mod request;

libfuzzer_sys::fuzz_target!(|input: &[u8]| request::ask(input));
