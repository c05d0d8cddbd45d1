//! Walks: searches that keep one path and step from its end, by an estimate or at random.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZero;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxBuildHasher;

use super::engine::{Engine, Step, drive};
use super::problem::{Heuristic, Problem, Successor};
use super::run::{Expansion, Failure, Run, Solution};

/// Choice of the next state of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Choice {
    /// Any neighbour, at random.
    Random,
    /// Hill climbing: the best neighbour, if it is better than the current state.
    Steepest,
    /// Hill climbing: the first better neighbour in random order.
    FirstBetter,
    /// As [`Choice::Steepest`]; where no neighbour is better the walk goes back to the start, takes 1 to this many
    /// random steps, and climbs again.
    Restarts(NonZero<u32>),
    /// Simulated annealing: a random neighbour. One whose estimate is larger by `d` is taken with the probability
    /// `exp(-d / T)` only (Kirkpatrick, Gelatt and Vecchi, 1983). The temperature `T` falls geometrically from
    /// [`Cooling::start`] to 0.1 moves; then it starts again from the current state.
    Annealing(Cooling),
}

/// How the temperature of simulated annealing falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cooling {
    /// Temperature at the start, in moves.
    pub start: f64,
    /// Steps until it is 0.1 moves.
    pub steps: NonZero<u32>,
}

impl Default for Cooling {
    /// From 4 moves, over 20,000 steps.
    fn default() -> Cooling {
        Cooling {
            start: 4.0,
            steps: NonZero::new(20_000).expect("20,000 is not 0"),
        }
    }
}

/// Temperature at the end, in moves.
const END_TEMPERATURE: f64 = 0.1;

/// Walks from state to state by a choice. Cycles are removed from the path.
///
/// # Errors
/// [`Failure::Stuck`] where hill climbing finds no better neighbour, or a state has no successor; or a limit: other
/// walks may never end without.
pub(super) fn walk<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    choice: Choice,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let start = problem.start();
    let mut walker = Walker {
        problem,
        heuristic,
        choice,
        rng: ChaCha8Rng::seed_from_u64(seed),
        h: heuristic.estimate(&start),
        walk: Walk::new(start),
        left: 0,
        temperature: 0.0,
        cooling: 0.0,
    };
    drive(&mut walker, run)
}

/// A neighbour with its estimate.
type Neighbour<P> = (
    u32,
    Successor<<P as Problem>::State, <P as Problem>::Action>,
);

/// A walk in progress.
struct Walker<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    choice: Choice,
    rng: ChaCha8Rng,
    walk: Walk<P::State, P::Action>,
    /// The estimate of the current state.
    h: u32,
    /// Random steps until the next climb, or steps until the temperature starts again.
    left: u32,
    temperature: f64,
    /// Factor by which the temperature falls with every step.
    cooling: f64,
}

impl<P: Problem, H: Heuristic<P>> Engine<P> for Walker<'_, P, H> {
    fn step(&mut self, run: &mut Run<'_, P::State>) -> Step<P::Action> {
        let state = self.walk.state();
        if self.problem.is_goal(state) {
            return Ok(Some(self.walk.solution()));
        }
        let expansion = self.walk.expansion(self.walk.parent(), self.h, 1);
        run.expand(&expansion, || self.walk.memory())?;
        let with_estimate = |successor| {
            let h = self.heuristic.estimate_successor(state, self.h, &successor);
            (h, successor)
        };
        let neighbours: Vec<_> = self.problem.successors(state).map(with_estimate).collect();
        run.figures.generated += neighbours.len() as u64;
        if let Some((h, successor)) = self.choose(neighbours)? {
            self.h = h;
            self.walk.step(successor);
        }
        Ok(None)
    }

    fn memory(&self) -> usize {
        self.walk.memory()
    }
}

