//! puzzledb
pub mod build;
pub mod puzzle;
pub mod space;
