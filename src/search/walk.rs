//! Walks: searches that keep one path and step from its end, by an estimate, at random, or by genes.

use std::collections::HashMap;
use std::num::NonZero;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxBuildHasher;

use super::nodes::{Place, PlaceOf, solution};
use super::problem::{Heuristic, Problem, Successor};
use super::run::{Engine, Failure, Run, Step};

/// Choice of the next state of a walk.
pub(super) enum Choice {
    /// Any neighbour, at random.
    Random,
    /// Hill climbing: the best neighbour, if it is better than the current state.
    Steepest,
    /// Hill climbing: the first better neighbour in random order.
    FirstBetter,
    /// As [`Choice::Steepest`]; where no neighbour is better the walk goes back to the start, takes 1 to this many
    /// random steps, and climbs again.
    Restarts(NonZero<u32>),
    /// Simulated annealing: a random neighbour. One whose estimate is larger by `d` is taken with the probability
    /// `exp(-d / T)` only (Kirkpatrick, Gelatt and Vecchi, 1983). The temperature `T` falls geometrically from
    /// [`Cooling::start`] to 0.1 moves; then it starts again from the current state.
    Annealing(Cooling),
    /// A genetic algorithm: walks from the start by the genes of individuals, one after the other.
    Genetic(Box<Genes>),
}

/// How the temperature of simulated annealing falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cooling {
    /// Temperature at the start, in moves.
    pub start: f64,
    /// Steps until it is 0.1 moves.
    pub steps: NonZero<u32>,
}

impl Default for Cooling {
    /// From 4 moves, over 20,000 steps.
    fn default() -> Cooling {
        Cooling {
            start: 4.0,
            steps: NonZero::new(20_000).expect("20,000 is not 0"),
        }
    }
}

/// Temperature at the end, in moves.
const END_TEMPERATURE: f64 = 0.1;

/// A walk in progress, from state to state by a choice. A step back to a state of the path removes the cycle.
///
/// It ends with [`Failure::Stuck`] where hill climbing finds no better neighbour, or a state has no successor; or by a
/// limit: other walks may never end without.
pub(super) struct Walker<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    choice: Choice,
    rng: ChaCha8Rng,
    /// The path from the start to the current state, without cycles.
    path: Vec<PlaceOf<P>>,
    /// The place of each state in the path.
    places: HashMap<P::State, usize, FxBuildHasher>,
    /// The state before the current one, also if it is not on the path.
    before: Option<P::State>,
    /// Random steps until the next climb, or steps until the temperature starts again.
    left: u32,
    temperature: f64,
    /// Factor by which the temperature falls with every step.
    cooling: f64,
}

type Neighbour<P> = Successor<<P as Problem>::State, <P as Problem>::Action>;

impl<P: Problem, H: Heuristic<P>> Engine<P> for Walker<'_, P, H> {
    fn step(&mut self, run: &mut Run<'_, P::State>) -> Step<P::Action> {
        let depth = self.path.len() - 1;
        let place = &self.path[depth];
        if self.problem.is_goal(&place.state) {
            return Ok(Some(solution(self.path.iter())));
        }
        let parent = depth.checked_sub(1).map(|before| &self.path[before].state);
        let mut expansion = place.expansion(parent, 1);
        if let Choice::Genetic(genes) = &mut self.choice {
            let Some((depth, queue)) = genes.next(place.h) else {
                self.restart();
                return Ok(None);
            };
            expansion = place.expansion(self.before.as_ref(), queue as u64);
            expansion.depth = depth as u32;
        }
        run.expand(&expansion, || self.memory())?;
        let neighbours = Vec::from_iter(self.problem.successors(&place.state));
        run.figures.generated += neighbours.len() as u64;
        if let Some(next) = self.choose(neighbours)? {
            self.go(next);
        }
        Ok(None)
    }

    fn memory(&self) -> usize {
        let genes = match &self.choice {
            Choice::Genetic(genes) => genes.memory(),
            _ => 0,
        };
        genes
            + self.path.capacity() * size_of::<PlaceOf<P>>()
            + self.places.capacity() * (size_of::<(P::State, usize)>() + 1)
    }
}

