//! A genetic algorithm.

use std::num::NonZero;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

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
