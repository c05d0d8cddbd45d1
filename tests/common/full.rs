//! Number of repetitions: a quarter, unless `PUZZLEDB_TESTS=full` asks for all, as `.ci/run` does.

/// Returns whether all repetitions are asked for.
pub fn is_full() -> bool {
    std::env::var("PUZZLEDB_TESTS").is_ok_and(|tests| tests == "full")
}
