//! A precomputed full-state-space database for sliding-tile puzzles.
//!
//! Build a shape's database once, by breadth-first search from the goal; from then on every
//! board's optimal distance is a look-up, a whole shortest solution takes a few hundred
//! nanoseconds, and any other solver's answer can be held against the truth.
//!
//! ```
//! use puzzledb::{Board, Oracle, Shape, letters};
//!
//! let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE)?; // or Oracle::open(path)
//! let board: Board = "704851632".parse()?;
//! let moves = oracle.solve(&board)?;
//! assert_eq!(moves.len(), 19);
//! assert_eq!(letters(&moves), "RDDLLUURRDDLLUURRDD");
//!
//! let other: Board = "536407182".parse()?;
//! assert_eq!(oracle.distances_of(&[board, other])?, [19, 22]); // many boards, on all cores
//! let to_other = oracle.with_goal(&other)?; // any board can be the goal
//! assert_eq!(to_other.distance(&board)?, 25);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Programs to begin with, in the folder `examples/` (`cargo run --example solve`):
//!
//! | program | what it shows |
//! | --- | --- |
//! | `open` | a database file, or one made in memory, and distances from it |
//! | `solve` | a shortest solution, as moves of the blank and as tiles that slide |
//! | `boards_at` | all boards at a distance, such as the hardest |
//! | `judge` | whether a path is legal, reaches the goal and is a shortest one |
//! | `search` | A* with a heuristic of one's own, and on a puzzle of one's own |
//!
//! # Rooms
//!
//! Data flows one way, and a room uses only the rooms above it:
//!
//! | room | what lives there |
//! | --- | --- |
//! | [`puzzle`] | shapes, boards (reading, printing, solvability), moves and their notations |
//! | [`space`] | numbering the states; goals, their classes and symmetry |
//! | [`bfs`] | breadth-first search on bit planes: the states at each distance |
//! | [`table`] | encodings, the file format, its writer and its readers |
//! | [`pattern`] | additive pattern databases, one bit a state, and IDA* over them |
//! | [`oracle`] | distances, solutions, probes, statistics, proof, drawing boards, any goal |
//! | [`search`] | the search algorithms and heuristics that the oracle judges; effort |
//! | [`ask`] | questions with their options, refusals, the folder of databases |
//! | [`judge`] | an answer and its verdict; reading answers from what solvers print |
//!
//! # Files, and what is trusted
//!
//! No answer rests on a byte that is not what was written. [`table::Table::open`], [`Oracle::open`] and
//! [`pattern::Patterns::open`] copy a file of up to 16 MiB, or up to a quarter of the free memory, and verify all of
//! it; what happens to the file later changes no answer. Of a larger file, chunks of 16 KiB are copied and compared with
//! their checksums when they are asked for, and answers come from these copies alone. A chunk that is damaged, or a file
//! that was cut short, is an error of the question that meets it. A checksum finds damage and not intent: [`oracle::check`] proves every distance.
//!
//! All that is safe in Rust's sense. [`table::Table::map`] and [`pattern::Patterns::map`] open large files
//! faster, verify a chunk at its first use, and are `unsafe`: while a file is mapped, another program that writes to it changes
//! bytes behind a `&[u8]`, and one that shortens it ends the process with SIGBUS. The program `puzzledb` maps files under a
//! guard: it asks [before answers are given out](table::WatchedFile::has_changed) whether a file has changed.
//!
//! Work that may last polls a [`Cancel`], which any thread may set.
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `cli` | the questions' options for a command line: `clap::Args` |
//! | `mpi` | searches by the processes of an MPI program: [`table::machines`] |
//! | `schema` | the questions' parameters and the records' schemas for an OpenAPI document |
//! | `threads` (default) | work on all cores |
//! | `wide` (default) | searches of boards of more than 16 cells |
//!
//! Without the last two the library compiles for `wasm32-unknown-unknown`, where the package `puzzledb-wasm` makes a module
//! for browsers and Node.js of it.
//!
//! The program `puzzledb` is the package `puzzledb-cli`, with the rooms that run other people's solvers and serve all
//! this over HTTP.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(test)]
extern crate self as puzzledb; // the tests' helpers name it

pub mod ask;
pub(crate) mod basics;
pub mod bfs;
#[cfg(test)]
#[path = "tests/full.rs"]
mod full;
#[doc(hidden)]
pub mod internals;
pub mod judge;
pub mod oracle;
pub mod pattern;
pub mod puzzle;
pub mod search;
pub mod space;
pub mod table;

pub use basics::{Cancel, Cancelled, Progress, UnknownName};
pub use oracle::{Oracle, OracleError, QueryError};
pub use puzzle::{
    Board, IllegalMove, Move, MoveError, ParseError, Shape, UsualGoal, letters, parse_moves,
};

/// The program in the README, so that it is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
