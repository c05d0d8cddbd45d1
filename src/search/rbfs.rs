//! Recursive best-first search.

use super::problem::{Heuristic, Problem};
use super::run::{Expansion, Failure, Run, Solution};

/// Goes down into the best successor for as long as nothing beside the way is better, and
/// remembers of what it leaves only the value to which that has come (Korf, 1993).
///
/// Memory for one way and its siblings. With a heuristic that never overestimates, the solution
/// is a cheapest one.
///
/// # Errors
/// [`Failure`] tells why there is no solution. It never finds out by itself that there is none.
pub fn rbfs<P: Problem, H: Heuristic<P>>(
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
    let root = Child {
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

struct Child<S, A> {
    action: Option<A>,
    state: S,
    g: u64,
    h: u32,
    /// What is known of the cost of a solution behind it: at least this.
    value: u64,
}

enum Visit {
    Found(u64),
    /// The value to which the state has come, above the bound.
    Value(u64),
}

struct Search<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    unit: u64,
    actions: Vec<P::Action>,
    /// Siblings of the states on the way, and the last state.
    waiting: u64,
}

impl<P: Problem, H: Heuristic<P>> Search<'_, P, H> {
    fn visit(
        &mut self,
        node: &Child<P::State, P::Action>,
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
        let bytes = self.waiting as usize * size_of::<Child<P::State, P::Action>>();
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

    /// The successors but the state's own parent. Where the state was visited before, what was
    /// learned of it is handed on to them.
    fn children(
        &self,
        node: &Child<P::State, P::Action>,
        parent: Option<&P::State>,
        run: &mut Run<'_, P::State>,
    ) -> Vec<Child<P::State, P::Action>> {
        let mut children = Vec::with_capacity(4);
        for successor in self.problem.successors(&node.state) {
            if run.is_way_back(&successor.state, parent) {
                continue;
            }
            let h = self.heuristic.after(&node.state, node.h, &successor);
            let g = node.g + u64::from(successor.cost);
            children.push(Child {
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
