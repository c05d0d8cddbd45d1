//! Bidirectional search: from the start and from the goal.

use super::nodes::{Insertion, Node, NodeId, Nodes};
use super::problem::{Heuristic, Problem, Reversible, Successor};
use super::queue::Queue;
use super::run::{Failure, Run, Solution};

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
    let mut sides = [Side::new(start), Side::new(goal)];
    let result = loop {
        let widths = sides.each_ref().map(Side::width);
        let side = usize::from(widths[1] < widths[0]); // 0 searches from the start
        if widths[side] == 0 {
            break Err(Failure::Exhausted);
        }
        let (this, other) = match &mut sides {
            [a, b] if side == 0 => (a, b),
            [a, b] => (b, a),
        };
        match this.expand(other, problem, run) {
            Ok(None) => {}
            Ok(Some(meeting)) if side == 0 => break Ok(meeting),
            Ok(Some((from_goal, from_start))) => break Ok((from_start, from_goal)),
            Err(failure) => break Err(failure),
        }
    };
    run.figures.closed = run.figures.expansions;
    run.figures.memory = sides.iter().map(|side| side.nodes.memory() as u64).sum();
    result.map(|(a, b)| join(problem, &sides[0].nodes, a, &sides[1].nodes, b))
}

/// One side of the bidirectional breadth-first search.
struct Side<S, A> {
    nodes: Nodes<S, A>,
    /// The first node of the last level.
    level: NodeId,
}

impl<S: Clone + Eq + std::hash::Hash, A: Copy> Side<S, A> {
    fn new(root: S) -> Side<S, A> {
        let mut nodes = Nodes::new();
        nodes.find_or_insert(root.clone(), || Node::root(root, 0));
        Side { nodes, level: 0 }
    }

    /// Returns the number of states of the last level.
    fn width(&self) -> usize {
        self.nodes.len() - self.level as usize
    }

    /// Expands the last level. Returns the two nodes, here and on the other side, of the first
    /// state that is on both sides.
    fn expand<P: Problem<State = S, Action = A>>(
        &mut self,
        other: &Side<S, A>,
        problem: &P,
        run: &mut Run<'_, S>,
    ) -> Result<Option<(NodeId, NodeId)>, Failure> {
        let end = self.nodes.len() as NodeId;
        for id in std::mem::replace(&mut self.level, end)..end {
            let node = self.nodes.get(id).clone();
            let parent = self.nodes.parent_state(&node).cloned();
            let waiting = self.nodes.len() - id as usize + other.width();
            let expansion = node.expansion(parent.as_ref(), waiting as u64);
            run.expand(&expansion, || self.nodes.memory() + other.nodes.memory())?;
            for successor in problem.successors(&node.state) {
                if run.returns_to_parent(&successor.state, parent.as_ref()) {
                    continue;
                }
                let new = || Node::child(id, &node, &successor, 0);
                let found = self.nodes.find_or_insert(successor.state.clone(), new);
                match found.ok_or(Failure::Memory)? {
                    Insertion::Inserted(new) => {
                        if let Some(opposite) = other.nodes.find(&successor.state) {
                            return Ok(Some((new, opposite)));
                        }
                    }
                    Insertion::Existing(old) => {
                        run.figures.attempted_reexpansions += u64::from(old <= id)
                    }
                }
            }
            run.record_queue(self.nodes.len() - id as usize - 1 + other.width());
        }
        Ok(None)
    }
}

