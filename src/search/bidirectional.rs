//! Searches from both ends.

use super::nodes::{Found, Node, NodeId, Nodes};
use super::problem::{Heuristic, Problem, Reversible, Successor};
use super::queue::Queue;
use super::run::{Failure, Run, Solution};

/// Breadth-first search from both ends, level by level, the smaller level first.
///
/// The first state that both ends know lies on a solution with the fewest actions, because a
/// level is expanded only if the levels before it have not met.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
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
    let mut ends = [Level::new(start), Level::new(goal)];
    let result = loop {
        let widths = ends.each_ref().map(|end| end.width());
        let side = usize::from(widths[1] < widths[0]);
        if widths[side] == 0 {
            break Err(Failure::Exhausted);
        }
        let (this, other) = match &mut ends {
            [a, b] if side == 0 => (a, b),
            [a, b] => (b, a),
        };
        match this.expand(other, problem, run) {
            Ok(None) => {}
            Ok(Some(meeting)) if side == 0 => break Ok(meeting),
            Ok(Some((mine, others))) => break Ok((others, mine)),
            Err(failure) => break Err(failure),
        }
    };
    run.figures.closed = run.figures.expansions;
    run.figures.memory = ends.iter().map(|end| end.nodes.memory() as u64).sum();
    result.map(|(there, back)| join(problem, &ends[0].nodes, there, &ends[1].nodes, back))
}

/// One end's nodes; those from `begin` on are its last level.
struct Level<S, A> {
    nodes: Nodes<S, A>,
    begin: NodeId,
}

impl<S: Clone + Eq + std::hash::Hash, A: Copy> Level<S, A> {
    fn new(root: S) -> Level<S, A> {
        let mut nodes = Nodes::new();
        nodes.find_or(root.clone(), || Node::start(root, 0));
        Level { nodes, begin: 0 }
    }

    fn width(&self) -> usize {
        self.nodes.len() - self.begin as usize
    }

    /// Expands the last level; the two nodes of a state that both ends know.
    fn expand<P: Problem<State = S, Action = A>>(
        &mut self,
        other: &Level<S, A>,
        problem: &P,
        run: &mut Run<'_, S>,
    ) -> Result<Option<(NodeId, NodeId)>, Failure> {
        let end = self.nodes.len() as NodeId;
        for id in std::mem::replace(&mut self.begin, end)..end {
            let node = self.nodes.get(id).clone();
            let parent = self.nodes.parent(&node).cloned();
            let waiting = self.nodes.len() - id as usize + other.width();
            let expansion = node.expansion(parent.as_ref(), waiting as u64);
            run.expand(&expansion, || self.nodes.memory() + other.nodes.memory())?;
            for successor in problem.successors(&node.state) {
                if run.is_way_back(&successor.state, parent.as_ref()) {
                    continue;
                }
                let new = || Node::after(id, &node, &successor, 0);
                let found = self.nodes.find_or(successor.state.clone(), new);
                match found.ok_or(Failure::Memory)? {
                    Found::New(new) => {
                        if let Some(met) = other.nodes.find(&successor.state) {
                            return Ok(Some((new, met)));
                        }
                    }
                    Found::Old(old) => run.figures.attempted_reexpansions += u64::from(old <= id),
                }
            }
            run.waiting(self.nodes.len() - id as usize - 1 + other.width());
        }
        Ok(None)
    }
}

/// The way from the start to a meeting and on to the goal.
fn join<P: Reversible>(
    problem: &P,
    from_start: &Nodes<P::State, P::Action>,
    there: NodeId,
    from_goal: &Nodes<P::State, P::Action>,
    back: NodeId,
) -> Solution<P::Action> {
    let mut solution = from_start.solution(there);
    let rest = from_goal.solution(back);
    let inverse = |&action: &P::Action| problem.inverse(action);
    (solution.actions).extend(rest.actions.iter().rev().map(inverse));
    solution.cost += rest.cost;
    solution
}