impl<'a, P: Problem, H: Heuristic<P>> Walker<'a, P, H> {
    pub(super) fn new(problem: &'a P, heuristic: &'a H, choice: Choice, seed: u64) -> Self {
        let start = Place::start(problem.start(), heuristic);
        Walker {
            problem,
            heuristic,
            choice,
            rng: ChaCha8Rng::seed_from_u64(seed),
            places: HashMap::from_iter([(start.state.clone(), 0)]),
            path: vec![start],
            before: None,
            left: 0,
            temperature: 0.0,
            cooling: 0.0,
        }
    }

    /// Returns the neighbour to step to; `None` to stay, or after a restart.
    fn choose(&mut self, mut neighbours: Vec<Neighbour<P>>) -> Result<Option<PlaceOf<P>>, Failure> {
        let (place, heuristic) = (self.path[self.path.len() - 1].clone(), self.heuristic);
        let after = |neighbour| place.after(heuristic, neighbour);
        let better = |neighbours: Vec<_>| {
            let places = neighbours.into_iter().map(after);
            places.filter(|next| next.h < place.h)
        };
        let chosen = match &mut self.choice {
            Choice::Genetic(genes) => {
                neighbours.retain(|next| Some(&next.state) != self.before.as_ref());
                return Ok(genes.choose(neighbours).map(after));
            }
            Choice::Restarts(_) if self.left > 0 => {
                self.left -= 1;
                Some(after(self.draw(neighbours)?))
            }
            Choice::Random => Some(after(self.draw(neighbours)?)),
            &mut Choice::Annealing(cooling) => {
                let drawn = after(self.draw(neighbours)?);
                return Ok(self.accepts(drawn.h, place.h, cooling).then_some(drawn));
            }
            Choice::FirstBetter => {
                neighbours.shuffle(&mut self.rng);
                better(neighbours).next()
            }
            Choice::Steepest | Choice::Restarts(_) => better(neighbours).min_by_key(|next| next.h),
        };
        if chosen.is_none() {
            let Choice::Restarts(steps) = self.choice else {
                return Err(Failure::Stuck);
            };
            self.restart();
            self.left = self.rng.random_range(1..=steps.get());
        }
        Ok(chosen)
    }

    /// Draws a neighbour.
    fn draw(&mut self, mut neighbours: Vec<Neighbour<P>>) -> Result<Neighbour<P>, Failure> {
        if neighbours.is_empty() {
            return Err(Failure::Stuck);
        }
        Ok(neighbours.swap_remove(self.rng.random_range(0..neighbours.len())))
    }

    /// Steps to a neighbour.
    fn go(&mut self, next: PlaceOf<P>) {
        self.before = self.path.last().map(|place| place.state.clone());
        if let Some(&place) = self.places.get(&next.state) {
            self.back_to(place);
        } else {
            self.places.insert(next.state.clone(), self.path.len());
            self.path.push(next);
        }
    }

    /// Goes back to a place of the path.
    fn back_to(&mut self, place: usize) {
        for removed in self.path.drain(place + 1..) {
            self.places.remove(&removed.state);
        }
    }

    fn restart(&mut self) {
        self.back_to(0);
        self.before = None;
    }

    /// Returns whether annealing steps from the estimate `current` to `h`, and lowers the temperature.
    fn accepts(&mut self, h: u32, current: u32, cooling: Cooling) -> bool {
        if self.left == 0 {
            let steps = f64::from(cooling.steps.get());
            (self.left, self.temperature) = (cooling.steps.get(), cooling.start);
            self.cooling = (END_TEMPERATURE / cooling.start).powf(1.0 / steps);
        }
        let unit = f64::from(self.heuristic.unit());
        let worse = (f64::from(h) - f64::from(current)) / unit;
        let accepts = worse <= 0.0 || self.rng.random::<f64>() < (-worse / self.temperature).exp();
        self.left -= 1;
        self.temperature *= self.cooling;
        accepts
    }
}

