//! Depth-first search to a depth limit, and with growing limits.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::best_first::Expanded;
use super::problem::Problem;
use super::run::{Expansion, Failure, Run, Solution};

/// Follows the first successor as deep as `limit` allows, then the next.
///
/// With [`Expanded::None`] a way is only kept from coming back to itself. With
/// [`Expanded::Reopen`] a state is expanded again if it is met at a smaller depth, so a goal within
/// the limit is found. With [`Expanded::Strict`] it never is, and the goal may be missed.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
pub fn depth_first<P: Problem>(
    problem: &P,
    limit: u32,
    expanded: Expanded,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut search = Search {
        problem,
        limit,
        expanded,
        way: vec![Step {
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

/// Depth-first search with the limits 0, 1, 2, ... up to `limit` (Korf, 1985), without an expanded list:
/// memory for one way only, and a solution with the fewest actions.
///
/// # Errors
/// [`Failure`] tells why there is no solution.
pub fn iterative_deepening<P: Problem>(
    problem: &P,
    limit: u32,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut search = Search {
        problem,
        limit: 0,
        expanded: Expanded::None,
        way: Vec::new(),
        depths: HashMap::default(),
        waiting: 0,
        cut_off: false,
    };
    for depth in 0..=limit {
        search.limit = depth;
        search.cut_off = false;
        search.waiting = 1;
        search.way.clear();
        search.way.push(Step {
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
    expanded: Expanded,
    /// The way from the start to the state that is looked at.
    way: Vec<StepOf<P>>,
    /// The least depth at which each state was expanded.
    depths: HashMap<P::State, u32, FxBuildHasher>,
    /// The last state of the way, and the siblings of the way that are still to be tried.
    waiting: u64,
    /// Was there a state at the limit that had to be left?
    cut_off: bool,
}

impl<P: Problem> Search<'_, P> {
    /// Why there is no solution, once all within the limit was looked at.
    fn failure(&self) -> Failure {
        match self.cut_off {
            true => Failure::DepthLimit,
            false => Failure::Exhausted,
        }
    }

    /// Looks at the last state of the way and all that is behind it.
    fn visit(
        &mut self,
        run: &mut Run<'_, P::State>,
    ) -> Result<Option<Solution<P::Action>>, Failure> {
        // A stack of our own: a way can be longer than the thread's stack is deep.
        let mut untried = vec![self.open(run)?];
        loop {
            let last = &self.way[self.way.len() - 1];
            if self.problem.is_goal(&last.state) {
                return Ok(Some(Solution {
                    actions: self.way.iter().filter_map(|step| step.action).collect(),
                    cost: u64::from(last.g),
                }));
            }
            loop {
                let Some(siblings) = untried.last_mut() else {
                    return Ok(None);
                };
                if let Some(step) = siblings.pop() {
                    self.waiting -= 1;
                    self.way.push(step);
                    break;
                }
                untried.pop();
                self.way.pop();
            }
            let opened = self.open(run)?;
            untried.push(opened);
        }
    }

    /// Expands the last state of the way: its successors, the first one last. None if it is the
    /// goal, lies at the limit, or was expanded before.
    fn open(&mut self, run: &mut Run<'_, P::State>) -> Result<Vec<StepOf<P>>, Failure> {
        let depth = self.way.len() - 1;
        let last = &self.way[depth];
        if self.problem.is_goal(&last.state) {
            return Ok(Vec::new());
        }
        if depth as u32 >= self.limit {
            self.cut_off = true;
            return Ok(Vec::new());
        }
        if self.expanded != Expanded::None {
            let before = self.depths.get(&last.state).copied();
            if before.is_some_and(|b| self.expanded == Expanded::Strict || b <= depth as u32) {
                run.figures.attempted_reexpansions += 1;
                return Ok(Vec::new());
            }
            run.figures.reexpansions += u64::from(before.is_some());
            self.depths.insert(last.state.clone(), depth as u32);
        }
        let expansion = Expansion {
            state: &last.state,
            parent: depth.checked_sub(1).map(|before| &self.way[before].state),
            g: u64::from(last.g),
            h: 0,
            depth: depth as u32,
            queue: self.waiting,
        };
        run.expand(&expansion, || self.memory())?;
        let mut steps = Vec::new();
        for successor in self.problem.successors(&last.state) {
            run.figures.generated += 1;
            // Where a list is kept, it finds the longer loops.
            let near = match self.expanded {
                Expanded::None => &self.way[..],
                _ => &self.way[depth.saturating_sub(1)..],
            };
            if near.iter().any(|step| step.state == successor.state) {
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
        self.way.capacity() * size_of::<StepOf<P>>() * 2
            + self.depths.capacity() * (size_of::<(P::State, u32)>() + 1)
    }
}
