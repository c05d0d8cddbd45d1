//! The full run, `cargo test -- --include-ignored`: long tests, and all repetitions of others.

/// Returns whether this is the full run.
pub fn is_full() -> bool {
    std::env::args().any(|argument| argument == "--include-ignored")
}

/// Returns all cases in the full run, the first `few` by default.
#[allow(dead_code)] // not every program of tests has cases
pub fn sample<T>(all: &[T], few: usize) -> &[T] {
    if is_full() { all } else { &all[..few] }
}
