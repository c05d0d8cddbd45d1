//! Searches that keep one path: depth-first to a depth, with a bound that grows on the depth or on `f`, and recursive
//! best-first search.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::best_first::ExpandedList;
use super::nodes::{Place, PlaceOf, solution};
use super::problem::{Heuristic, Problem};
use super::run::{Engine, Failure, Run, Solution, Step, drive};

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
    let bounds = heuristic.estimate(&problem.start()).into()..=u64::MAX;
    let mut search = DepthFirst::new(problem, heuristic, Bounded::Cost, bounds);
    drive(&mut search, run)
}

/// Quantity that is bounded, and the treatment of duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounded {
    /// The depth of a state that is expanded. Its successors are made and counted at once.
    ///
    /// With [`ExpandedList::None`] only paths with a cycle are dropped. With [`ExpandedList::Reopen`] a state is
    /// expanded again if it is reached at a smaller depth, so a goal within the depth is found. With
    /// [`ExpandedList::Strict`] it never is, and the goal may be missed.
    Depth(ExpandedList),
    /// The `f` of a state that is visited, in the heuristic's units. A successor is counted when it is visited or
    /// dropped, and dropped as a duplicate if it is the parent.
    Cost,
}

/// A depth-first search in progress. The stack is explicit, as paths may be too long for that of the thread.
pub(super) struct DepthFirst<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    unit: u64,
    by: Bounded,
    /// The bound of this iteration.
    bound: u64,
    /// The largest bound of an iteration.
    last: u64,
    /// The least value above the bound that was met; [`u64::MAX`] if none was.
    next: u64,
    /// The states on the path and, behind each, its successors that are still to be visited, the next one last.
    stack: Vec<PlaceOf<P>>,
    /// Indices in the stack of the states on the path.
    path: Vec<usize>,
    /// The expanded list: the least depth at which each state was expanded.
    depths: HashMap<P::State, u32, FxBuildHasher>,
}

impl<'a, P: Problem, H: Heuristic<P>> DepthFirst<'a, P, H> {
    /// Begins a search, whose iterations have bounds from the first to the last of `bounds`; each is the least value
    /// above the one before that was met (Korf, 1985).
    pub(super) fn new(
        problem: &'a P,
        heuristic: &'a H,
        by: Bounded,
        bounds: std::ops::RangeInclusive<u64>,
    ) -> Self {
        DepthFirst {
            problem,
            heuristic,
            unit: heuristic.unit().into(),
            by,
            bound: *bounds.start(),
            last: *bounds.end(),
            next: u64::MAX,
            stack: vec![Place::start(problem.start(), heuristic)],
            path: Vec::new(),
            depths: HashMap::default(),
        }
    }

    /// Begins the next iteration.
    #[cold]
    fn deepen(&mut self) -> Step<P::Action> {
        if self.next == u64::MAX {
            return Err(Failure::Exhausted);
        }
        if self.next > self.last {
            return Err(Failure::DepthLimit);
        }
        self.bound = std::mem::replace(&mut self.next, u64::MAX);
        let start = Place::start(self.problem.start(), self.heuristic);
        self.stack.push(start);
        Ok(None)
    }

    fn path(&self) -> impl DoubleEndedIterator<Item = &PlaceOf<P>> {
        self.path.iter().map(|&place| &self.stack[place])
    }

    /// Returns whether the last state of the path may be expanded: a bound or a list may forbid it.
    #[inline]
    fn may_expand(&mut self, depth: usize, run: &mut Run<'_, P::State>) -> bool {
        let Bounded::Depth(list) = self.by else {
            return true;
        };
        if depth as u64 >= self.bound {
            self.next = self.bound + 1;
            return false;
        }
        if list == ExpandedList::None {
            return true;
        }
        let (state, depth) = (&self.stack[self.path[depth]].state, depth as u32);
        let before = self.depths.get(state).copied();
        if before.is_some_and(|before| list == ExpandedList::Strict || before <= depth) {
            run.figures.attempted_reexpansions += 1;
            return false;
        }
        run.figures.reexpansions += u64::from(before.is_some());
        run.figures.closed += u64::from(before.is_none());
        self.depths.insert(state.clone(), depth);
        true
    }

