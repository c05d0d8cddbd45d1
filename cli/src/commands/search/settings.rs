//! The options of each search.

use std::num::NonZero;
use std::time::Duration;

use crate::values::{EXPANDED, TIES};
use puzzledb::basics::available_memory;
use puzzledb::puzzle::Move;
use puzzledb::search::{
    Algorithm, ExpandedList, HeuristicName, Settings, Ties, parse_order, parse_temperature,
    parse_weight,
};

use Algorithm as A;

use super::super::args::named;
use super::super::units::{parse_size, parse_time};

/// The default limit of expansions for algorithms that may never end.
const ENDLESS_LIMIT: u64 = 1_000_000;

#[derive(Debug, clap::Args)]
pub(in super::super) struct SettingsArgs {
    /// The heuristic's weight in weighted-astar [default: 2]
    #[arg(long, value_name = "W", value_parser = parse_weight)]
    weight: Option<f64>,
    /// Where draws begin; equal seeds search equally
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Give up after so many expansions [default: none; 1000000 for algorithms that draw, and with --exhaust for dfs,
    /// ids, idastar and rbfs]
    #[arg(long, value_name = "N")]
    limit_expansions: Option<u64>,
    /// Give up after so much time, as in 10s or 500ms; the heuristic is made before
    #[arg(long, alias = "limit-time", value_name = "LIMIT", value_parser = parse_time)]
    time: Option<Duration>,
    /// Give up when so much memory is in use [default: half of what there is]
    #[arg(long, hide = true, value_name = "SIZE", value_parser = parse_size)]
    limit_memory: Option<u64>,
    /// The order in which the blank's moves are tried, as in URDL [default: UDLR]
    #[arg(long, value_name = "ORDER", value_parser = parse_order)]
    order: Option<[Move; 4]>,
    /// What is done with boards that were expanded before [default: reopen for astar, weighted-astar and dfs, else strict]
    #[arg(long, value_name = "HOW", value_parser = named(EXPANDED))]
    expanded: Option<ExpandedList>,
    /// Which of equals is expanded first [default: deep]
    #[arg(long, value_name = "WHICH", value_parser = named(TIES))]
    ties: Option<Ties>,
    /// How deep dfs and ids go [default: 50 for dfs]
    #[arg(long, value_name = "DEPTH")]
    depth_limit: Option<u32>,
    /// Boards of each level that beam search keeps [default: 100]
    #[arg(long, value_name = "N")]
    width: Option<NonZero<usize>>,
    /// Random moves after a restart of hill-climbing-restarts, at most [default: 64]
    #[arg(long, value_name = "N")]
    restart_steps: Option<NonZero<u32>>,
    /// Temperature at which annealing starts, in moves; it ends at 0.1 [default: 4]
    #[arg(long, value_name = "T", value_parser = parse_temperature)]
    temperature: Option<f64>,
    /// Steps of annealing until it starts hot again [default: 20000]
    #[arg(long, value_name = "N")]
    cooling_steps: Option<NonZero<u32>>,
    /// Move sequences in a generation of genetic, 100000 at most [default: 200]
    #[arg(long, value_name = "N", value_parser = at_most::<100_000>)]
    population: Option<NonZero<usize>>,
    /// Moves in a sequence of genetic, 1000 at most [default: 64]
    #[arg(long, value_name = "N", value_parser = at_most::<1000>)]
    genes: Option<NonZero<usize>>,
    /// One in so many moves of genetic is changed at random [default: 32]
    #[arg(long, value_name = "N")]
    mutation: Option<NonZero<u32>>,
    /// Search a board that cannot be solved too, until nothing is left
    #[arg(long)]
    pub(super) exhaust: bool,
}

/// Reads a number from 1 to `MOST`.
fn at_most<const MOST: usize>(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse::<NonZero<usize>>().ok();
    let number = number.filter(|number| number.get() <= MOST);
    number.ok_or_else(|| format!("not a number from 1 to {MOST}"))
}

impl SettingsArgs {
    /// The settings of a search, `at_once` of which run at a time and share the memory.
    pub(in super::super) fn settings(
        &self,
        algorithm: Algorithm,
        heuristic: Option<&HeuristicName>,
        at_once: usize,
    ) -> Settings {
        let mut settings = Settings::new(algorithm);
        // Where there is no solution these expand boards again and again.
        let repeats = matches!(
            algorithm,
            A::DepthFirst | A::IterativeDeepening | A::IdaStar | A::Rbfs
        );
        let is_endless = algorithm.is_stochastic() || self.exhaust && repeats;
        let limit = is_endless.then_some(ENDLESS_LIMIT);
        let spare = available_memory().map_or(u64::MAX, |bytes| bytes / 2 / at_once as u64);
        if let Some(heuristic) = heuristic.filter(|_| algorithm.is_informed()) {
            settings.heuristic = heuristic.clone();
        }
        settings.weight = self.weight.unwrap_or(settings.weight);
        settings.seed = self.seed;
        let limits = &mut settings.limits;
        limits.expansions = self.limit_expansions.or(limit).unwrap_or(u64::MAX);
        limits.time = self.time.unwrap_or(Duration::MAX);
        limits.memory = self.limit_memory.unwrap_or(spare);
        settings.order = self.order.unwrap_or(Move::ALL);
        settings.expanded = self.expanded;
        settings.ties = self.ties.unwrap_or(settings.ties);
        settings.depth_limit = self.depth_limit;
        settings.width = self.width.map_or(settings.width, NonZero::get);
        settings.restart_steps = self.restart_steps.unwrap_or(settings.restart_steps);
        let (cooling, population) = (&mut settings.cooling, &mut settings.population);
        cooling.start = self.temperature.unwrap_or(cooling.start);
        cooling.steps = self.cooling_steps.unwrap_or(cooling.steps);
        population.size = self.population.unwrap_or(population.size);
        population.genes = self.genes.unwrap_or(population.genes);
        population.mutation = self.mutation.unwrap_or(population.mutation);
        settings
    }

