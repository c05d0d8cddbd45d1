//! One step of a level: the new states of a part of each rank's share.

use std::io;
use std::ops::Range;

use super::claims::{Claims, LevelResult};
use super::colour_planes::{Cells, ColourPlanes, Task};
use super::exchange::Exchange;
use super::layout::Colour;
use super::pull::Pulls;
use super::shares::Shares;
use super::workers::Workers;

/// One step of a level, in which each rank takes a part of its share.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    pub pulls: &'a Pulls,
    pub shares: Shares,
    pub rank: usize,
    /// The distance of the level.
    pub distance: u8,
    /// The number of the step.
    pub number: usize,
}

impl Step<'_> {
    /// The colour of its new states.
    pub fn colour(&self) -> Colour {
        Colour::of_distance(self.distance)
    }

    /// The words of each plane that this rank takes.
    pub fn words(&self) -> Range<usize> {
        self.shares.part(self.rank, self.number)
    }

    /// Returns whether anything is carried from slab to slab.
    pub fn crosses(&self) -> bool {
        self.distance > 0 && self.pulls.layout().slabs() > 1
    }

    /// Makes its new states, from planes that are loaded and the messages of all ranks. The second
    /// result is an error if these are damaged.
    pub fn expand(
        &self,
        planes: &mut [ColourPlanes; 2],
        messages: Vec<Vec<u8>>,
        claims: Option<Claims<'_>>,
        exchange: &dyn Exchange,
        workers: &Workers,
    ) -> (LevelResult, io::Result<()>) {
        let (layout, distance) = (self.pulls.layout(), self.distance);
        let [even, odd] = planes;
        let (source, target) = match self.colour() {
            Colour::Even => (odd, even),
            Colour::Odd => (even, odd),
        };
        let mut found = LevelResult::default();
        let words = self.words();
        if distance == 0 {
            found.states = if words.contains(&0) {
                target.reach_goal(layout)
            } else {
                0
            };
            return (found, Ok(()));
        }
        let mut each = |cells, source: &ColourPlanes| {
            if words.is_empty() {
                return;
            }
            let mut tasks = target.tasks(layout);
            tasks.iter_mut().for_each(|task| task.cells = cells);
            let expand = |task: &mut Task<'_>| task.expand(self.pulls, source, distance, claims);
            workers
                .each(tasks, expand)
                .into_iter()
                .for_each(|new| found.add(new));
        };
        if !self.crosses() {
            each(Cells::All, source);
            return (found, Ok(()));
        }
        let messages = exchange.swap(messages, &mut || each(Cells::Inside, source));
        let arrived = self.arrive(source, &messages, workers);
        if arrived.is_ok() {
            each(Cells::Crossing, source);
        }
        (found, arrived)
    }
}