    /// Puts the successors of the last state of the path on the stack, without duplicates and those above the bound.
    #[inline]
    fn push_successors(&mut self, run: &mut Run<'_, P::State>) {
        let parent = self.stack.len() - 1;
        let place = self.stack[parent].clone();
        let depth = self.path.len() - 1;
        // Of the states on the path, those that a successor may not be.
        let ancestors = match self.by {
            Bounded::Depth(ExpandedList::None) => 0..depth + 1,
            Bounded::Depth(_) => depth.saturating_sub(1)..depth + 1,
            Bounded::Cost => depth.saturating_sub(1)..depth,
        };
        for successor in self.problem.successors(&place.state) {
            run.figures.generated += 1;
            let mut ancestors = self.path[ancestors.clone()].iter();
            if ancestors.any(|&place| self.stack[place].state == successor.state) {
                run.figures.loops_avoided += 1;
                continue;
            }
            let next = place.after(self.heuristic, successor);
            let f = next.f(self.unit);
            if self.by == Bounded::Cost && f > self.bound {
                self.next = self.next.min(f);
                continue;
            }
            self.stack.push(next);
        }
        self.stack[parent + 1..].reverse();
        if self.by != Bounded::Cost {
            run.record_queue((self.stack.len() - depth) as u64);
        }
    }

    /// Takes back the counts of the successors that come after those on the path, by which a search by cost ends: it
    /// counts a successor when it is visited or dropped.
    #[cold]
    fn uncount(&self, run: &mut Run<'_, P::State>) {
        if self.by != Bounded::Cost {
            return;
        }
        let (figures, path) = (&mut run.figures, Vec::from_iter(self.path()));
        for (i, pair) in path.windows(2).enumerate() {
            let parent = i.checked_sub(1).map(|before| &path[before].state);
            let successors = (self.problem.successors(&pair[0].state)).map(|next| next.state);
            let after = successors.skip_while(|state| *state != pair[1].state);
            for state in after.skip(1) {
                figures.generated = figures.generated.saturating_sub(1);
                let loops = u64::from(parent == Some(&state));
                figures.loops_avoided = figures.loops_avoided.saturating_sub(loops);
            }
        }
    }
}

impl<P: Problem, H: Heuristic<P>> Engine<P> for DepthFirst<'_, P, H> {
    /// Visits the last state of the stack: it is the goal, or is expanded unless it may not be.
    #[inline]
    fn step(&mut self, run: &mut Run<'_, P::State>) -> Step<P::Action> {
        while self
            .path
            .last()
            .is_some_and(|&last| last + 1 == self.stack.len())
        {
            self.path.pop();
            self.stack.pop();
        }
        let Some(at) = self.stack.len().checked_sub(1) else {
            return self.deepen();
        };
        let depth = self.path.len();
        self.path.push(at);
        if self.problem.is_goal(&self.stack[at].state) {
            self.uncount(run);
            return Ok(Some(solution(self.path())));
        }
        if !self.may_expand(depth, run) {
            return Ok(None);
        }
        let queue = match self.by {
            Bounded::Cost => depth + 1,
            Bounded::Depth(_) => self.stack.len() - depth,
        };
        let parent = depth.checked_sub(1);
        let parent = parent.map(|parent| &self.stack[self.path[parent]].state);
        let expansion = self.stack[at].expansion(parent, queue as u64);
        let expanded = run.expand(&expansion, || self.memory());
        expanded.inspect_err(|_| self.uncount(run))?;
        self.push_successors(run);
        Ok(None)
    }

    fn memory(&self) -> usize {
        self.stack.capacity() * size_of::<PlaceOf<P>>()
            + self.path.capacity() * size_of::<usize>()
            + self.depths.capacity() * (size_of::<(P::State, u32)>() + 1)
    }
}

