//! puzzledb
pub mod build;
pub mod cli;
pub mod oracle;
pub mod puzzle;
pub mod space;
pub mod table;
