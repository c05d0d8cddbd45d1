//! Forecast of a build of patterns on this machine.

use std::io;
use std::time::Instant;

use crate::puzzle::{Shape, UsualGoal};
use crate::table::{Checkpoints, Needs};

use super::needed::{count, memory};
use super::partition::{Partition, PatternNames};
use super::patterns::Patterns;

/// Returns the memory, disk and time that a build of patterns takes. The time is that of as many states of a pattern of
/// seven tiles of the 15-puzzle, which is searched here in less than a second, on the threads of rayon.
///
/// # Errors
/// If the system does not give the memory for that.
pub fn measure(partition: &Partition, checkpoints: Checkpoints) -> io::Result<Needs> {
    let fifteen = Shape::new(4, 4).expect("4x4 is a shape");
    let goal = UsualGoal::Last.board(fifteen);
    let sample = Partition::new(&goal, &PatternNames::Sizes(vec![7])).expect("7 is a size");
    let start = Instant::now();
    let searched = Patterns::build(&sample)?;
    let seconds = start.elapsed().as_secs_f64() / searched.states() as f64;
    let all = partition.all_states();
    let states = count(&all);
    let pages = 2 + partition.sizes().len() as u64; // each section begins on one
    let file = states.div_ceil(8) + 4096 * pages;
    Ok(Needs {
        memory: memory(&all),
        disk: checkpoints.disk(states, file),
        read: 0,
        written: file,
        seconds: states as f64 * seconds,
    })
}
