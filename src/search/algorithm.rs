//! The names of the algorithms.

use std::fmt;
use std::str::FromStr;

use crate::basics::meant;

use super::heuristic::HeuristicName;

/// Name of a search algorithm, as in `astar` or `hill-climbing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// [`breadth_first`](super::breadth_first())
    BreadthFirst,
    /// [`depth_first`](super::depth_first())
    DepthFirst,
    /// [`iterative_deepening`](super::iterative_deepening())
    IterativeDeepening,
    /// [`best_first`](super::best_first()) by `g`: Dijkstra's algorithm.
    UniformCost,
    /// [`best_first`](super::best_first()) by `h`.
    Greedy,
    /// [`best_first`](super::best_first()) by `g + h` with a strict expanded list; its default
    /// heuristic counts misplaced tiles with the blank.
    BestFirstDepth,
    /// [`a_star`](super::a_star())
    AStar,
    /// [`best_first`](super::best_first()) by `g + weight * h`.
    WeightedAStar,
    /// [`ida_star`](super::ida_star())
    IdaStar,
    /// [`rbfs`](super::rbfs())
    Rbfs,
    /// [`bidirectional_breadth_first`](super::bidirectional_breadth_first())
    Bidirectional,
    /// [`bidirectional_a_star`](super::bidirectional_a_star())
    BidirectionalAStar,
    /// [`beam`](super::beam())
    Beam,
    /// [`hill_climbing`](super::hill_climbing()) by [`Climb::Steepest`](super::Climb::Steepest).
    HillClimbing,
    /// [`hill_climbing`](super::hill_climbing()) by [`Climb::FirstChoice`](super::Climb::FirstChoice).
    FirstChoice,
    /// [`hill_climbing`](super::hill_climbing()) by [`Climb::Restarts`](super::Climb::Restarts).
    RandomRestart,
    /// [`annealing`](super::annealing())
    Annealing,
    /// [`genetic`](super::genetic())
    Genetic,
    /// [`random_walk`](super::random_walk())
    RandomWalk,
    /// [`random_frontier`](super::random_frontier())
    RandomFrontier,
}

use Algorithm as A;

const NAMES: [(&str, Algorithm); 20] = [
    ("bfs", A::BreadthFirst),
    ("dfs", A::DepthFirst),
    ("ids", A::IterativeDeepening),
    ("ucs", A::UniformCost),
    ("greedy", A::Greedy),
    ("best-first-depth", A::BestFirstDepth),
    ("astar", A::AStar),
    ("weighted-astar", A::WeightedAStar),
    ("idastar", A::IdaStar),
    ("rbfs", A::Rbfs),
    ("bidirectional", A::Bidirectional),
    ("bidirectional-astar", A::BidirectionalAStar),
    ("beam", A::Beam),
    ("hill-climbing", A::HillClimbing),
    ("hill-climbing-first-choice", A::FirstChoice),
    ("hill-climbing-restarts", A::RandomRestart),
    ("annealing", A::Annealing),
    ("genetic", A::Genetic),
    ("random-walk", A::RandomWalk),
    ("random-frontier", A::RandomFrontier),
];

/// Other names of the algorithms that are common in the field.
const ALIASES: [(&str, Algorithm); 21] = [
    ("breadth-first", A::BreadthFirst),
    ("depth-first", A::DepthFirst),
    ("iddfs", A::IterativeDeepening),
    ("iterative-deepening", A::IterativeDeepening),
    ("dijkstra", A::UniformCost),
    ("uniform-cost", A::UniformCost),
    ("gbfs", A::Greedy),
    ("greedy-best-first", A::Greedy),
    ("a*", A::AStar),
    ("a-star", A::AStar),
    ("wa*", A::WeightedAStar),
    ("weighted-a*", A::WeightedAStar),
    ("ida*", A::IdaStar),
    ("ida-star", A::IdaStar),
    ("bi-bfs", A::Bidirectional),
    ("bidirectional-bfs", A::Bidirectional),
    ("bi-a*", A::BidirectionalAStar),
    ("bidirectional-a*", A::BidirectionalAStar),
    ("beam-search", A::Beam),
    ("simulated-annealing", A::Annealing),
    ("steepest-ascent", A::HillClimbing),
];

impl Algorithm {
    /// Returns all algorithms.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        NAMES.into_iter().map(|(_, algorithm)| algorithm)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, algorithm)| *algorithm == self);
        found.expect("all are listed").0
    }

    /// Returns whether it uses a heuristic.
    pub const fn is_informed(self) -> bool {
        !matches!(
            self,
            A::BreadthFirst
                | A::DepthFirst
                | A::IterativeDeepening
                | A::UniformCost
                | A::Bidirectional
                | A::RandomWalk
                | A::RandomFrontier
        )
    }

    /// Returns whether it is a [`best_first`](super::best_first()) search.
    pub const fn is_best_first(self) -> bool {
        matches!(
            self,
            A::UniformCost | A::Greedy | A::BestFirstDepth | A::AStar | A::WeightedAStar
        )
    }

    /// Returns whether it uses random numbers.
    pub const fn is_stochastic(self) -> bool {
        matches!(
            self,
            A::FirstChoice
                | A::RandomRestart
                | A::Annealing
                | A::Genetic
                | A::RandomWalk
                | A::RandomFrontier
        )
    }

    /// Returns the default heuristic.
    pub const fn usual_heuristic(self) -> HeuristicName {
        match self {
            A::BestFirstDepth => HeuristicName::MisplacedWithBlank,
            _ if self.is_informed() => HeuristicName::Manhattan,
            _ => HeuristicName::Zero,
        }
    }
}

/// Error of a text that is not the name of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("{name:?} is no algorithm{}: they are {} (dijkstra is ucs)", meant(name, NAMES.map(|(name, _)| name)), names())]
pub struct AlgorithmError {
    /// The text.
    pub name: String,
}

fn names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, AlgorithmError> {
        let name = text.trim().to_ascii_lowercase();
        let mut known = NAMES.iter().chain(&ALIASES);
        match known.find(|(known, _)| *known == name) {
            Some(&(_, algorithm)) => Ok(algorithm),
            None => Err(AlgorithmError { name }),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_are_written() {
        for algorithm in Algorithm::all() {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        for (alias, algorithm) in ALIASES {
            assert_eq!(alias.to_uppercase().parse(), Ok(algorithm));
            assert!(NAMES.iter().all(|(name, _)| *name != alias));
        }
        let error = "b*".parse::<Algorithm>().unwrap_err().to_string();
        assert!(error.contains("bfs, dfs, ids"), "{error}");
    }
}
