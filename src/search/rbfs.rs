//! Recursive best-first search.

use super::nodes::{Place, PlaceOf, solution};
use super::problem::{Heuristic, Problem};
use super::run::{Engine, Failure, Run, Step};

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
