//! The names of the algorithms.

use std::fmt;
use std::str::FromStr;

use crate::basics::UnknownName;

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

/// The names, each with a line about the algorithm.
const NAMES: [(&str, Algorithm, &str); 20] = [
    (
        "bfs",
        A::BreadthFirst,
        "breadth-first: all boards of a depth before the next depth",
    ),
    ("dfs", A::DepthFirst, "depth-first, down to --depth-limit"),
    (
        "ids",
        A::IterativeDeepening,
        "iterative deepening: depth-first with a limit that grows",
    ),
    (
        "ucs",
        A::UniformCost,
        "uniform cost (Dijkstra): by the cost of the way",
    ),
    (
        "greedy",
        A::Greedy,
        "greedy best-first: by the heuristic alone",
    ),
    (
        "best-first-depth",
        A::BestFirstDepth,
        "depth + heuristic, each board once; not always shortest",
    ),
    ("astar", A::AStar, "A*: cost of the way + heuristic"),
    (
        "weighted-astar",
        A::WeightedAStar,
        "A* with the heuristic times --weight",
    ),
    (
        "idastar",
        A::IdaStar,
        "IDA*: depth-first with a limit of cost + heuristic",
    ),
    (
        "rbfs",
        A::Rbfs,
        "recursive best-first search, in memory of one path",
    ),
    (
        "bidirectional",
        A::Bidirectional,
        "breadth-first from both ends",
    ),
    (
        "bidirectional-astar",
        A::BidirectionalAStar,
        "A* from both ends",
    ),
    (
        "beam",
        A::Beam,
        "keeps the best --width boards of each depth",
    ),
    (
        "hill-climbing",
        A::HillClimbing,
        "steepest ascent: to the best neighbour until stuck",
    ),
    (
        "hill-climbing-first-choice",
        A::FirstChoice,
        "to a random neighbour that is better",
    ),
    (
        "hill-climbing-restarts",
        A::RandomRestart,
        "steepest ascent, again from random boards when stuck",
    ),
    (
        "annealing",
        A::Annealing,
        "simulated annealing: worse moves ever more rarely",
    ),
    (
        "genetic",
        A::Genetic,
        "a population of move sequences, crossed and mutated",
    ),
    ("random-walk", A::RandomWalk, "any move at random"),
    (
        "random-frontier",
        A::RandomFrontier,
        "any board of the frontier at random",
    ),
];

/// Other names of the algorithms that are common in the field.
const ALIASES: [(&str, Algorithm); 25] = [
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
    ("ida", A::IdaStar),
    ("ida*", A::IdaStar),
    ("ida-star", A::IdaStar),
    ("bi-bfs", A::Bidirectional),
    ("bidirectional-bfs", A::Bidirectional),
    ("bi-a*", A::BidirectionalAStar),
    ("bidirectional-a*", A::BidirectionalAStar),
    ("beam-search", A::Beam),
    ("simulated-annealing", A::Annealing),
    ("steepest-ascent", A::HillClimbing),
    ("greedy-best-first-search", A::Greedy),
    ("weighted-a-star", A::WeightedAStar),
    ("bidirectional-a-star", A::BidirectionalAStar),
];

impl Algorithm {
    /// Returns all algorithms.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        NAMES.into_iter().map(|(_, algorithm, _)| algorithm)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Returns a line about it.
    pub fn about(self) -> &'static str {
        self.entry().2
    }

    fn entry(self) -> (&'static str, Algorithm, &'static str) {
        let found = NAMES.into_iter().find(|entry| entry.1 == self);
        found.expect("all are listed")
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

    /// Returns the heuristic of this name if it uses one, or else its default.
    pub(crate) fn heuristic_or_usual(self, name: Option<&HeuristicName>) -> HeuristicName {
        let name = name.filter(|_| self.is_informed());
        name.cloned().unwrap_or_else(|| self.usual_heuristic())
    }
}

impl FromStr for Algorithm {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Algorithm, UnknownName> {
        let name = text.trim().to_ascii_lowercase().replace('_', "-");
        let mut known = NAMES
            .map(|(name, algorithm, _)| (name, algorithm))
            .into_iter()
            .chain(ALIASES);
        match known.find(|(known, _)| *known == name) {
            Some((_, algorithm)) => Ok(algorithm),
            None => Err(UnknownName::new(
                &name,
                "an algorithm",
                NAMES.map(|(name, ..)| name),
            )),
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
            assert!(NAMES.iter().all(|(name, ..)| *name != alias));
        }
        let error = "b*".parse::<Algorithm>().unwrap_err().to_string();
        assert!(error.contains("bfs, dfs, ids"), "{error}");
    }
}