    /// The given options that have no effect on the algorithm.
    pub(in super::super) fn unused(&self, algorithm: Algorithm) -> Vec<&'static str> {
        let best_first = algorithm.is_best_first();
        let deep = matches!(algorithm, A::DepthFirst | A::IterativeDeepening);
        let (weighted, beam) = (algorithm == A::WeightedAStar, algorithm == A::Beam);
        let lists = best_first || algorithm == A::DepthFirst;
        let restarts = algorithm == A::RandomRestart;
        let (anneals, breeds) = (algorithm == A::Annealing, algorithm == A::Genetic);
        let given = [
            ("--weight", self.weight.is_some(), weighted),
            ("--expanded", self.expanded.is_some(), lists),
            ("--ties", self.ties.is_some(), best_first),
            ("--depth-limit", self.depth_limit.is_some(), deep),
            ("--width", self.width.is_some(), beam),
            ("--restart-steps", self.restart_steps.is_some(), restarts),
            ("--temperature", self.temperature.is_some(), anneals),
            ("--cooling-steps", self.cooling_steps.is_some(), anneals),
            ("--population", self.population.is_some(), breeds),
            ("--genes", self.genes.is_some(), breeds),
            ("--mutation", self.mutation.is_some(), breeds),
        ];
        let unused = given.into_iter().filter(|&(_, given, used)| given && !used);
        unused.map(|(name, ..)| name).collect()
    }

    /// The seed.
    pub(in super::super) fn seed(&self) -> u64 {
        self.seed
    }

    /// These options with the defaults of `--format massey`: a strict expanded list and the order U,
    /// R, D, L.
    pub(in super::super) fn or_massey(&self) -> SettingsArgs {
        let order = [Move::Up, Move::Right, Move::Down, Move::Left];
        SettingsArgs {
            order: self.order.or(Some(order)),
            expanded: self.expanded.or(Some(ExpandedList::Strict)),
            ..*self
        }
    }
}