/// Recursive best-first search: follows the best successor while its value is not above that of
/// any alternative beside the path, then returns, keeping the least `f` on the frontier of the
/// subtree that it leaves as the subtree's value (Korf, 1993).
///
/// It keeps one path and the siblings of its states. With an admissible heuristic the solution is
/// optimal. If states can be reached again and again, the search does not detect that there is no solution: it runs to a
/// limit.
pub(super) struct Rbfs<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    unit: u64,
    /// The start, then the successors of each state on the path.
    levels: Vec<Level<P>>,
    /// The states that wait: the current one and the siblings of the path.
    waiting: usize,
}

/// The successors of a state, or the start.
struct Level<P: Problem> {
    /// Each with its value: a lower bound on the cost of a solution through it.
    places: Vec<(u64, PlaceOf<P>)>,
    /// Index of the one on the path.
    at: usize,
    /// The largest value of a state that is visited.
    bound: u64,
}

impl<'a, P: Problem, H: Heuristic<P>> Rbfs<'a, P, H> {
    pub(super) fn new(problem: &'a P, heuristic: &'a H) -> Self {
        let start = Place::start(problem.start(), heuristic);
        let mut search = Rbfs {
            problem,
            heuristic,
            unit: heuristic.unit().into(),
            levels: Vec::new(),
            waiting: 0,
        };
        search.push(vec![(start.h.into(), start)], u64::MAX);
        search
    }

    fn push(&mut self, places: Vec<(u64, PlaceOf<P>)>, bound: u64) {
        self.waiting += places.len();
        let at = 0;
        self.levels.push(Level { places, at, bound });
    }

    fn path(&self) -> impl Iterator<Item = &PlaceOf<P>> {
        self.levels.iter().map(|level| &level.places[level.at].1)
    }

    /// Leaves the last level, whose least value is that of the state before.
    fn pop(&mut self, value: u64) {
        self.waiting -= self.levels.pop().map_or(0, |level| level.places.len());
        if let Some(level) = self.levels.last_mut() {
            level.places[level.at].0 = value;
        }
    }
}

impl<P: Problem, H: Heuristic<P>> Engine<P> for Rbfs<'_, P, H> {
    /// Visits the best state of the last level, or leaves the level if its value is above the bound.
    fn step(&mut self, run: &mut Run<'_, P::State>) -> Step<P::Action> {
        let depth = self.levels.len().checked_sub(1).ok_or(Failure::Exhausted)?;
        let level = &self.levels[depth];
        let values = level.places.iter().map(|place| place.0).zip(0..);
        let (value, at) = values.clone().min().unwrap_or((u64::MAX, 0));
        if value > level.bound || value == u64::MAX {
            self.pop(value);
            return Ok(None);
        }
        let others = values.filter(|&(_, other)| other != at);
        let bound = others.fold(level.bound, |bound, (value, _)| bound.min(value));
        self.levels[depth].at = at;
        let place = &self.levels[depth].places[at].1;
        if self.problem.is_goal(&place.state) {
            return Ok(Some(solution(self.path())));
        }
        let parent = depth.checked_sub(1).map(|before| &self.levels[before]);
        let parent = parent.map(|level| &level.places[level.at].1.state);
        let expansion = place.expansion(parent, self.waiting as u64);
        run.expand(&expansion, || self.memory())?;
        let mut successors = Vec::with_capacity(4);
        for successor in self.problem.successors(&place.state) {
            if !run.returns_to_parent(&successor.state, parent) {
                let next = place.after(self.heuristic, successor);
                successors.push((next.f(self.unit).max(value), next)); // at least that of the parent
            }
        }
        self.push(successors, bound);
        Ok(None)
    }

    fn memory(&self) -> usize {
        self.waiting * size_of::<(u64, PlaceOf<P>)>()
    }
}