impl<P: Problem, H: Heuristic<P>> Walker<'_, P, H> {
    /// Returns the neighbour to step to; `None` to stay, or after a restart.
    fn choose(
        &mut self,
        mut neighbours: Vec<Neighbour<P>>,
    ) -> Result<Option<Neighbour<P>>, Failure> {
        let current = self.h;
        let better = |neighbours: Vec<Neighbour<P>>| {
            (neighbours.into_iter()).filter(move |&(h, _)| h < current)
        };
        let chosen = match self.choice {
            Choice::Restarts(_) if self.left > 0 => {
                self.left -= 1;
                Some(self.draw(neighbours)?)
            }
            Choice::Random => Some(self.draw(neighbours)?),
            Choice::Annealing(cooling) => {
                let drawn = self.draw(neighbours)?;
                return Ok(self.accepts(drawn.0, cooling).then_some(drawn));
            }
            Choice::FirstBetter => {
                neighbours.shuffle(&mut self.rng);
                better(neighbours).next()
            }
            Choice::Steepest | Choice::Restarts(_) => better(neighbours).min_by_key(|&(h, _)| h),
        };
        match (&chosen, self.choice) {
            (None, Choice::Restarts(steps)) => self.restart(steps),
            (None, _) => return Err(Failure::Stuck),
            _ => {}
        }
        Ok(chosen)
    }

    /// Draws a neighbour.
    fn draw(&mut self, mut neighbours: Vec<Neighbour<P>>) -> Result<Neighbour<P>, Failure> {
        if neighbours.is_empty() {
            return Err(Failure::Stuck);
        }
        Ok(neighbours.swap_remove(self.rng.random_range(0..neighbours.len())))
    }

    /// Goes back to the start, and draws the number of random steps from there.
    fn restart(&mut self, steps: NonZero<u32>) {
        let start = self.problem.start();
        self.h = self.heuristic.estimate(&start);
        self.walk = Walk::new(start);
        self.left = self.rng.random_range(1..=steps.get());
    }

    /// Returns whether annealing steps to a neighbour with the estimate `h`, and lowers the temperature.
    fn accepts(&mut self, h: u32, cooling: Cooling) -> bool {
        if self.left == 0 {
            let steps = f64::from(cooling.steps.get());
            (self.left, self.temperature) = (cooling.steps.get(), cooling.start);
            self.cooling = (END_TEMPERATURE / cooling.start).powf(1.0 / steps);
        }
        let unit = f64::from(self.heuristic.unit());
        let worse = (f64::from(h) - f64::from(self.h)) / unit;
        let accepts = worse <= 0.0 || self.rng.random::<f64>() < (-worse / self.temperature).exp();
        self.left -= 1;
        self.temperature *= self.cooling;
        accepts
    }
}

/// The path from the start to the current state, without cycles: a step back to a state of the path
/// removes the cycle.
#[derive(Debug)]
pub(super) struct Walk<S, A> {
    /// Each state with the action that led to it and the cost of the path up to it.
    steps: Vec<(Option<A>, u64, S)>,
    /// The place of each state in the path.
    places: HashMap<S, usize, FxBuildHasher>,
}

impl<S: Clone + Eq + Hash, A: Copy> Walk<S, A> {
    pub(super) fn new(start: S) -> Walk<S, A> {
        Walk {
            places: HashMap::from_iter([(start.clone(), 0)]),
            steps: vec![(None, 0, start)],
        }
    }

    /// Returns the current state.
    pub(super) fn state(&self) -> &S {
        &self.steps[self.steps.len() - 1].2
    }

    /// Returns the state before the current one on the path.
    fn parent(&self) -> Option<&S> {
        let before = self.steps.len().checked_sub(2)?;
        Some(&self.steps[before].2)
    }

    /// Steps to a successor of the current state.
    pub(super) fn step(&mut self, successor: Successor<S, A>) {
        if let Some(&place) = self.places.get(&successor.state) {
            for (_, _, state) in self.steps.drain(place + 1..) {
                self.places.remove(&state);
            }
            return;
        }
        let cost = self.cost() + u64::from(successor.cost);
        self.places
            .insert(successor.state.clone(), self.steps.len());
        (self.steps).push((Some(successor.action), cost, successor.state));
    }

    fn cost(&self) -> u64 {
        self.steps[self.steps.len() - 1].1
    }

    /// Returns the expansion of the current state, reached from `parent`, while `queue` states wait.
    pub(super) fn expansion<'a>(
        &'a self,
        parent: Option<&'a S>,
        h: u32,
        queue: u64,
    ) -> Expansion<'a, S> {
        Expansion {
            state: self.state(),
            parent,
            g: self.cost(),
            h,
            depth: self.steps.len() as u32 - 1,
            queue,
        }
    }

    pub(super) fn solution(&self) -> Solution<A> {
        Solution {
            actions: self.steps.iter().filter_map(|step| step.0).collect(),
            cost: self.cost(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        self.steps.capacity() * size_of::<(Option<A>, u64, S)>()
            + self.places.capacity() * (size_of::<(S, usize)>() + 1)
    }
}
