//! A genetic algorithm.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::problem::{Heuristic, Problem};
use super::run::{Expansion, Failure, Run, Solution};
use super::walk::Walk;

/// Individuals in a generation.
const POPULATION: usize = 200;
/// Genes of an individual.
const GENES: usize = 64;
/// Tournament selection: a parent is the fittest of so many random individuals.
const TOURNAMENT: usize = 4;
/// A gene mutates with a probability of 1 in so many.
const MUTATION: u32 = 32;

/// Runs a genetic algorithm on paths of up to 64 actions from the start.
///
/// An individual has 64 genes; each chooses one of a state's successors other than its parent. The
/// fitness of an individual is the least estimate on its path, the smaller the better. Of the 200
/// individuals of a generation the fittest survives; the other 199 of the next come from two parents
/// each, by tournament selection (the fittest of four), one-point crossover, and mutation of each
/// gene with a probability of 1/32.
///
/// # Errors
/// A [`Failure`] by a limit: without limits it may never end.
pub fn genetic<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut population: Vec<[u8; GENES]> = (0..POPULATION)
        .map(|_| std::array::from_fn(|_| rng.random()))
        .collect();
    run.figures.memory = size_of_val(population.as_slice()) as u64 * 2;
    loop {
        let mut fitness = Vec::with_capacity(POPULATION);
        for genes in &population {
            match evaluate(problem, heuristic, genes, run)? {
                Evaluation::Solved(solution) => return Ok(solution),
                Evaluation::Fitness(least) => fitness.push(least),
            }
        }
        let fittest = (0..POPULATION).min_by_key(|&i| fitness[i]).unwrap_or(0);
        let mut children = vec![population[fittest]];
        while children.len() < POPULATION {
            let mut parent = || {
                let drawn = (0..TOURNAMENT).map(|_| rng.random_range(0..POPULATION));
                drawn.min_by_key(|&i| fitness[i]).unwrap_or(0)
            };
            let (a, b) = (parent(), parent());
            let cut = rng.random_range(0..GENES);
            let mut child = population[a];
            child[cut..].copy_from_slice(&population[b][cut..]);
            for gene in &mut child {
                if rng.random_ratio(1, MUTATION) {
                    *gene = rng.random();
                }
            }
            children.push(child);
        }
        population = children;
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
            queue: POPULATION as u64,
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
