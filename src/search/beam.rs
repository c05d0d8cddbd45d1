//! Beam search.

use super::nodes::{Insertion, Node, NodeId, Nodes};
use super::problem::{Heuristic, Problem};
use super::run::{Failure, Run, Solution};

/// Breadth-first search that keeps only the `width` best states of every level by the heuristic.
/// States that were generated before are dropped, so it ends; it may miss the goal.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn beam<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    width: usize,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut nodes = Nodes::new();
    let start = problem.start();
    let h = heuristic.estimate(&start);
    nodes.find_or_insert(start.clone(), || Node::root(start.clone(), h));
    let mut level = vec![0];
    let mut pruned = false;
    let result = if problem.is_goal(&start) {
        Ok(nodes.solution(0))
    } else {
        loop {
            match next_level(problem, heuristic, &mut nodes, &level, run) {
                Ok(Next::Goal(goal)) => break Ok(nodes.solution(goal)),
                Ok(Next::Level(next)) if next.is_empty() => break Err(failure(pruned)),
                Ok(Next::Level(next)) => level = next,
                Err(failure) => break Err(failure),
            }
            level.sort_by_key(|&id| nodes.get(id).h);
            pruned |= level.len() > width;
            level.truncate(width);
        }
    };
    run.figures.closed = run.figures.expansions;
    run.figures.memory = nodes.memory() as u64;
    result
}

/// Returns the reason why a beam search ends without a solution.
fn failure(pruned: bool) -> Failure {
    if pruned {
        Failure::Narrow
    } else {
        Failure::Exhausted
    }
}

enum Next {
    /// The goal was generated.
    Goal(NodeId),
    /// The states of the next level, before the best are chosen.
    Level(Vec<NodeId>),
}

/// Expands all states of a level.
fn next_level<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    nodes: &mut Nodes<P::State, P::Action>,
    level: &[NodeId],
    run: &mut Run<'_, P::State>,
) -> Result<Next, Failure> {
    let mut next = Vec::new();
    for (done, &id) in level.iter().enumerate() {
        let node = nodes.get(id).clone();
        let parent = nodes.parent_state(&node).cloned();
        let expansion = node.expansion(parent.as_ref(), (level.len() - done + next.len()) as u64);
        run.expand(&expansion, || nodes.memory())?;
        for successor in problem.successors(&node.state) {
            if run.returns_to_parent(&successor.state, parent.as_ref()) {
                continue;
            }
            let h = || heuristic.estimate_successor(&node.state, node.h, &successor);
            let new = || Node::child(id, &node, &successor, h());
            match nodes
                .find_or_insert(successor.state.clone(), new)
                .ok_or(Failure::Memory)?
            {
                Insertion::Inserted(new) if problem.is_goal(&successor.state) => {
                    return Ok(Next::Goal(new));
                }
                Insertion::Inserted(new) => next.push(new),
                Insertion::Existing(_) => run.figures.attempted_reexpansions += 1,
            }
        }
        run.record_queue(level.len() - done - 1 + next.len());
    }
    Ok(Next::Level(next))
}
