//! The table of the algorithms, and the settings of a search.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

use crate::basics::UnknownName;
use crate::puzzle::Move;
use crate::puzzle::as_text::as_text;

use super::best_first::{ExpandedList, Ties, best_first, breadth_first, weighted};
use super::bidirectional::{a_star_from_both, breadth_first_from_both};
use super::depth_first::{Bounded, DepthFirst, Rbfs, ida_star};
use super::effort::GoalTest;
use super::frontier::{AtRandom, Duplicates, Frontier, Levels};
use super::heuristic::{BoardHeuristic, HeuristicError, HeuristicName};
use super::problem::{Heuristic, Problem, Zero};
use super::run::{Failure, Limits, Run, Solution, drive};
use super::sliding::{Packed, Sliding};
use super::walk::{Choice, Cooling, Genes, Population, Walker};

/// A row of the table.
struct Spec {
    algorithm: Algorithm,
    name: &'static str,
    /// Other names that are common in the field.
    others: &'static [&'static str],
    about: &'static str,
    /// Whether its solutions are shortest ones; with a heuristic, if that is admissible and weighs 1 at most.
    is_optimal: bool,
    /// Names of the options that it uses, of those that not all algorithms use.
    options: &'static [&'static str],
}

/// The moves that a search has found, or why there are none.
type Found = Result<Solution<Move>, Failure>;

/// A search of boards: what the last column of the table gets.
pub(super) struct Call<'a, 'r, W: Packed> {
    pub problem: &'a Sliding<W>,
    pub settings: &'a Settings,
    pub heuristic: &'a BoardHeuristic,
    pub run: &'a mut Run<'r, W>,
}

/// Makes the type [`Algorithm`], its table and its searches from one list. A row is a line about an algorithm, its
/// variant, name and other names, whether it is optimal, the options that it uses, and the call of its search.
macro_rules! algorithms {
    ($(
        #[doc = $about:literal]
        $variant:ident: $name:literal $others:tt, $is_optimal:literal, $options:tt,
        |$call:ident| $search:expr;
    )*) => {
        /// Name of a search algorithm, as in `astar` or `hill-climbing`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(#[doc = $about] $variant,)*
        }

        /// The rows, in the order of the variants.
        const SPECS: &[Spec] = &[$(Spec {
            algorithm: Algorithm::$variant,
            name: $name,
            others: &$others,
            about: $about,
            is_optimal: $is_optimal,
            options: &$options,
        },)*];

        impl<W: Packed> Call<'_, '_, W> {
            /// Runs the algorithm that the settings name.
            ///
            /// # Errors
            /// [`HeuristicError`] if a second heuristic cannot be made.
            pub(super) fn run(&mut self) -> Result<Found, HeuristicError> {
                match self.settings.algorithm {
                    $(Algorithm::$variant => {
                        let $call = self;
                        Ok($search)
                    })*
                }
            }
        }
    };
}

