//! A genetic algorithm.

use std::num::NonZero;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::problem::{Heuristic, Problem};
use super::run::{Expansion, Failure, Run, Solution};
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
pub fn genetic<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    population: &Population,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (size, genes) = (population.size.get(), population.genes.get());
    let mut parents: Vec<Vec<u8>> = (0..size)
        .map(|_| (0..genes).map(|_| rng.random()).collect())
        .collect();
    run.figures.memory = (size * genes) as u64 * 2;
    loop {
        let mut fitness = Vec::with_capacity(size);
        for genes in &parents {
            match evaluate(problem, heuristic, genes, size, run)? {
                Evaluation::Solved(solution) => return Ok(solution),
                Evaluation::Fitness(least) => fitness.push(least),
            }
        }
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
                if rng.random_ratio(1, population.mutation.get()) {
                    *gene = rng.random();
                }
            }
            children.push(child);
        }
        parents = children;
    }
}

enum Evaluation<A> {
    Solved(Solution<A>),
    /// The least estimate on the path.
    Fitness(u32),
}

/// Takes the actions that the genes choose.
fn evaluate<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    genes: &[u8],
    size: usize,
    run: &mut Run<'_, P::State>,
) -> Result<Evaluation<P::Action>, Failure> {
    let mut walk = Walk::new(problem.start());
    let mut parent: Option<P::State> = None;
    let mut h = heuristic.estimate(walk.state());
    let mut least = h;
    for (depth, &gene) in (0..).zip(genes) {
        let state = walk.state();
        if problem.is_goal(state) {
            return Ok(Evaluation::Solved(walk.solution()));
        }
        let expansion = Expansion {
            state,
            parent: parent.as_ref(),
            g: walk.cost(),
            h,
            depth,
            queue: size as u64,
        };
        run.expand(&expansion, || 0)?;
        let mut choices: Vec<_> = problem.successors(state).collect();
        run.figures.generated += choices.len() as u64;
        choices.retain(|choice| Some(&choice.state) != parent.as_ref());
        if choices.is_empty() {
            break;
        }
        let chosen = choices.swap_remove(usize::from(gene) % choices.len());
        h = heuristic.estimate_successor(state, h, &chosen);
        least = least.min(h);
        parent = Some(state.clone());
        walk.step(chosen);
    }
    if problem.is_goal(walk.state()) {
        return Ok(Evaluation::Solved(walk.solution()));
    }
    Ok(Evaluation::Fitness(least))
}
