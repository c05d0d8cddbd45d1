//! Iterative-deepening A*.

use super::problem::{Heuristic, Problem};
use super::run::{Expansion, Failure, Run, Solution};

/// Iterative-deepening A*: depth-first searches that do not visit states whose `f = g + h` is above
/// a threshold; the next threshold is the least `f` above the last (Korf, 1985).
///
/// It keeps one path only and no list of states; a successor is dropped only if it is the parent
/// of the expanded state. With an admissible heuristic the solution is optimal.
///
/// # Errors
/// [`Failure`], the reason why there is no solution. If states can be reached again and again, the
/// search does not detect that there is none: it runs to a limit.
pub fn ida_star<P: Problem, H: Heuristic<P>>(
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
        threshold: u64::from(h),
        next: u64::MAX,
        actions: Vec::new(),
        memory: size_of::<P::State>(),
        run,
    };
    loop {
        if let Some(cost) = search.visit(&start, None, 0, h)? {
            return Ok(Solution {
                actions: search.actions,
                cost,
            });
        }
        if search.next == u64::MAX {
            return Err(Failure::Exhausted);
        }
        search.threshold = std::mem::replace(&mut search.next, u64::MAX);
    }
}

struct Search<'a, 'r, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    unit: u64,
    threshold: u64,
    /// The least `f` above the threshold.
    next: u64,
    /// The path to the current state.
    actions: Vec<P::Action>,
    memory: usize,
    run: &'a mut Run<'r, P::State>,
}

impl<P: Problem, H: Heuristic<P>> Search<'_, '_, P, H> {
    /// Visits a state within the threshold and its descendants. Returns the cost of the solution.
    fn visit(
        &mut self,
        state: &P::State,
        parent: Option<&P::State>,
        g: u64,
        h: u32,
    ) -> Result<Option<u64>, Failure> {
        if self.problem.is_goal(state) {
            return Ok(Some(g));
        }
        let depth = self.actions.len() as u32;
        let expansion = Expansion {
            state,
            parent,
            g,
            h,
            depth,
            queue: u64::from(depth) + 1,
        };
        let memory = self.actions.capacity() * (self.memory + size_of::<P::Action>());
        self.run.expand(&expansion, || memory)?;
        for successor in self.problem.successors(state) {
            if self.run.returns_to_parent(&successor.state, parent) {
                continue;
            }
            let h = self.heuristic.estimate_successor(state, h, &successor);
            let g = g + u64::from(successor.cost);
            let f = g * self.unit + u64::from(h);
            if f > self.threshold {
                self.next = self.next.min(f);
                continue;
            }
            self.actions.push(successor.action);
            if let Some(cost) = self.visit(&successor.state, Some(state), g, h)? {
                return Ok(Some(cost));
            }
            self.actions.pop();
        }
        Ok(None)
    }
}
