//! Patterns without common tiles, whose distances are added.

use crate::table::{FormatError, Sections, WatchedFile};

use super::database::{Database, State, States};
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
    pub(super) partition: Partition,
    pub(super) databases: Vec<Database>,
}

impl Partition {
    /// Returns the numbering of the states of each pattern, which patterns of equal size share.
    pub(super) fn all_states(&self) -> Vec<States> {
        let mut all = Vec::<States>::new();
        for tiles in self.sizes() {
            let same = all.iter().find(|states| states.blocks.tiles == tiles);
            let same = same.cloned();
            all.push(same.unwrap_or_else(|| States::new(self.class.shape(), tiles)));
        }
        all
    }

    /// Returns the goal of a pattern.
    pub(super) fn goal_state(&self, pattern: usize) -> State {
        State {
            mask: self.goals[pattern],
            blank: self.class.blank(),
            order: 0,
        }
    }
}

impl Patterns {
    /// Returns the patterns.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Returns the sections of the file that they are in, or of the first pattern if they were made here.
    pub(super) fn contents(&self) -> &Sections {
        &self.databases[0].contents
    }

    /// Returns the file that they are in, unless it is copied.
    pub fn file(&self) -> Option<&WatchedFile> {
        self.contents().file()
    }

    /// Returns the first damage that was met in the file. Answers found since then must not be returned.
    pub fn damage(&self) -> Option<&FormatError> {
        self.contents().damage()
    }

    /// Verifies all chunks of the file that they are in.
    ///
    /// # Errors
    /// [`FormatError::Chunks`] names those that are damaged.
    pub fn verify(&self) -> Result<(), FormatError> {
        self.contents().verify()
    }

    /// Number of states of all patterns.
    pub fn states(&self) -> u64 {
        self.databases
            .iter()
            .map(|database| database.states.count())
            .sum()
    }
}