/// The population of a genetic algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Population {
    /// Individuals in a generation.
    pub size: NonZero<usize>,
    /// Genes of an individual, which are the actions of its path.
    pub genes: NonZero<usize>,
    /// A gene mutates with a probability of 1 in so many.
    pub mutation: NonZero<u32>,
}

impl Default for Population {
    /// 200 individuals of 64 genes, of which 1 in 32 mutates.
    fn default() -> Population {
        let new = |number| NonZero::new(number).expect("it is not 0");
        Population {
            size: new(200),
            genes: new(64),
            mutation: NonZero::new(32).expect("32 is not 0"),
        }
    }
}

/// Tournament selection: a parent is the fittest of so many random individuals.
const TOURNAMENT: usize = 4;

/// The genes of a genetic algorithm on paths from the start.
///
/// Each gene of an individual chooses one of a state's successors other than its parent. The
/// fitness of an individual is the least estimate on its path, the smaller the better. The fittest
/// of a generation survives; the others of the next come from two parents each, by tournament
/// selection (the fittest of four), one-point crossover, and mutation.
pub(super) struct Genes {
    population: Population,
    /// The genes of each individual.
    individuals: Vec<Vec<u8>>,
    /// The least estimate on the path of each individual so far; the last walks.
    fitness: Vec<u32>,
    /// Index of its next gene.
    at: usize,
    rng: ChaCha8Rng,
}

impl Genes {
    pub(super) fn new(population: Population, seed: u64) -> Genes {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let genes = population.genes.get();
        let mut draw = || (0..genes).map(|_| rng.random()).collect();
        Genes {
            individuals: (0..population.size.get()).map(|_| draw()).collect(),
            population,
            fitness: vec![u32::MAX],
            at: 0,
            rng,
        }
    }

    /// Returns the number of the next gene and that of the individuals, at a state whose estimate is `h`. `None` if there
    /// was none: the next individual walks from the start.
    pub(super) fn next(&mut self, h: u32) -> Option<(usize, usize)> {
        if let Some(least) = self.fitness.last_mut() {
            *least = h.min(*least);
        }
        if self.at < self.population.genes.get() {
            return Some((self.at, self.individuals.len()));
        }
        if self.fitness.len() == self.individuals.len() {
            self.breed();
        }
        self.fitness.push(u32::MAX);
        self.at = 0;
        None
    }

    /// Chooses a neighbour by the next gene; `None` ends the walk if there is none.
    pub(super) fn choose<T>(&mut self, mut neighbours: Vec<T>) -> Option<T> {
        if neighbours.is_empty() {
            self.at = self.population.genes.get();
            return None;
        }
        let gene = self.individuals[self.fitness.len() - 1][self.at];
        self.at += 1;
        Some(neighbours.swap_remove(usize::from(gene) % neighbours.len()))
    }

    /// Replaces the individuals by the fittest of them and children.
    fn breed(&mut self) {
        let (parents, fitness) = (&self.individuals, std::mem::take(&mut self.fitness));
        let (size, genes) = (parents.len(), self.population.genes.get());
        let rng = &mut self.rng;
        let fittest = (0..size).min_by_key(|&i| fitness[i]).unwrap_or(0);
        let mut children = vec![parents[fittest].clone()];
        while children.len() < size {
            let mut parent = || {
                let drawn = (0..TOURNAMENT).map(|_| rng.random_range(0..size));
                drawn.min_by_key(|&i| fitness[i]).unwrap_or(0)
            };
            let (a, b) = (parent(), parent());
            let cut = rng.random_range(0..genes);
            let mut child = parents[a].clone();
            child[cut..].copy_from_slice(&parents[b][cut..]);
            for gene in &mut child {
                if rng.random_ratio(1, self.population.mutation.get()) {
                    *gene = rng.random();
                }
            }
            children.push(child);
        }
        self.individuals = children;
    }

    /// Bytes of two generations.
    pub(super) fn memory(&self) -> usize {
        2 * self.individuals.len() * self.population.genes.get()
    }
}
