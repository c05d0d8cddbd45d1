//! Breadth-first search.

use super::nodes::{Found, Node, NodeId, Nodes};
use super::problem::Problem;
use super::run::{Failure, Run, Solution};

/// Expands states in the order in which they were first met, until the goal is generated.
///
/// The goal is looked for among the successors, so no state of the goal's depth is expanded
/// (Russell and Norvig, figure 3.9). The solution has the fewest actions, whatever they cost.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
pub fn breadth_first<P: Problem>(
    problem: &P,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    // Nodes are numbered in the order of their arrival, so they are the queue themselves.
    let mut nodes = Nodes::new();
    let start = problem.start();
    nodes.find_or(start.clone(), || Node::start(start.clone(), 0));
    if problem.is_goal(&start) {
        return Ok(nodes.solution(0));
    }
    let mut next: NodeId = 0;
    let result = loop {
        if next as usize == nodes.len() {
            break Err(Failure::Exhausted);
        }
        match expand(problem, &mut nodes, next, run) {
            Ok(None) => next += 1,
            Ok(Some(goal)) => break Ok(nodes.solution(goal)),
            Err(failure) => break Err(failure),
        }
    };
    run.figures.closed = run.figures.expansions;
    run.figures.memory = nodes.memory() as u64;
    result
}

/// Expands a node; the goal's node if the goal is met.
fn expand<P: Problem>(
    problem: &P,
    nodes: &mut Nodes<P::State, P::Action>,
    id: NodeId,
    run: &mut Run<'_, P::State>,
) -> Result<Option<NodeId>, Failure> {
    let node = nodes.get(id).clone();
    let parent = nodes.parent(&node).cloned();
    let expansion = node.expansion(parent.as_ref(), nodes.len() as u64 - u64::from(id));
    run.expand(&expansion, || nodes.memory())?;
    for successor in problem.successors(&node.state) {
        if run.is_way_back(&successor.state, parent.as_ref()) {
            continue;
        }
        let new = || Node::after(id, &node, &successor, 0);
        let found = nodes.find_or(successor.state.clone(), new);
        match found.ok_or(Failure::Memory)? {
            Found::New(new) => {
                run.waiting(nodes.len() - id as usize - 1);
                if problem.is_goal(&successor.state) {
                    return Ok(Some(new));
                }
            }
            Found::Old(old) => run.figures.attempted_reexpansions += u64::from(old <= id),
        }
    }
    Ok(None)
}
