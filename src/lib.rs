//! puzzledb
pub mod puzzle;
