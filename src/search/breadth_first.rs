//! Breadth-first search.

use super::nodes::{Insertion, Node, NodeId, Nodes};
use super::problem::Problem;
use super::run::{Failure, Run, Solution};

/// Expands states in the order in which they were first generated, until the goal is generated.
///
/// The goal test is made on generation, so no state of the goal's depth is expanded (Russell and
/// Norvig, figure 3.9). The solution has the fewest actions, whatever they cost.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn breadth_first<P: Problem>(
    problem: &P,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    // Nodes are in the order of their generation, so they are the queue themselves.
    let mut nodes = Nodes::new();
    let start = problem.start();
    nodes.find_or_insert(start.clone(), || Node::root(start.clone(), 0));
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

/// Expands a node. Returns the goal's node if it is generated.
fn expand<P: Problem>(
    problem: &P,
    nodes: &mut Nodes<P::State, P::Action>,
    id: NodeId,
    run: &mut Run<'_, P::State>,
) -> Result<Option<NodeId>, Failure> {
    let node = nodes.get(id).clone();
    let parent = nodes.parent_state(&node).cloned();
    let expansion = node.expansion(parent.as_ref(), nodes.len() as u64 - u64::from(id));
    run.expand(&expansion, || nodes.memory())?;
    for successor in problem.successors(&node.state) {
        if run.returns_to_parent(&successor.state, parent.as_ref()) {
            continue;
        }
        let new = || Node::child(id, &node, &successor, 0);
        let found = nodes.find_or_insert(successor.state.clone(), new);
        match found.ok_or(Failure::Memory)? {
            Insertion::Inserted(new) => {
                run.record_queue(nodes.len() - id as usize - 1);
                if problem.is_goal(&successor.state) {
                    return Ok(Some(new));
                }
            }
            Insertion::Existing(old) => run.figures.attempted_reexpansions += u64::from(old <= id),
        }
    }
    Ok(None)
}
