//! The settings of a search.

use std::num::NonZero;

use crate::puzzle::Move;

use super::algorithm::{Algorithm, Proves};
use super::best_first::{ExpandedList, Ties};
use super::genetic::Population;
use super::heuristic::{BoardHeuristic, HeuristicName};
use super::run::Limits;
use super::walk::Cooling;

/// The algorithm of a search and its options.
///
/// ```
/// use puzzledb::search::{Algorithm, Settings};
///
/// let mut settings = Settings::new(Algorithm::Beam);
/// settings.width = 500;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The heuristic, for [informed](Algorithm::is_informed) algorithms.
    pub heuristic: HeuristicName,
    /// The weight of the heuristic in weighted A*, to three decimals.
    pub weight: f64,
    /// The seed of [stochastic](Algorithm::is_stochastic) algorithms and of [`Ties::Random`].
    pub seed: u64,
    /// The resources that the search may use.
    pub limits: Limits,
    /// The order in which successors are generated.
    pub order: [Move; 4],
    /// Treatment of states that were expanded before; `None` for the algorithm's default.
    pub expanded: Option<ExpandedList>,
    /// The tie-breaking of best-first searches.
    pub ties: Ties,
    /// The depth limit of depth-first searches; `None` for 50, or no limit under iterative
    /// deepening.
    pub depth_limit: Option<u32>,
    /// The states of each level that beam search keeps.
    pub width: usize,
    /// The most random steps after a restart of hill climbing.
    pub restart_steps: NonZero<u32>,
    /// The temperature of simulated annealing.
    pub cooling: Cooling,
    /// The population of the genetic algorithm.
    pub population: Population,
}

impl Settings {
    /// Returns the defaults of an algorithm, without limits.
    pub fn new(algorithm: Algorithm) -> Settings {
        Settings {
            algorithm,
            heuristic: algorithm.usual_heuristic(),
            weight: 2.0,
            seed: 1,
            limits: Limits::NONE,
            order: Move::ALL,
            expanded: None,
            ties: Ties::default(),
            depth_limit: None,
            width: 100,
            restart_steps: NonZero::new(64).expect("64 is not 0"),
            cooling: Cooling::default(),
            population: Population::default(),
        }
    }

    /// Returns whether a solution that the search finds is always a shortest one.
    ///
    /// ```
    /// use puzzledb::search::{Algorithm, HeuristicName, Settings};
    ///
    /// let mut settings = Settings::new(Algorithm::AStar);
    /// assert!(settings.is_optimal());
    /// settings.heuristic = HeuristicName::ManhattanPlusMisplaced;
    /// assert!(!settings.is_optimal());
    /// ```
    pub fn is_optimal(&self) -> bool {
        match self.algorithm.proves() {
            Proves::Shortest => true,
            Proves::IfAdmissible => self.heuristic.is_admissible(),
            Proves::IfWeighted => self.weight <= 1.0 && self.heuristic.is_admissible(),
            Proves::Nothing => false,
        }
    }

    /// Returns the value of the algorithm's evaluation function, in moves; `g + h` for those that have
    /// none.
    pub(super) fn f(&self, g: f64, h: f64) -> f64 {
        match self.algorithm.proves() {
            Proves::IfWeighted => g + self.weight * h,
            Proves::Nothing if self.algorithm.is_informed() => h,
            _ => g + h,
        }
    }
}

/// A method: settings, and the heuristic made for the goal.
pub type Method = (Settings, BoardHeuristic);
