//! Forecast of a build of patterns on this machine.

use std::io;
use std::time::Instant;

use crate::puzzle::{Shape, UsualGoal};
use crate::table::Needs;

use super::ensure::PatternPlan;
use super::partition::{Partition, PatternNames};
use super::patterns::Patterns;

impl PatternPlan {
    /// Returns the memory, disk and time that the build takes. The time is that of as many states of a pattern of seven
    /// tiles of the 15-puzzle, which is searched here in less than a second, on the threads of rayon.
    ///
    /// # Errors
    /// If the system does not give the memory for that.
    pub fn measure(&self) -> io::Result<Needs> {
        let fifteen = Shape::new(4, 4).expect("4x4 is a shape");
        let goal = UsualGoal::Last.board(fifteen);
        let sample = Partition::new(&goal, &PatternNames::Sizes(vec![7])).expect("7 is a size");
        let start = Instant::now();
        let searched = Patterns::build(&sample)?;
        let seconds = start.elapsed().as_secs_f64() / searched.states() as f64;
        let states = self.partition.states();
        Ok(Needs {
            memory: self.partition.memory(),
            disk: self.disk(),
            read: 0,
            written: self.file_bytes(),
            seconds: states as f64 * seconds,
        })
    }
}
