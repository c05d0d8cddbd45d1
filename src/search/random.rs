//! Searches that know nothing and draw.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::nodes::{Found, Node, NodeId, Nodes};
use super::problem::Problem;
use super::run::{Expansion, Failure, Run, Solution};
use super::walk::Walk;

/// Takes one random action after the other. Of the way that it went, loops are cut out.
///
/// # Errors
/// A limit: it never gives up by itself.
pub fn random_walk<P: Problem>(
    problem: &P,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut walk = Walk::new(problem.start());
    let result = loop {
        let state = walk.state();
        if problem.is_goal(state) {
            break Ok(walk.solution());
        }
        let expansion = Expansion {
            state,
            parent: walk.before(),
            g: walk.cost(),
            h: 0,
            depth: walk.len() as u32,
            queue: 1,
        };
        if let Err(failure) = run.expand(&expansion, || walk.memory()) {
            break Err(failure);
        }
        let mut successors: Vec<_> = problem.successors(state).collect();
        run.figures.generated += successors.len() as u64;
        if successors.is_empty() {
            break Err(Failure::Stuck);
        }
        walk.go(successors.swap_remove(rng.random_range(0..successors.len())));
    };
    run.figures.memory = walk.memory() as u64;
    result
}

/// Expands a random one of the states that wait, and never a state twice.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
pub fn random_frontier<P: Problem>(
    problem: &P,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut nodes = Nodes::new();
    let start = problem.start();
    nodes.find_or(start.clone(), || Node::start(start.clone(), 0));
    let mut frontier = vec![0];
    let result = loop {
        if frontier.is_empty() {
            break Err(Failure::Exhausted);
        }
        let id = frontier.swap_remove(rng.random_range(0..frontier.len()));
        if problem.is_goal(&nodes.get(id).state) {
            break Ok(nodes.solution(id));
        }
        if let Err(failure) = expand(problem, &mut nodes, id, &mut frontier, run) {
            break Err(failure);
        }
    };
    run.figures.closed = run.figures.expansions;
    run.figures.memory = nodes.memory() as u64;
    result
}

/// Expands a node that was taken from the frontier; new ones go there.
fn expand<P: Problem>(
    problem: &P,
    nodes: &mut Nodes<P::State, P::Action>,
    id: NodeId,
    frontier: &mut Vec<NodeId>,
    run: &mut Run<'_, P::State>,
) -> Result<(), Failure> {
    let node = nodes.get(id).clone();
    let parent = nodes.parent(&node).cloned();
    let expansion = node.expansion(parent.as_ref(), frontier.len() as u64 + 1);
    run.expand(&expansion, || nodes.memory())?;
    nodes.get_mut(id).closed = true;
    for successor in problem.successors(&node.state) {
        if run.is_way_back(&successor.state, parent.as_ref()) {
            continue;
        }
        let new = || Node::after(id, &node, &successor, 0);
        let found = nodes.find_or(successor.state.clone(), new);
        match found.ok_or(Failure::Memory)? {
            Found::New(new) => frontier.push(new),
            Found::Old(old) => {
                run.figures.attempted_reexpansions += u64::from(nodes.get(old).closed);
            }
        }
    }
    run.waiting(frontier.len());
    Ok(())
}