/// A* from both ends, each led by its own heuristic to the other end (front-to-end), the end with
/// fewer waiting states first (Pohl, 1971).
///
/// It ends when the best meeting costs no more than what either end could still find. With
/// heuristics that never overestimate, the solution is a cheapest one. The estimates of the
/// trace and the depth of the figures are those of the end that expands.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
pub fn bidirectional_a_star<P: Reversible>(
    problem: &P,
    to_goal: &impl Heuristic<P>,
    to_start: &impl Heuristic<P>,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut there = End::new(problem.start(), to_goal);
    let mut back = End::new(problem.goal(), to_start);
    let mut best: Option<(u64, NodeId, NodeId)> = None;
    if problem.start() == problem.goal() {
        best = Some((0, 0, 0));
    }
    let result = loop {
        let (Some(f), Some(f_back)) = (there.least_f(), back.least_f()) else {
            break best.ok_or(Failure::Exhausted);
        };
        if let Some(best) = best.filter(|&(cost, ..)| {
            let bound = |f: u64, unit: u32| f.div_ceil(u64::from(unit));
            cost <= bound(f, to_goal.unit()).max(bound(f_back, to_start.unit()))
        }) {
            break Ok(best);
        }
        let met = if there.waiting <= back.waiting {
            there.expand(problem, to_goal, &back, &mut best, run)
        } else {
            let mut turned = best.map(|(cost, a, b)| (cost, b, a));
            let met = back.expand(problem, to_start, &there, &mut turned, run);
            best = turned.map(|(cost, a, b)| (cost, b, a));
            met
        };
        if let Err(failure) = met {
            break Err(failure);
        }
    };
    run.figures.memory = (there.memory() + back.memory()) as u64;
    result.map(|(_, a, b)| join(problem, &there.nodes, a, &back.nodes, b))
}

/// One end of the two-ended A*.
struct End<S, A> {
    nodes: Nodes<S, A>,
    queue: Queue<(NodeId, u32)>,
    /// The node that will be expanded next.
    next: Option<NodeId>,
    waiting: u64,
    unit: u64,
}

impl<S: Clone + Eq + std::hash::Hash, A: Copy> End<S, A> {
    fn new<P: Problem<State = S, Action = A>>(root: S, heuristic: &impl Heuristic<P>) -> End<S, A> {
        let mut nodes = Nodes::new();
        let h = heuristic.estimate(&root);
        nodes.find_or(root.clone(), || Node::start(root, h));
        let mut end = End {
            nodes,
            queue: Queue::new(),
            next: None,
            waiting: 1,
            unit: u64::from(heuristic.unit()),
        };
        end.enqueue(0);
        end
    }

    fn enqueue(&mut self, id: NodeId) {
        let node = self.nodes.get(id);
        let f = self.unit * u64::from(node.g) + u64::from(node.h);
        self.queue.push(f.into(), (id, node.g));
    }

    /// The least `f` that waits, in units.
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

    fn expand<P: Problem<State = S, Action = A>>(
        &mut self,
        problem: &P,
        heuristic: &impl Heuristic<P>,
        other: &End<S, A>,
        best: &mut Option<(u64, NodeId, NodeId)>,
        run: &mut Run<'_, S>,
    ) -> Result<(), Failure> {
        let Some(id) = self.next.take() else {
            return Ok(());
        };
        let node = self.nodes.get(id).clone();
        let parent = self.nodes.parent(&node).cloned();
        let expansion = node.expansion(parent.as_ref(), self.waiting + other.waiting);
        run.expand(&expansion, || self.memory() + other.memory())?;
        self.waiting -= 1;
        run.figures.reexpansions += u64::from(node.expanded);
        run.figures.closed += u64::from(!node.expanded);
        let closing = self.nodes.get_mut(id);
        (closing.closed, closing.expanded) = (true, true);
        for successor in problem.successors(&node.state) {
            if run.is_way_back(&successor.state, parent.as_ref()) {
                continue;
            }
            let h = || heuristic.after(&node.state, node.h, &successor);
            let Some(new) = self.meet(id, &node, &successor, h, run)? else {
                continue;
            };
            if let Some(met) = other.nodes.find(&successor.state) {
                let cost = u64::from(self.nodes.get(new).g) + u64::from(other.nodes.get(met).g);
                if best.is_none_or(|(least, ..)| cost < least) {
                    *best = Some((cost, new, met));
                }
            }
        }
        run.waiting((self.waiting + other.waiting) as usize);
        Ok(())
    }

    /// Takes up a successor; its node if the way to it is new or cheaper.
    fn meet(
        &mut self,
        id: NodeId,
        node: &Node<S, A>,
        successor: &Successor<S, A>,
        h: impl FnOnce() -> u32,
        run: &mut Run<'_, S>,
    ) -> Result<Option<NodeId>, Failure> {
        let new = || Node::after(id, node, successor, h());
        let found = self.nodes.find_or(successor.state.clone(), new);
        let new = match found.ok_or(Failure::Memory)? {
            Found::New(new) => {
                self.waiting += 1;
                new
            }
            Found::Old(old) => {
                let known = self.nodes.get_mut(old);
                let g = node.g + successor.cost;
                if known.g <= g {
                    run.figures.attempted_reexpansions += u64::from(known.closed);
                    return Ok(None);
                }
                run.figures.replaced += u64::from(!known.closed);
                self.waiting += u64::from(known.closed);
                known.from = Some((id, successor.action));
                (known.g, known.depth, known.closed) = (g, node.depth + 1, false);
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
