//! Bidirectional search: from the start and from the goal.

use super::best_first::{BestFirstOptions, TieBreaker, Ties, f_by};
use super::frontier::{ByKey, Duplicates, Frontier, InOrder, NodesOf};
use super::nodes::NodeId;
use super::problem::{Heuristic, Reversible, Zero};
use super::run::{Failure, Run, Solution};

/// The nodes of a state on both sides.
type Meeting = [NodeId; 2];

/// Bidirectional breadth-first search: the side with the smaller last level expands it next.
///
/// The first state that both sides have generated lies on a solution with the fewest actions, as
/// the levels before were finished without a common state.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn bidirectional_breadth_first<P: Reversible>(
    problem: &P,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let (start, goal) = (problem.start(), problem.goal());
    if start == goal {
        return Ok(Solution {
            actions: Vec::new(),
            cost: 0,
        });
    }
    let side = |root| Frontier::new(problem, root, &Zero, Duplicates::Drop, InOrder::default());
    let mut sides = [side(start), side(goal)];
    let mut meet = || {
        loop {
            // Between levels only those of the last level wait.
            let widths = sides.each_ref().map(|side| side.waiting);
            let side = usize::from(widths[1] < widths[0]); // 0 searches from the start
            if widths[side] == 0 {
                return Err(Failure::Exhausted);
            }
            let (this, other) = pair(&mut sides, side);
            for _ in 0..widths[side] {
                let id = this.next().expect("a level has as many nodes as wait");
                let mut opposite = None;
                let met = this.expand(id, Some(other), run, |new, nodes| {
                    opposite = other.nodes.find(&nodes.get(new).state);
                    opposite.is_some()
                })?;
                if let Some(meeting) = met.zip(opposite) {
                    return Ok(in_order(side, meeting));
                }
            }
        }
    };
    let meeting = meet();
    run.figures.memory = sides.iter().map(|side| side.nodes.memory() as u64).sum();
    meeting.map(|meeting| join(problem, [&sides[0].nodes, &sides[1].nodes], meeting))
}

/// Returns one of two sides, and the other.
fn pair<T>(sides: &mut [T; 2], side: usize) -> (&mut T, &T) {
    let [first, second] = sides;
    if side == 0 {
        (first, second)
    } else {
        (second, first)
    }
}

/// Returns the nodes of a meeting, the start's side first.
fn in_order(side: usize, (this, other): (NodeId, NodeId)) -> Meeting {
    if side == 0 {
        [this, other]
    } else {
        [other, this]
    }
}

/// Returns the path from the start to a state that is on both sides, and on to the goal.
fn join<P: Reversible>(
    problem: &P,
    [from_start, from_goal]: [&NodesOf<P>; 2],
    [start_side, goal_side]: Meeting,
) -> Solution<P::Action> {
    let mut solution = from_start.solution(start_side);
    let rest = from_goal.solution(goal_side);
    let inverse = |&action: &P::Action| problem.inverse(action);
    (solution.actions).extend(rest.actions.iter().rev().map(inverse));
    solution.cost += rest.cost;
    solution
}

/// Front-to-end bidirectional A*: one A* from the start by a heuristic for the distance to the
/// goal, one from the goal by a heuristic for the distance to the start; the one with fewer waiting
/// states expands next (Pohl, 1971).
///
/// It ends when the cheapest solution so far costs no more than the larger of the two least `f`
/// that wait. With admissible heuristics the solution is optimal. `g`, `h` and depth of an
/// expansion are those of the side that expands.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn bidirectional_a_star<P: Reversible, H: Heuristic<P>>(
    problem: &P,
    to_goal: &H,
    to_start: &H,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let (start, goal) = (problem.start(), problem.goal());
    // The cost of the cheapest solution so far, and its state's nodes.
    let mut best: Option<(u64, Meeting)> = (start == goal).then_some((0, [0, 0]));
    let units = [to_goal, to_start].map(|heuristic| u64::from(heuristic.unit()));
    let side = |root, heuristic, unit| {
        let options = BestFirstOptions {
            ties: Ties::Lifo,
            ..BestFirstOptions::default()
        };
        let open = ByKey::new(TieBreaker::new(f_by(unit), &options));
        Frontier::new(problem, root, heuristic, Duplicates::Reopen, open)
    };
    let mut sides = [
        side(start, to_goal, units[0]),
        side(goal, to_start, units[1]),
    ];
    // The nodes that the sides expand next.
    let mut next: [Option<NodeId>; 2] = [None, None];
    let mut find = || {
        loop {
            for (side, next) in sides.iter_mut().zip(&mut next) {
                *next = next.or_else(|| side.next());
            }
            let [Some(a), Some(b)] = next else {
                return best.ok_or(Failure::Exhausted);
            };
            let bound = |side: usize, id| {
                let node = sides[side].nodes.get(id);
                u64::from(node.g) + u64::from(node.h).div_ceil(units[side])
            };
            let least = bound(0, a).max(bound(1, b));
            if let Some(best) = best.filter(|&(cost, _)| cost <= least) {
                return Ok(best);
            }
            let side = usize::from(sides[1].waiting < sides[0].waiting);
            let id = next[side].take().unwrap_or_default();
            let (this, other) = pair(&mut sides, side);
            this.expand(id, Some(other), run, |new, nodes| {
                let node = nodes.get(new);
                if let Some(opposite) = other.nodes.find(&node.state) {
                    let cost = u64::from(node.g) + u64::from(other.nodes.get(opposite).g);
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, in_order(side, (new, opposite))));
                    }
                }
                false
            })?;
        }
    };
    let found = find();
    run.figures.memory = sides.iter().map(|side| side.memory() as u64).sum();
    found.map(|(_, meeting)| join(problem, [&sides[0].nodes, &sides[1].nodes], meeting))
}
