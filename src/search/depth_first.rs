//! Depth-limited depth-first search, and iterative deepening.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::best_first::ExpandedList;
use super::problem::Problem;
use super::run::{Expansion, Failure, Run, Solution};

/// Depth-first search to a depth of `limit` actions.
///
/// With [`ExpandedList::None`] only paths with a cycle are dropped. With [`ExpandedList::Reopen`] a
/// state is expanded again if it is reached at a smaller depth, so a goal within the limit is
/// found. With [`ExpandedList::Strict`] it never is, and the goal may be missed.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn depth_first<P: Problem>(
    problem: &P,
    limit: u32,
    expanded: ExpandedList,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut search = Search {
        problem,
        limit,
        expanded,
        path: vec![Step {
            state: problem.start(),
            action: None,
            g: 0,
        }],
        depths: HashMap::default(),
        waiting: 1,
        cut_off: false,
    };
    let found = search.visit(run);
    run.figures.closed = search.depths.len() as u64;
    run.figures.memory = run.figures.memory.max(search.memory() as u64);
    found?.ok_or(search.failure())
}

/// Depth-first searches with the limits 0, 1, 2, ... up to `limit` (Korf, 1985), without an
/// expanded list: they keep one path only, and the solution has the fewest actions.
///
/// # Errors
/// [`Failure`], the reason why there is no solution.
pub fn iterative_deepening<P: Problem>(
    problem: &P,
    limit: u32,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut search = Search {
        problem,
        limit: 0,
        expanded: ExpandedList::None,
        path: Vec::new(),
        depths: HashMap::default(),
        waiting: 0,
        cut_off: false,
    };
    for depth in 0..=limit {
        search.limit = depth;
        search.cut_off = false;
        search.waiting = 1;
        search.path.clear();
        search.path.push(Step {
            state: problem.start(),
            action: None,
            g: 0,
        });
        if let Some(solution) = search.visit(run)? {
            return Ok(solution);
        }
        if !search.cut_off {
            break;
        }
    }
    Err(search.failure())
}

struct Step<S, A> {
    state: S,
    action: Option<A>,
    g: u32,
}

type StepOf<P> = Step<<P as Problem>::State, <P as Problem>::Action>;

struct Search<'a, P: Problem> {
    problem: &'a P,
    limit: u32,
    expanded: ExpandedList,
    /// The path from the start to the current state.
    path: Vec<StepOf<P>>,
    /// The least depth at which each state was expanded.
    depths: HashMap<P::State, u32, FxBuildHasher>,
    /// The current state, and the siblings of the path that are not visited yet.
    waiting: u64,
    /// Whether a state at the depth limit was not expanded.
    cut_off: bool,
}

impl<P: Problem> Search<'_, P> {
    /// Returns the reason why there is no solution within the limit.
    fn failure(&self) -> Failure {
        if self.cut_off {
            Failure::DepthLimit
        } else {
            Failure::Exhausted
        }
    }

    /// Visits the last state of the path and its descendants.
    fn visit(
        &mut self,
        run: &mut Run<'_, P::State>,
    ) -> Result<Option<Solution<P::Action>>, Failure> {
        // An explicit stack: the path may be too long for recursion on the thread's stack.
        let mut unvisited = vec![self.expand(run)?];
        loop {
            let last = &self.path[self.path.len() - 1];
            if self.problem.is_goal(&last.state) {
                return Ok(Some(Solution {
                    actions: self.path.iter().filter_map(|step| step.action).collect(),
                    cost: u64::from(last.g),
                }));
            }
            loop {
                let Some(siblings) = unvisited.last_mut() else {
                    return Ok(None);
                };
                if let Some(step) = siblings.pop() {
                    self.waiting -= 1;
                    self.path.push(step);
                    break;
                }
                unvisited.pop();
                self.path.pop();
            }
            let successors = self.expand(run)?;
            unvisited.push(successors);
        }
    }

    /// Expands the last state of the path. Returns its successors in reverse order; none if it is
    /// the goal, is at the limit, or was expanded before.
    fn expand(&mut self, run: &mut Run<'_, P::State>) -> Result<Vec<StepOf<P>>, Failure> {
        let depth = self.path.len() - 1;
        let last = &self.path[depth];
        if self.problem.is_goal(&last.state) {
            return Ok(Vec::new());
        }
        if depth as u32 >= self.limit {
            self.cut_off = true;
            return Ok(Vec::new());
        }
        if self.expanded != ExpandedList::None {
            let before = self.depths.get(&last.state).copied();
            if before.is_some_and(|b| self.expanded == ExpandedList::Strict || b <= depth as u32) {
                run.figures.attempted_reexpansions += 1;
                return Ok(Vec::new());
            }
            run.figures.reexpansions += u64::from(before.is_some());
            self.depths.insert(last.state.clone(), depth as u32);
        }
        let expansion = Expansion {
            state: &last.state,
            parent: depth.checked_sub(1).map(|before| &self.path[before].state),
            g: u64::from(last.g),
            h: 0,
            depth: depth as u32,
            queue: self.waiting,
        };
        run.expand(&expansion, || self.memory())?;
        let mut steps = Vec::new();
        for successor in self.problem.successors(&last.state) {
            run.figures.generated += 1;
            // An expanded list finds the longer cycles.
            let ancestors = match self.expanded {
                ExpandedList::None => &self.path[..],
                _ => &self.path[depth.saturating_sub(1)..],
            };
            if ancestors.iter().any(|step| step.state == successor.state) {
                run.figures.loops_avoided += 1;
                continue;
            }
            steps.push(Step {
                state: successor.state,
                action: Some(successor.action),
                g: last.g + successor.cost,
            });
        }
        self.waiting += steps.len() as u64;
        run.figures.max_queue = run.figures.max_queue.max(self.waiting);
        steps.reverse();
        Ok(steps)
    }

    fn memory(&self) -> usize {
        self.path.capacity() * size_of::<StepOf<P>>() * 2
            + self.depths.capacity() * (size_of::<(P::State, u32)>() + 1)
    }
}
