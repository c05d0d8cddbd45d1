//! The searches that the oracle judges, and their heuristics.
//!
//! Every algorithm is a function over a [`Problem`] and, if it asks one, a [`Heuristic`]; it works
//! for any puzzle. [`search()`] runs them by name on a sliding-tile puzzle of up to 25 cells.
//!
//! A puzzle of another kind, jugs of 3 and 5 litres of which one shall hold 4:
//!
//! ```
//! use puzzledb::search::{Limits, Problem, Run, Successor, breadth_first};
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
//!         let (there, back) = (small.min(5 - large), large.min(3 - small));
//!         [
//!             ("fill small", (3, large)),
//!             ("fill large", (small, 5)),
//!             ("empty small", (0, large)),
//!             ("empty large", (small, 0)),
//!             ("small to large", (small - there, large + there)),
//!             ("large to small", (small + back, large - back)),
//!         ]
//!         .into_iter()
//!         .map(|(action, state)| Successor { action, state, cost: 1 })
//!     }
//! }
//!
//! let solution = breadth_first(&Jugs, &mut Run::new(Limits::NONE)).unwrap();
//! assert_eq!(solution.actions.len(), 6);
//! ```

mod algorithm;
mod beam;
mod best_first;
mod bidirectional;
mod breadth_first;
mod by_name;
mod compare;
mod depth_first;
mod effort;
mod effort_record;
mod genetic;
mod heuristic;
mod ida_star;
mod local;
mod nodes;
mod problem;
mod queue;
mod random;
mod rbfs;
mod record;
mod run;
mod sliding;
mod walk;
mod words;

pub use algorithm::{Algorithm, AlgorithmError};
pub use beam::beam;
pub use best_first::{BestFirst, Expanded, Ties, best_first};
pub use bidirectional::{bidirectional_a_star, bidirectional_breadth_first};
pub use breadth_first::breadth_first;
pub use by_name::{Report, Settings, Shown, Spectator, search};
pub use compare::{Compared, Method, compare};
pub use depth_first::{depth_first, iterative_deepening};
pub use effort::{Effort, EffortError, Impossible, effort};
pub use effort_record::EffortRecord;
pub use genetic::genetic;
pub use heuristic::{
    BoardHeuristic, HeuristicError, HeuristicName, NameError, Pattern, PatternError,
};
pub use ida_star::ida_star;
pub use local::{Climb, annealing, hill_climbing};
pub use problem::{Heuristic, Problem, Reversible, Successor, Zero};
pub use random::{random_frontier, random_walk};
pub use rbfs::rbfs;
pub use record::{SearchRecord, Step};
pub use run::{Expansion, Failure, Figures, Limits, Run, Solution, Watch};
pub use sliding::{Packed, Sliding};
pub use words::{parse_order, parse_weight};
