//! Local search: hill climbing and simulated annealing.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::problem::{Heuristic, Problem, Successor};
use super::run::{Expansion, Failure, Run, Solution};
use super::walk::Walk;

/// Which step a climber takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Climb {
    /// To the best neighbour, if that is better than where it stands.
    Steepest,
    /// To the first better neighbour, in an order drawn from the seed.
    FirstChoice,
    /// As [`Climb::Steepest`]; where no neighbour is better it goes back to the start, walks a
    /// random number of random steps, and climbs again.
    Restarts,
}

/// The most random steps of a restart.
const RESTART_STEPS: u32 = 64;

/// Climbs from state to better state by the heuristic alone.
///
/// # Errors
/// [`Failure::Stuck`] where no neighbour is better, or a limit.
pub fn hill_climbing<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    climb: Climb,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut climber = Climber::new(problem, heuristic, seed);
    let result = loop {
        match climber.climb(climb == Climb::FirstChoice, run) {
            Err(Failure::Stuck) if climb == Climb::Restarts => {
                if let Err(failure) = climber.restart(run) {
                    break Err(failure);
                }
            }
            result => break result,
        }
    };
    run.figures.memory = climber.walk.memory() as u64;
    result.map(|()| climber.walk.solution())
}

/// Walks at random, and refuses a step that is worse by `d` moves unless a draw of chance
/// `exp(-d / T)` allows it; the temperature `T` falls as it goes (Kirkpatrick, Gelatt and Vecchi,
/// 1983).
///
/// `T` falls from 4 moves to 0.1 over 20,000 steps and then begins anew where it stands.
///
/// # Errors
/// A limit: it never gives up by itself.
pub fn annealing<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    seed: u64,
    run: &mut Run<'_, P::State>,
) -> Result<Solution<P::Action>, Failure> {
    let mut walker = Climber::new(problem, heuristic, seed);
    let result = walker.anneal(run);
    run.figures.memory = walker.walk.memory() as u64;
    result.map(|()| walker.walk.solution())
}

const WARM: f64 = 4.0;
const COLD: f64 = 0.1;
const COOLING_STEPS: u32 = 20_000;

/// A neighbour and its estimate.
type Step<P> = (
    u32,
    Successor<<P as Problem>::State, <P as Problem>::Action>,
);

struct Climber<'a, P: Problem, H> {
    problem: &'a P,
    heuristic: &'a H,
    rng: ChaCha8Rng,
    walk: Walk<P::State, P::Action>,
    /// The estimate where it stands.
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

    /// The neighbours, each with its estimate.
    fn neighbours(&self, run: &mut Run<'_, P::State>) -> Result<Vec<Step<P>>, Failure> {
        let state = self.walk.state();
        let expansion = Expansion {
            state,
            parent: self.walk.before(),
            g: self.walk.cost(),
            h: self.h,
            depth: self.walk.len() as u32,
            queue: 1,
        };
        run.expand(&expansion, || self.walk.memory())?;
        let with_estimate = |successor| {
            let h = self.heuristic.after(state, self.h, &successor);
            (h, successor)
        };
        let neighbours: Vec<_> = self.problem.successors(state).map(with_estimate).collect();
        run.figures.generated += neighbours.len() as u64;
        Ok(neighbours)
    }

    fn go(&mut self, (h, successor): Step<P>) {
        self.h = h;
        self.walk.go(successor);
    }

    fn climb(&mut self, first_choice: bool, run: &mut Run<'_, P::State>) -> Result<(), Failure> {
        while !self.problem.is_goal(self.walk.state()) {
            let mut neighbours = self.neighbours(run)?;
            if first_choice {
                neighbours.shuffle(&mut self.rng);
            }
            let mut better = neighbours.into_iter().filter(|&(h, _)| h < self.h);
            let step = match first_choice {
                true => better.next(),
                false => better.min_by_key(|&(h, _)| h),
            };
            self.go(step.ok_or(Failure::Stuck)?);
        }
        Ok(())
    }

    fn restart(&mut self, run: &mut Run<'_, P::State>) -> Result<(), Failure> {
        let start = self.problem.start();
        self.h = self.heuristic.estimate(&start);
        self.walk = Walk::new(start);
        for _ in 0..self.rng.random_range(1..=RESTART_STEPS) {
            if self.problem.is_goal(self.walk.state()) {
                break;
            }
            let step = self.random_neighbour(run)?;
            self.go(step);
        }
        Ok(())
    }

    fn random_neighbour(&mut self, run: &mut Run<'_, P::State>) -> Result<Step<P>, Failure> {
        let mut neighbours = self.neighbours(run)?;
        if neighbours.is_empty() {
            return Err(Failure::Stuck);
        }
        Ok(neighbours.swap_remove(self.rng.random_range(0..neighbours.len())))
    }

    fn anneal(&mut self, run: &mut Run<'_, P::State>) -> Result<(), Failure> {
        let cooling = (COLD / WARM).powf(1.0 / f64::from(COOLING_STEPS));
        let unit = f64::from(self.heuristic.unit());
        loop {
            let mut temperature = WARM;
            for _ in 0..COOLING_STEPS {
                if self.problem.is_goal(self.walk.state()) {
                    return Ok(());
                }
                let step = self.random_neighbour(run)?;
                let worse = (f64::from(step.0) - f64::from(self.h)) / unit;
                if worse <= 0.0 || self.rng.random::<f64>() < (-worse / temperature).exp() {
                    self.go(step);
                }
                temperature *= cooling;
            }
        }
    }
}
