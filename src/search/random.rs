//! Uninformed random searches.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::nodes::{Insertion, Node, NodeId, Nodes};
use super::problem::Problem;
use super::run::{Expansion, Failure, Run, Solution};
use super::walk::Walk;

/// Makes a random walk. Cycles are removed from its path.
///
/// # Errors
/// A [`Failure`] by a limit, as it may never end without; [`Failure::Stuck`] where a state has no
/// successor.
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
            parent: walk.parent(),
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
        walk.step(successors.swap_remove(rng.random_range(0..successors.len())));
    };
    run.figures.memory = walk.memory() as u64;
    result
}

/// Expands a random state of those that wait, and no state twice.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn random_frontier<P: Problem>(
    problem: &P,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut nodes = Nodes::new();
    let start = problem.start();
    nodes.find_or_insert(start.clone(), || Node::root(start.clone(), 0));
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

/// Expands a node that was taken from the frontier, and adds new nodes to it.
fn expand<P: Problem>(
    problem: &P,
    nodes: &mut Nodes<P::State, P::Action>,
    id: NodeId,
    frontier: &mut Vec<NodeId>,
    run: &mut Run<'_, P::State>,
) -> Result<(), Failure> {
    let node = nodes.get(id).clone();
    let parent = nodes.parent_state(&node).cloned();
    let expansion = node.expansion(parent.as_ref(), frontier.len() as u64 + 1);
    run.expand(&expansion, || nodes.memory())?;
    nodes.get_mut(id).closed = true;
    for successor in problem.successors(&node.state) {
        if run.returns_to_parent(&successor.state, parent.as_ref()) {
            continue;
        }
        let new = || Node::child(id, &node, &successor, 0);
        let found = nodes.find_or_insert(successor.state.clone(), new);
        match found.ok_or(Failure::Memory)? {
            Insertion::Inserted(new) => frontier.push(new),
            Insertion::Existing(old) => {
                run.figures.attempted_reexpansions += u64::from(nodes.get(old).closed);
            }
        }
    }
    run.record_queue(frontier.len());
    Ok(())
}