algorithms! {
    /// breadth-first: all boards of a depth before the next depth
    BreadthFirst: "bfs" ["breadth-first"], true, [],
        |call| breadth_first(call.problem, call.run);
    /// depth-first, down to --depth-limit
    DepthFirst: "dfs" ["depth-first"], false, ["expanded", "depth-limit"],
        |call| {
            let (by, limit) = (Bounded::Depth(call.list(ExpandedList::Reopen)), call.depth(50));
            drive(&mut DepthFirst::new(call.problem, &Zero, by, limit..=limit), call.run)
        };
    /// iterative deepening: depth-first with a limit that grows
    IterativeDeepening: "ids" ["iddfs", "iterative-deepening"], true, ["depth-limit"],
        |call| {
            let (by, limit) = (Bounded::Depth(ExpandedList::None), call.depth(u32::MAX.into()));
            drive(&mut DepthFirst::new(call.problem, &Zero, by, 0..=limit), call.run)
        };
    /// uniform cost (Dijkstra): by the cost of the way
    UniformCost: "ucs" ["dijkstra", "uniform-cost"], true, ["expanded", "ties"],
        |call| call.best_first(&Zero, ExpandedList::Strict, |g, _| u64::from(g));
    /// greedy best-first: by the heuristic alone
    Greedy: "greedy" ["gbfs", "greedy-best-first", "greedy-best-first-search"], false,
        ["heuristic", "expanded", "ties"],
        |call| call.best_first(call.heuristic, ExpandedList::Strict, weighted([0, 1]));
    /// depth + heuristic, each board once; not always shortest
    BestFirstDepth: "best-first-depth" [], true, ["heuristic", "expanded", "ties"],
        |call| call.best_first(call.heuristic, ExpandedList::Strict, weighted([call.unit(), 1]));
    /// A*: cost of the way + heuristic
    AStar: "astar" ["a*", "a-star"], true, ["heuristic", "expanded", "ties"],
        |call| call.best_first(call.heuristic, ExpandedList::Reopen, weighted([call.unit(), 1]));
    /// A* with the heuristic times --weight
    WeightedAStar: "weighted-astar" ["wa*", "weighted-a*", "weighted-a-star"], true,
        ["heuristic", "weight", "expanded", "ties"],
        |call| {
            let weight = (call.settings.weight * 1000.0).round() as u64;
            call.best_first(call.heuristic, ExpandedList::Reopen, weighted([1000 * call.unit(), weight]))
        };
    /// IDA*: depth-first with a limit of cost + heuristic
    IdaStar: "idastar" ["ida", "ida*", "ida-star"], true, ["heuristic"],
        |call| ida_star(call.problem, call.heuristic, call.run);
    /// recursive best-first search, in memory of one path
    Rbfs: "rbfs" [], true, ["heuristic"],
        |call| drive(&mut Rbfs::new(call.problem, call.heuristic), call.run);
    /// breadth-first from both ends
    Bidirectional: "bidirectional" ["bi-bfs", "bidirectional-bfs"], true, [],
        |call| drive(&mut breadth_first_from_both(call.problem), call.run);
    /// A* from both ends
    BidirectionalAStar: "bidirectional-astar" ["bi-a*", "bidirectional-a*", "bidirectional-a-star"],
        true, ["heuristic"],
        |call| {
            let start = call.problem.board(call.problem.start());
            let to_start = BoardHeuristic::new(&call.settings.heuristic, &start)?;
            drive(&mut a_star_from_both(call.problem, [call.heuristic, &to_start]), call.run)
        };
    /// keeps the best --width boards of each depth
    Beam: "beam" ["beam-search"], false, ["heuristic", "width"],
        |call| {
            let rules = (Duplicates::DropGenerated, GoalTest::Early);
            let open = Levels::new(call.settings.width);
            drive(&mut Frontier::new(call.problem, call.problem.start(), call.heuristic, rules, open), call.run)
        };
    /// steepest ascent: to the best neighbour until stuck
    HillClimbing: "hill-climbing" ["steepest-ascent"], false, ["heuristic"],
        |call| call.walk(Choice::Steepest);
    /// to a random neighbour that is better
    FirstChoice: "hill-climbing-first-choice" [], false, ["heuristic", "seed"],
        |call| call.walk(Choice::FirstBetter);
    /// steepest ascent, again from random boards when stuck
    RandomRestart: "hill-climbing-restarts" [], false, ["heuristic", "seed", "restart-steps"],
        |call| call.walk(Choice::Restarts(call.settings.restart_steps));
    /// simulated annealing: worse moves ever more rarely
    Annealing: "annealing" ["simulated-annealing"], false,
        ["heuristic", "seed", "temperature", "cooling-steps"],
        |call| call.walk(Choice::Annealing(call.settings.cooling));
    /// a population of move sequences, crossed and mutated
    Genetic: "genetic" [], false, ["heuristic", "seed", "population", "genes", "mutation"],
        |call| call.walk(Choice::Genetic(Box::new(Genes::new(call.settings.population, call.settings.seed))));
    /// any move at random
    RandomWalk: "random-walk" [], false, ["seed"],
        |call| drive(&mut Walker::new(call.problem, &Zero, Choice::Random, call.settings.seed), call.run);
    /// any board of the frontier at random
    RandomFrontier: "random-frontier" [], false, ["seed"],
        |call| {
            let rules = (Duplicates::Drop, GoalTest::Late);
            let open = AtRandom::new(call.settings.seed);
            drive(&mut Frontier::new(call.problem, call.problem.start(), &Zero, rules, open), call.run)
        };
}

