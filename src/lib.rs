//! A precomputed full-state-space database for sliding-tile puzzles.
//!
//! Build a shape's database once, by breadth-first search from the goal; from then on every
//! board's optimal distance is a look-up, a whole shortest solution takes a few hundred
//! nanoseconds, and any other solver's answer can be held against the truth.
//!
//! ```
//! use puzzledb::oracle::Oracle;
//! use puzzledb::puzzle::{Board, Shape, letters};
//!
//! let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE)?; // or Oracle::open(path)
//! let board: Board = "704851632".parse()?;
//! let moves = oracle.solve(&board)?;
//! assert_eq!(moves.len(), 19);
//! assert_eq!(letters(&moves), "RDDLLUURRDDLLUURRDD");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Data flows one way, and a room uses only the rooms above it:
//!
//! | room | what lives there |
//! | --- | --- |
//! | [`puzzle`] | shapes, boards (reading, printing, solvability), moves and their notations |
//! | [`space`] | numbering the states; goals, their classes and symmetry |
//! | [`bfs`] | the breadth-first search on bit planes |
//! | [`table`] | encodings, the file format, its writer and its memory-mapped reader |
//! | [`oracle`] | solve, count, probe, statistics, proof, drawing boards |
//! | [`search`] | the searches and heuristics that the oracle judges |
//! | [`judge`] | an answer and its verdict; reading answers from what solvers print |
//! | [`grade`] | running programs under limits, exams and reports; auditing heuristics |
//! | [`serve`] | all this over HTTP, and a page to look at |
//! | [`play`] | the game for the terminal |
//! | [`cli`] | the command line |

mod basics;
pub mod bfs;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "grade")]
pub mod grade;
pub mod judge;
pub mod oracle;
#[cfg(feature = "cli")]
pub mod play;
pub mod puzzle;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod space;
pub mod table;

/// The program in the README, so that it is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
