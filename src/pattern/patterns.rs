//! Patterns without common tiles, whose distances are added.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;

use crate::basics::{available_memory, size_text};
use crate::puzzle::Shape;
use crate::table::{Bytes, MappedFile};

use super::database::{Database, States};
use super::partition::Partition;

/// The databases of patterns without common tiles, for all goals of a class.
///
/// ```
/// use puzzledb::pattern::{Partition, Patterns};
/// use puzzledb::puzzle::{Shape, UsualGoal};
///
/// let goal = UsualGoal::Last.board(Shape::new(4, 4)?);
/// let patterns = Patterns::build(&Partition::new(&goal, &"5-5-5".parse()?)?)?;
/// assert_eq!(patterns.states(), 3 * 874_080);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patterns {
    partition: Partition,
    pub(super) databases: Vec<Database>,
}

/// The numbering of the states of each pattern; patterns of equal size share it.
pub(super) fn all_states(shape: Shape, sizes: &[usize]) -> Vec<States> {
    let mut all: Vec<States> = Vec::new();
    for &tiles in sizes {
        let same = all
            .iter()
            .find(|states| states.blocks.tiles() == tiles)
            .cloned();
        all.push(same.unwrap_or_else(|| States::new(shape, tiles)));
    }
    all
}

impl Patterns {
    /// Searches all patterns and keeps their databases in memory, on the threads of rayon.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub fn build(partition: &Partition) -> io::Result<Patterns> {
        let go_on = |_: usize, _: u8, _: u64| ControlFlow::Continue(());
        Ok(Patterns::build_observed(partition, go_on)?.expect("nobody ends the search"))
    }

    /// As [`Patterns::build`]. `observe` is called with the number of the pattern, from 0, the
    /// distance of each finished level and its states, and may end the search: then there are none.
    ///
    /// # Errors
    /// As [`Patterns::build`].
    pub fn build_observed(
        partition: &Partition,
        observe: impl Fn(usize, u8, u64) -> ControlFlow<()> + Sync,
    ) -> io::Result<Option<Patterns>> {
        let needed = partition.memory();
        if let Some(available) = available_memory().filter(|&available| available < needed) {
            let (needed, available) = (size_text(needed), size_text(available));
            let what = format!("patterns need {needed} of memory, and there are {available}");
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, what));
        }
        let states = all_states(partition.shape, &partition.sizes());
        let build = |(i, (states, &goal)): (usize, (States, &u32))| {
            Database::build(states, goal, partition.blank, |level, new| {
                observe(i, level, new)
            })
        };
        let parts = states.into_iter().zip(&partition.goals).enumerate();
        let databases: io::Result<Option<Vec<Database>>> = match partition.sizes().iter().max() {
            // One after the other: each has work for all threads, and two need the memory of two.
            Some(7..) => parts.map(build).collect::<io::Result<Option<_>>>(),
            _ => parts
                .collect::<Vec<_>>()
                .into_par_iter()
                .map(build)
                .collect(),
        };
        let partition = partition.clone();
        Ok(databases?.map(|databases| Patterns {
            partition,
            databases,
        }))
    }

    /// The databases in `bytes`, each from its offset on.
    pub(super) fn in_bytes(
        partition: Partition,
        bytes: &Arc<Bytes>,
        offsets: &[usize],
    ) -> Patterns {
        let states = all_states(partition.shape, &partition.sizes());
        let parts = states.into_iter().zip(&partition.goals).zip(offsets);
        let databases = parts.map(|((states, &goal), &offset)| {
            Database::new(states, goal, partition.blank, Arc::clone(bytes), offset)
        });
        Patterns {
            databases: databases.collect(),
            partition,
        }
    }

    /// The patterns.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The file that they are mapped from.
    pub fn file(&self) -> Option<&MappedFile> {
        self.databases.first()?.file()
    }

    /// Number of states of all patterns.
    pub fn states(&self) -> u64 {
        self.databases
            .iter()
            .map(|database| database.states.count())
            .sum()
    }
}
