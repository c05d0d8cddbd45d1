//! Promise: the inputs given to the fuzzer, and those that it found, are harmless.

use std::path::Path;

#[path = "../fuzz/mod.rs"]
mod questions;

/// Runs a target's check on every file of its corpus.
fn replay(target: &str, least: usize, ask: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let Ok(files) = std::fs::read_dir(folder) else {
        return; // the published package has no corpora
    };
    let inputs = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
    assert!(
        inputs.inspect(|input| ask(input)).count() >= least,
        "{target}"
    );
}

#[test]
fn the_corpora_of_the_fuzzer_are_harmless() {
    replay("board", 10, questions::board::ask);
    replay("checkpoint", 5, questions::checkpoint::ask);
    replay("header", 5, questions::header::ask);
    replay("reading", 10, questions::reading::ask);
    replay("table", 5, questions::table::ask);
}
