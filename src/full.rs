//! The full run, `cargo test -- --include-ignored`: long tests, and all repetitions of others.

/// Returns whether this is the full run.
pub fn is_full() -> bool {
    std::env::args().any(|argument| argument == "--include-ignored")
}