/// Returns the path from the start to a state that is on both sides, and on to the goal.
fn join<P: Reversible>(
    problem: &P,
    from_start: &Nodes<P::State, P::Action>,
    start_side: NodeId,
    from_goal: &Nodes<P::State, P::Action>,
    goal_side: NodeId,
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
pub fn bidirectional_a_star<P: Reversible>(
    problem: &P,
    to_goal: &impl Heuristic<P>,
    to_start: &impl Heuristic<P>,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut forward = Direction::new(problem.start(), to_goal);
    let mut backward = Direction::new(problem.goal(), to_start);
    // The cost of the cheapest solution so far, and its state's nodes forward and backward.
    let mut best: Option<(u64, NodeId, NodeId)> = None;
    if problem.start() == problem.goal() {
        best = Some((0, 0, 0));
    }
    let result = loop {
        let (Some(f), Some(f_backward)) = (forward.least_f(), backward.least_f()) else {
            break best.ok_or(Failure::Exhausted);
        };
        if let Some(best) = best.filter(|&(cost, ..)| {
            let bound = |f: u64, unit: u32| f.div_ceil(u64::from(unit));
            cost <= bound(f, to_goal.unit()).max(bound(f_backward, to_start.unit()))
        }) {
            break Ok(best);
        }
        let expanded = if forward.waiting <= backward.waiting {
            forward.expand(problem, to_goal, &backward, &mut best, run)
        } else {
            let mut swapped = best.map(|(cost, a, b)| (cost, b, a));
            let expanded = backward.expand(problem, to_start, &forward, &mut swapped, run);
            best = swapped.map(|(cost, a, b)| (cost, b, a));
            expanded
        };
        if let Err(failure) = expanded {
            break Err(failure);
        }
    };
    run.figures.memory = (forward.memory() + backward.memory()) as u64;
    result.map(|(_, a, b)| join(problem, &forward.nodes, a, &backward.nodes, b))
}

/// One direction of the bidirectional A*.
struct Direction<S, A> {
    nodes: Nodes<S, A>,
    queue: Queue<(NodeId, u32)>,
    /// The node with the least `f`, after [`Direction::least_f`].
    next: Option<NodeId>,
    /// Entries of the queue that are not stale.
    waiting: u64,
    unit: u64,
}

impl<S: Clone + Eq + std::hash::Hash, A: Copy> Direction<S, A> {
    fn new<P: Problem<State = S, Action = A>>(
        root: S,
        heuristic: &impl Heuristic<P>,
    ) -> Direction<S, A> {
        let mut nodes = Nodes::new();
        let h = heuristic.estimate(&root);
        nodes.find_or_insert(root.clone(), || Node::root(root, h));
        let mut direction = Direction {
            nodes,
            queue: Queue::new(),
            next: None,
            waiting: 1,
            unit: u64::from(heuristic.unit()),
        };
        direction.enqueue(0);
        direction
    }

    fn enqueue(&mut self, id: NodeId) {
        let node = self.nodes.get(id);
        let f = self.unit * u64::from(node.g) + u64::from(node.h);
        self.queue.push(f.into(), (id, node.g));
    }

    /// Returns the least `f` of a waiting state, in units; drops stale entries.
    fn least_f(&mut self) -> Option<u64> {
        while let Some((id, g)) = self.queue.pop() {
            let node = self.nodes.get(id);
            if !node.closed && node.g == g {
                let f = self.unit * u64::from(g) + u64::from(node.h);
                self.queue.push(f.into(), (id, g));
                self.next = Some(id);
                return Some(f);
            }
        }
        None
    }

    /// Expands the node with the least `f`. `best` becomes the cheapest solution through one of its
    /// successors, if it is cheaper.
    fn expand<P: Problem<State = S, Action = A>>(
        &mut self,
        problem: &P,
        heuristic: &impl Heuristic<P>,
        other: &Direction<S, A>,
        best: &mut Option<(u64, NodeId, NodeId)>,
        run: &mut Run<'_, S>,
    ) -> Result<(), Failure> {
        let Some(id) = self.next.take() else {
            return Ok(());
        };
        let node = self.nodes.get(id).clone();
        let parent = self.nodes.parent_state(&node).cloned();
        let expansion = node.expansion(parent.as_ref(), self.waiting + other.waiting);
        run.expand(&expansion, || self.memory() + other.memory())?;
        self.waiting -= 1;
        run.figures.reexpansions += u64::from(node.expanded);
        run.figures.closed += u64::from(!node.expanded);
        let closing = self.nodes.get_mut(id);
        (closing.closed, closing.expanded) = (true, true);
        for successor in problem.successors(&node.state) {
            if run.returns_to_parent(&successor.state, parent.as_ref()) {
                continue;
            }
            let h = || heuristic.estimate_successor(&node.state, node.h, &successor);
            let Some(new) = self.insert(id, &node, &successor, h, run)? else {
                continue;
            };
            if let Some(opposite) = other.nodes.find(&successor.state) {
                let cost =
                    u64::from(self.nodes.get(new).g) + u64::from(other.nodes.get(opposite).g);
                if best.is_none_or(|(least, ..)| cost < least) {
                    *best = Some((cost, new, opposite));
                }
            }
        }
        run.record_queue((self.waiting + other.waiting) as usize);
        Ok(())
    }

    /// Inserts a successor of `parent`, which has the index `id`. Returns its node, unless the state
    /// is known by a path that is no worse.
    fn insert(
        &mut self,
        id: NodeId,
        parent: &Node<S, A>,
        successor: &Successor<S, A>,
        h: impl FnOnce() -> u32,
        run: &mut Run<'_, S>,
    ) -> Result<Option<NodeId>, Failure> {
        let new = || Node::child(id, parent, successor, h());
        let found = self.nodes.find_or_insert(successor.state.clone(), new);
        let new = match found.ok_or(Failure::Memory)? {
            Insertion::Inserted(new) => {
                self.waiting += 1;
                new
            }
            Insertion::Existing(old) => {
                let known = self.nodes.get_mut(old);
                let g = parent.g + successor.cost;
                if known.g <= g {
                    run.figures.attempted_reexpansions += u64::from(known.closed);
                    return Ok(None);
                }
                run.figures.replaced += u64::from(!known.closed);
                self.waiting += u64::from(known.closed);
                known.parent = Some((id, successor.action));
                (known.g, known.depth, known.closed) = (g, parent.depth + 1, false);
                old
            }
        };
        self.enqueue(new);
        Ok(Some(new))
    }

    fn memory(&self) -> usize {
        self.nodes.memory() + self.queue.memory()
    }
}
