//! Solutions of boards of any shape within a time, with proven lower bounds.
//!
//! [`construct`](construct::construct) makes a first solution at once. The threads of [`anytime`] then
//! [work](shared::Shared::work) on it by [beams](beam) between board and goal or between two boards of the best
//! path; a [`Prover`](lower_bound::Prover) raises the lower bound; [`Shared`](shared::Shared) holds their results.

mod beam;
mod construct;
mod lower_bound;
mod shared;
mod solver;

pub use solver::{AnytimeSettings, Bounds, anytime};
