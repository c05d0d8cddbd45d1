//! Search algorithms and heuristics, to be measured against the oracle.
//!
//! An algorithm is a function of a [`Problem`], a [`Heuristic`] if it is informed, and a
//! [`Run`], which has its limits and counters; so [`a_star`], [`breadth_first`] and [`ida_star`] work for any puzzle.
//! [`search()`] runs the algorithm that its [`Settings`] name on a sliding-tile puzzle of up to 64 cells.
//!
//! A puzzle of another kind: measure 4 litres with jugs of 3 and 5 litres.
//!
//! ```
//! use puzzledb::search::{Problem, Run, Successor, a_star};
//!
//! struct Jugs;
//!
//! impl Problem for Jugs {
//!     type State = (u8, u8);
//!     type Action = &'static str;
//!
//!     fn start(&self) -> (u8, u8) {
//!         (0, 0)
//!     }
//!
//!     fn is_goal(&self, &(_, large): &(u8, u8)) -> bool {
//!         large == 4
//!     }
//!
//!     fn successors(
//!         &self,
//!         &(small, large): &(u8, u8),
//!     ) -> impl Iterator<Item = Successor<(u8, u8), &'static str>> {
//!         let (up, down) = (small.min(5 - large), large.min(3 - small));
//!         [
//!             ("fill small", (3, large)),
//!             ("fill large", (small, 5)),
//!             ("empty small", (0, large)),
//!             ("empty large", (small, 0)),
//!             ("small to large", (small - up, large + up)),
//!             ("large to small", (small + down, large - down)),
//!         ]
//!         .into_iter()
//!         .map(|(action, state)| Successor::new(action, state, 1))
//!     }
//! }
//!
//! // A heuristic can be a function: a state that is not a goal is at least one action away.
//! let heuristic = |&(_, large): &(u8, u8)| u32::from(large != 4);
//! let solution = a_star(&Jugs, &heuristic, &mut Run::default())?;
//! assert_eq!(solution.cost, 6);
//! # Ok::<(), puzzledb::search::Failure>(())
//! ```

mod algorithm;
pub(crate) mod anytime;
pub(crate) mod audit;
pub(crate) mod best_first;
mod bidirectional;
mod branching;
mod depth_first;
mod difficulty;
mod dispatch;
mod effort;
mod frontier;
pub(crate) mod heuristic;
mod nodes;
mod problem;
mod queue;
mod run;
mod sliding;
mod walk;

pub use algorithm::{Algorithm, Method, Settings};
pub use anytime::{AnytimeSettings, Bounds};
pub use audit::{Audit, Inconsistency, Overestimate, audit, audit_values};
pub use best_first::{ExpandedList, Ties, a_star, breadth_first};
pub use branching::effective_branching_factor;
pub use depth_first::ida_star;
pub use difficulty::Difficulty;
pub use dispatch::{Report, TraceObserver, TraceStep, Watch, search, search_watched};
pub use effort::{Effort, EffortError, Efforts, GoalTest};
pub use heuristic::{BoardHeuristic, HeuristicError, HeuristicName, HeuristicNameError, How};
pub use problem::{Heuristic, Problem, Successor, Zero};
pub use run::{Counters, Expansion, Failure, Limits, Observer, Run, Solution};
pub use sliding::{Packed, Sliding};
pub use walk::{Cooling, Population};
