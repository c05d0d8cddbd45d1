//! The `puzzledb` command.
fn main() {}
