//! A genetic algorithm.

use std::num::NonZero;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::engine::{Engine, Step, drive};
use super::problem::{Heuristic, Problem};
use super::run::{Failure, Run, Solution};
use super::walk::Walk;

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

/// Runs a genetic algorithm on paths from the start.
///
/// Each gene of an individual chooses one of a state's successors other than its parent. The
/// fitness of an individual is the least estimate on its path, the smaller the better. The fittest
/// of a generation survives; the others of the next come from two parents each, by tournament
/// selection (the fittest of four), one-point crossover, and mutation.
///
/// # Errors
/// A [`Failure`] by a limit: without limits it may never end.
pub(super) fn genetic<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    population: &Population,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let genes = population.genes.get();
    let mut draw = || (0..genes).map(|_| rng.random()).collect();
    let individuals = (0..population.size.get()).map(|_| draw()).collect();
    let mut generation = Generation {
        problem,
        heuristic,
        population,
        individuals,
        fitness: Vec::new(),
        rng,
    };
    drive(&mut generation, run)
}

/// A genetic search in progress.
struct Generation<'a, P, H> {
    problem: &'a P,
    heuristic: &'a H,
    population: &'a Population,
    /// The genes of each individual.
    individuals: Vec<Vec<u8>>,
    /// The least estimate on the path of each individual so far.
    fitness: Vec<u32>,
    rng: ChaCha8Rng,
}

impl<P: Problem, H: Heuristic<P>> Engine<P> for Generation<'_, P, H> {
    /// Walks the path of the next individual: expands all its states.
    fn step(&mut self, run: &mut Run<'_, P::State>) -> Step<P::Action> {
        if self.fitness.len() == self.individuals.len() {
            self.breed();
        }
        let genes = &self.individuals[self.fitness.len()];
        let mut walk = Walk::new(self.problem.start());
        let mut parent: Option<P::State> = None;
        let mut h = self.heuristic.estimate(walk.state());
        let mut least = h;
        for (depth, &gene) in (0..).zip(genes) {
            let state = walk.state();
            if self.problem.is_goal(state) {
                return Ok(Some(walk.solution()));
            }
            let mut expansion = walk.expansion(parent.as_ref(), h, self.individuals.len() as u64);
            expansion.depth = depth;
            run.expand(&expansion, || self.memory())?;
            let mut choices: Vec<_> = self.problem.successors(state).collect();
            run.figures.generated += choices.len() as u64;
            choices.retain(|choice| Some(&choice.state) != parent.as_ref());
            if choices.is_empty() {
                break;
            }
            let chosen = choices.swap_remove(usize::from(gene) % choices.len());
            h = self.heuristic.estimate_successor(state, h, &chosen);
            least = least.min(h);
            parent = Some(state.clone());
            walk.step(chosen);
        }
        if self.problem.is_goal(walk.state()) {
            return Ok(Some(walk.solution()));
        }
        self.fitness.push(least);
        Ok(None)
    }

    /// Bytes of two generations.
    fn memory(&self) -> usize {
        2 * self.individuals.len() * self.population.genes.get()
    }
}

impl<P, H> Generation<'_, P, H> {
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
}