impl<W: Packed> Call<'_, '_, W> {
    fn unit(&self) -> u64 {
        self.heuristic.unit().into()
    }

    fn depth(&self, default: u64) -> u64 {
        self.settings.depth_limit.map_or(default, u64::from)
    }

    fn list(&self, default: ExpandedList) -> ExpandedList {
        self.settings.expanded.unwrap_or(default)
    }

    fn best_first<H: Heuristic<Sliding<W>>>(
        &mut self,
        heuristic: &H,
        list: ExpandedList,
        priority: impl Fn(u32, u32) -> u64,
    ) -> Found {
        let options = (self.list(list), self.settings.ties, self.settings.seed);
        best_first(self.problem, heuristic, priority, options, self.run)
    }

    fn walk(&mut self, choice: Choice) -> Found {
        let seed = self.settings.seed;
        let mut walker = Walker::new(self.problem, self.heuristic, choice, seed);
        drive(&mut walker, self.run)
    }
}

impl Algorithm {
    /// Returns all algorithms.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        SPECS.iter().map(|spec| spec.algorithm)
    }

    fn spec(self) -> &'static Spec {
        &SPECS[self as usize]
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns a line about it.
    pub fn about(self) -> &'static str {
        self.spec().about.trim_start()
    }

    /// Returns the names of the options that it uses, of those that not all algorithms use; `seed` if it always draws.
    pub fn options(self) -> &'static [&'static str] {
        self.spec().options
    }

    fn uses(self, option: &str) -> bool {
        self.options().contains(&option)
    }

    /// Returns whether it uses a heuristic.
    pub fn is_informed(self) -> bool {
        self.uses("heuristic")
    }

    /// Returns whether it is a [`best_first`](super::best_first::best_first()) search.
    pub fn is_best_first(self) -> bool {
        self.uses("ties")
    }

    /// Returns whether it uses random numbers.
    pub fn is_stochastic(self) -> bool {
        self.uses("seed")
    }

    /// Returns the default heuristic.
    pub fn usual_heuristic(self) -> HeuristicName {
        match self {
            Algorithm::BestFirstDepth => HeuristicName::MisplacedWithBlank,
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

as_text!(Algorithm, GoalTest, HeuristicName, Ties);

impl FromStr for Algorithm {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Algorithm, UnknownName> {
        let name = text.trim().to_ascii_lowercase().replace('_', "-");
        let is_it = |spec: &&Spec| spec.name == name || spec.others.contains(&&*name);
        let names = SPECS.iter().map(|spec| spec.name);
        let found = SPECS.iter().find(is_it);
        let found = found.ok_or_else(|| UnknownName::new(&name, "an algorithm", names))?;
        Ok(found.algorithm)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

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
        let algorithm = self.algorithm;
        algorithm.spec().is_optimal
            && (!algorithm.is_informed() || self.heuristic.is_admissible())
            && (!algorithm.uses("weight") || self.weight <= 1.0)
    }

    /// Returns the value of the algorithm's evaluation function, in moves; `g + h` for those that have
    /// none.
    pub(super) fn f(&self, g: f64, h: f64) -> f64 {
        match self.algorithm {
            Algorithm::WeightedAStar => g + self.weight * h,
            greedy if greedy.is_informed() && !greedy.spec().is_optimal => h,
            _ => g + h,
        }
    }
}

/// A method: settings, and the heuristic made for the goal.
pub type Method = (Settings, BoardHeuristic);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_are_written() {
        let mut all = Vec::new();
        for (place, spec) in SPECS.iter().enumerate() {
            assert_eq!(spec.algorithm as usize, place);
            assert_eq!(spec.algorithm.to_string().parse(), Ok(spec.algorithm));
            for other in spec.others {
                assert_eq!(other.to_uppercase().parse(), Ok(spec.algorithm));
            }
            all.push(spec.name);
            all.extend(spec.others);
        }
        let names = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), names), (45, 45));
        let error = "b*".parse::<Algorithm>().unwrap_err().to_string();
        assert!(error.contains("bfs, dfs, ids"), "{error}");
    }
}
