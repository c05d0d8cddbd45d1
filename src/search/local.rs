//! Local search: hill climbing and simulated annealing.

use std::num::NonZero;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::problem::{Heuristic, Problem, Successor};
use super::run::{Expansion, Failure, Run, Solution};
use super::walk::Walk;

/// The variant of hill climbing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Climb {
    /// Goes to the best neighbour, if it is better than the current state.
    Steepest,
    /// Goes to the first better neighbour in random order.
    FirstChoice,
    /// As [`Climb::Steepest`]; where no neighbour is better it goes back to the start, takes 1 to this
    /// many random steps, and climbs again.
    Restarts(NonZero<u32>),
}

/// Hill climbing: goes from state to state while the estimate falls.
///
/// # Errors
/// [`Failure::Stuck`] where no neighbour is better, except under [`Climb::Restarts`]; or a limit.
pub fn hill_climbing<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    climb: Climb,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut climber = Climber::new(problem, heuristic, seed);
    let result = loop {
        let climbed = climber.climb(climb == Climb::FirstChoice, run);
        match (climbed, climb) {
            (Err(Failure::Stuck), Climb::Restarts(steps)) => {
                if let Err(failure) = climber.restart(steps, run) {
                    break Err(failure);
                }
            }
            (result, _) => break result,
        }
    };
    run.figures.memory = climber.walk.memory() as u64;
    result.map(|()| climber.walk.solution())
}

/// Simulated annealing: a random walk that takes a step whose estimate is larger by `d` only with
/// the probability `exp(-d / T)`, where the temperature `T` falls (Kirkpatrick, Gelatt and Vecchi,
/// 1983).
///
/// `T` falls geometrically from [`Cooling::start`] to 0.1 moves; then it starts again from the current
/// state.
///
/// # Errors
/// A [`Failure`] by a limit: without limits it may never end.
pub fn annealing<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    cooling: &Cooling,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut walker = Climber::new(problem, heuristic, seed);
    let result = walker.anneal(cooling, run);
    run.figures.memory = walker.walk.memory() as u64;
    result.map(|()| walker.walk.solution())
}

/// How the temperature of [`annealing`] falls.
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

/// A neighbour with its estimate.
type Neighbour<P> = (
    u32,
    Successor<<P as Problem>::State, <P as Problem>::Action>,
);

struct Climber<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    rng: ChaCha8Rng,
    walk: Walk<P::State, P::Action>,
    /// The estimate of the current state.
    h: u32,
}

impl<'a, P: Problem, H: Heuristic<P>> Climber<'a, P, H> {
    fn new(problem: &'a P, heuristic: &'a H, seed: u64) -> Self {
        let start = problem.start();
        Climber {
            problem,
            heuristic,
            rng: ChaCha8Rng::seed_from_u64(seed),
            h: heuristic.estimate(&start),
            walk: Walk::new(start),
        }
    }

    /// Expands the current state.
    fn neighbours(&self, run: &mut Run<'_, P::State>) -> Result<Vec<Neighbour<P>>, Failure> {
        let state = self.walk.state();
        let expansion = Expansion {
            state,
            parent: self.walk.parent(),
            g: self.walk.cost(),
            h: self.h,
            depth: self.walk.len() as u32,
            queue: 1,
        };
        run.expand(&expansion, || self.walk.memory())?;
        let with_estimate = |successor| {
            let h = self.heuristic.estimate_successor(state, self.h, &successor);
            (h, successor)
        };
        let neighbours: Vec<_> = self.problem.successors(state).map(with_estimate).collect();
        run.figures.generated += neighbours.len() as u64;
        Ok(neighbours)
    }

    fn step(&mut self, (h, successor): Neighbour<P>) {
        self.h = h;
        self.walk.step(successor);
    }

    /// Climbs until the goal or a local minimum.
    fn climb(&mut self, first_choice: bool, run: &mut Run<'_, P::State>) -> Result<(), Failure> {
        while !self.problem.is_goal(self.walk.state()) {
            let mut neighbours = self.neighbours(run)?;
            if first_choice {
                neighbours.shuffle(&mut self.rng);
            }
            let mut better = neighbours.into_iter().filter(|&(h, _)| h < self.h);
            let step = if first_choice {
                better.next()
            } else {
                better.min_by_key(|&(h, _)| h)
            };
            self.step(step.ok_or(Failure::Stuck)?);
        }
        Ok(())
    }

    /// Goes back to the start and takes a random number of random steps.
    fn restart(&mut self, steps: NonZero<u32>, run: &mut Run<'_, P::State>) -> Result<(), Failure> {
        let start = self.problem.start();
        self.h = self.heuristic.estimate(&start);
        self.walk = Walk::new(start);
        for _ in 0..self.rng.random_range(1..=steps.get()) {
            if self.problem.is_goal(self.walk.state()) {
                break;
            }
            let step = self.random_neighbour(run)?;
            self.step(step);
        }
        Ok(())
    }

    fn random_neighbour(&mut self, run: &mut Run<'_, P::State>) -> Result<Neighbour<P>, Failure> {
        let mut neighbours = self.neighbours(run)?;
        if neighbours.is_empty() {
            return Err(Failure::Stuck);
        }
        Ok(neighbours.swap_remove(self.rng.random_range(0..neighbours.len())))
    }

    fn anneal(&mut self, cooling: &Cooling, run: &mut Run<'_, P::State>) -> Result<(), Failure> {
        let steps = cooling.steps.get();
        let factor = (END_TEMPERATURE / cooling.start).powf(1.0 / f64::from(steps));
        let unit = f64::from(self.heuristic.unit());
        loop {
            let mut temperature = cooling.start;
            for _ in 0..steps {
                if self.problem.is_goal(self.walk.state()) {
                    return Ok(());
                }
                let step = self.random_neighbour(run)?;
                let worse = (f64::from(step.0) - f64::from(self.h)) / unit;
                if worse <= 0.0 || self.rng.random::<f64>() < (-worse / temperature).exp() {
                    self.step(step);
                }
                temperature *= factor;
            }
        }
    }
}
