//! The heuristics of the sliding-tile puzzle.
//!
//! Each estimates the distance from a board to the goal that it was made for. [`audit`](super::audit()) proves
//! over all boards of a shape whether it is admissible and consistent.

mod board_heuristic;
mod linear_conflict;
mod name;
mod of_tiles;
mod pattern;
mod tile_costs;
mod walking_distance;

pub use board_heuristic::{BoardHeuristic, HeuristicError, How};
pub use name::{HeuristicName, HeuristicNameError, split_outside_brackets};
pub use pattern::Pattern;
pub(super) use tile_costs::TileCosts;
