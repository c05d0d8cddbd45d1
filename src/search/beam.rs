//! Beam search.

use super::nodes::{Found, Node, NodeId, Nodes};
use super::problem::{Heuristic, Problem};
use super::run::{Failure, Run, Solution};

/// Breadth-first search that keeps only the `width` best states of every level by the heuristic.
/// A state that was met before is not met again, so it ends; it may miss the goal.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
pub fn beam<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    width: usize,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut nodes = Nodes::new();
    let start = problem.start();
    let h = heuristic.estimate(&start);
    nodes.find_or(start.clone(), || Node::start(start.clone(), h));
    let mut level = vec![0];
    let mut thrown_away = false;
    let result = if problem.is_goal(&start) {
        Ok(nodes.solution(0))
    } else {
        loop {
            match next_level(problem, heuristic, &mut nodes, &level, run) {
                Ok(Next::Goal(goal)) => break Ok(nodes.solution(goal)),
                Ok(Next::Level(next)) if next.is_empty() => break Err(failure(thrown_away)),
                Ok(Next::Level(next)) => level = next,
                Err(failure) => break Err(failure),
            }
            level.sort_by_key(|&id| nodes.get(id).h);
            thrown_away |= level.len() > width;
            level.truncate(width);
        }
    };
    run.figures.closed = run.figures.expansions;
    run.figures.memory = nodes.memory() as u64;
    result
}

/// Why a beam search ends without a solution.
fn failure(thrown_away: bool) -> Failure {
    match thrown_away {
        true => Failure::Narrow,
        false => Failure::Exhausted,
    }
}

enum Next {
    Goal(NodeId),
    Level(Vec<NodeId>),
}

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
        let parent = nodes.parent(&node).cloned();
        let expansion = node.expansion(parent.as_ref(), (level.len() - done + next.len()) as u64);
        run.expand(&expansion, || nodes.memory())?;
        for successor in problem.successors(&node.state) {
            if run.is_way_back(&successor.state, parent.as_ref()) {
                continue;
            }
            let h = || heuristic.after(&node.state, node.h, &successor);
            let new = || Node::after(id, &node, &successor, h());
            match nodes
                .find_or(successor.state.clone(), new)
                .ok_or(Failure::Memory)?
            {
                Found::New(new) if problem.is_goal(&successor.state) => return Ok(Next::Goal(new)),
                Found::New(new) => next.push(new),
                Found::Old(_) => run.figures.attempted_reexpansions += 1,
            }
        }
        run.waiting(level.len() - done - 1 + next.len());
    }
    Ok(Next::Level(next))
}
