//! A genetic algorithm.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::problem::{Heuristic, Problem};
use super::run::{Expansion, Failure, Run, Solution};
use super::walk::Walk;

/// Individuals of a generation.
const POPULATION: usize = 200;
/// Genes of an individual.
const GENES: usize = 64;
/// Individuals that are drawn to choose a parent: the fittest of them it is.
const TOURNAMENT: usize = 4;
/// The chance that a gene changes, one in so many.
const MUTATION: u32 = 32;

/// Breeds ways. An individual is a list of 64 genes, each of which chooses one of a state's
/// successors other than the state before; it is the fitter the smaller the least estimate on its way is.
/// Parents are the fittest of four, children take the first part of one and the rest of the
/// other, one gene in 32 changes, and the fittest of all lives on.
///
/// # Errors
/// A limit: it never gives up by itself.
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
            match live(problem, heuristic, genes, run)? {
                Life::Solved(solution) => return Ok(solution),
                Life::Fitness(least) => fitness.push(least),
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

enum Life<A> {
    Solved(Solution<A>),
    /// The least estimate on the way.
    Fitness(u32),
}

/// Goes the way that the genes spell.
fn live<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    genes: &[u8],
    run: &mut Run<'_, P::State>,
) -> Result<Life<P::Action>, Failure> {
    let mut walk = Walk::new(problem.start());
    let mut before: Option<P::State> = None;
    let mut h = heuristic.estimate(walk.state());
    let mut least = h;
    for (depth, &gene) in (0..).zip(genes) {
        let state = walk.state();
        if problem.is_goal(state) {
            return Ok(Life::Solved(walk.solution()));
        }
        let expansion = Expansion {
            state,
            parent: before.as_ref(),
            g: walk.cost(),
            h,
            depth,
            queue: POPULATION as u64,
        };
        run.expand(&expansion, || 0)?;
        let mut choices: Vec<_> = problem.successors(state).collect();
        run.figures.generated += choices.len() as u64;
        choices.retain(|choice| Some(&choice.state) != before.as_ref());
        if choices.is_empty() {
            break;
        }
        let chosen = choices.swap_remove(usize::from(gene) % choices.len());
        h = heuristic.after(state, h, &chosen);
        least = least.min(h);
        before = Some(state.clone());
        walk.go(chosen);
    }
    if problem.is_goal(walk.state()) {
        return Ok(Life::Solved(walk.solution()));
    }
    Ok(Life::Fitness(least))
}
