//! Recursive best-first search.

use super::problem::{Heuristic, Problem};
use super::run::{Expansion, Failure, Run, Solution};

/// Recursive best-first search: follows the best successor while its value is not above that of
/// any alternative beside the path, then returns, keeping the least `f` on the frontier of the
/// subtree that it leaves as the subtree's value (Korf, 1993).
///
/// It keeps one path and the siblings of its states. With an admissible heuristic the solution is
/// optimal.
///
/// # Errors
/// [`Failure`], the reason why there is no solution. If states can be reached again and again, the
/// search does not detect that there is none: it runs to a limit.
pub(super) fn rbfs<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let start = problem.start();
    let h = heuristic.estimate(&start);
    let mut search = Search {
        problem,
        heuristic,
        unit: u64::from(heuristic.unit()),
        actions: Vec::new(),
        waiting: 1,
    };
    let root = Node {
        action: None,
        state: start,
        g: 0,
        h,
        value: u64::from(h),
    };
    match search.visit(&root, None, u64::MAX, run)? {
        Visit::Found(cost) => Ok(Solution {
            actions: search.actions,
            cost,
        }),
        Visit::Value(_) => Err(Failure::Exhausted),
    }
}

struct Node<S, A> {
    action: Option<A>,
    state: S,
    g: u64,
    h: u32,
    /// The stored value: a lower bound on the cost of a solution through this node.
    value: u64,
}

enum Visit {
    /// The cost of the solution.
    Found(u64),
    /// No solution within the bound: the new stored value of the node, above the bound.
    Value(u64),
}

struct Search<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    unit: u64,
    actions: Vec<P::Action>,
    /// The nodes that wait: the current one and the siblings of the path.
    waiting: u64,
}

impl<P: Problem, H: Heuristic<P>> Search<'_, P, H> {
    /// Searches below a node as long as its value is within `bound`.
    fn visit(
        &mut self,
        node: &Node<P::State, P::Action>,
        parent: Option<&P::State>,
        bound: u64,
        run: &mut Run<'_, P::State>,
    ) -> Result<Visit, Failure> {
        if self.problem.is_goal(&node.state) {
            return Ok(Visit::Found(node.g));
        }
        let expansion = Expansion {
            state: &node.state,
            parent,
            g: node.g,
            h: node.h,
            depth: self.actions.len() as u32,
            queue: self.waiting,
        };
        let bytes = self.waiting as usize * size_of::<Node<P::State, P::Action>>();
        run.expand(&expansion, || bytes)?;
        let mut children = self.children(node, parent, run);
        self.waiting += children.len() as u64;
        let mut result = Visit::Value(u64::MAX);
        while let Some(best) = (0..children.len()).min_by_key(|&i| children[i].value) {
            let value = children[best].value;
            if value > bound || value == u64::MAX {
                result = Visit::Value(value);
                break;
            }
            let others = (0..children.len()).filter(|&i| i != best);
            let second = others.map(|i| children[i].value).min();
            self.actions.extend(children[best].action);
            let bound = bound.min(second.unwrap_or(u64::MAX));
            match self.visit(&children[best], Some(&node.state), bound, run)? {
                Visit::Value(value) => children[best].value = value,
                found => return Ok(found),
            }
            self.actions.pop();
        }
        self.waiting -= children.len() as u64;
        Ok(result)
    }

    /// Returns the successors other than the parent. They inherit the stored value of the node
    /// where it is larger than their own `f`.
    fn children(
        &self,
        node: &Node<P::State, P::Action>,
        parent: Option<&P::State>,
        run: &mut Run<'_, P::State>,
    ) -> Vec<Node<P::State, P::Action>> {
        let mut children = Vec::with_capacity(4);
        for successor in self.problem.successors(&node.state) {
            if run.returns_to_parent(&successor.state, parent) {
                continue;
            }
            let h = self
                .heuristic
                .estimate_successor(&node.state, node.h, &successor);
            let g = node.g + u64::from(successor.cost);
            children.push(Node {
                action: Some(successor.action),
                state: successor.state,
                g,
                h,
                value: (g * self.unit + u64::from(h)).max(node.value),
            });
        }
        children
    }
}
