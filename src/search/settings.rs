//! The settings of a search, and their form as text.

use std::num::NonZero;
use std::ops::RangeInclusive;

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

/// Reason why a text is not the value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// It is not a weight.
    #[error("a weight is a number from 0 to 1000")]
    Weight,
    /// It is not a temperature.
    #[error("a temperature is a number of moves from 0.1 to 1000")]
    Temperature,
    /// It is not an order of moves.
    #[error("an order has each of U, D, L and R once, as in URDL")]
    Order,
}

/// Reads the weight of weighted A*.
///
/// # Errors
/// [`SettingError::Weight`] unless it is a number from 0 to 1000.
pub fn parse_weight(text: &str) -> Result<f64, SettingError> {
    number(text, 0.0..=1000.0).ok_or(SettingError::Weight)
}

/// Reads the temperature at which simulated annealing starts, in moves.
///
/// # Errors
/// [`SettingError::Temperature`] unless it is a number from 0.1 to 1000.
pub fn parse_temperature(text: &str) -> Result<f64, SettingError> {
    number(text, 0.1..=1000.0).ok_or(SettingError::Temperature)
}

fn number(text: &str, range: RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// Reads the order in which moves are tried, as in `URDL`.
///
/// # Errors
/// [`SettingError::Order`] unless each of U, D, L and R is there once.
pub fn parse_order(text: &str) -> Result<[Move; 4], SettingError> {
    let moves: Option<Vec<Move>> = text.chars().map(Move::from_letter).collect();
    let order = moves.and_then(|moves| <[Move; 4]>::try_from(moves).ok());
    order
        .filter(|order| Move::ALL.iter().all(|mv| order.contains(mv)))
        .ok_or(SettingError::Order)
}
