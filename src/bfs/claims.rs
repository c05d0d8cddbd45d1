//! What a table claims of the states of a level, and what was found there.

use crate::space::StateIndex;

/// Writes the words of bit 1 of the distances that are claimed for a cell from a word on.
pub type Claims<'a> = &'a (dyn Fn(usize, usize, &mut [u64]) + Sync);

/// A state whose claim is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct WrongClaim {
    /// The state.
    pub index: StateIndex,
    /// The level from which a move leads to the state, where its claim fits neither the level before
    /// nor the one after. `None` if it is the goal, and does not claim 0.
    pub from: Option<u8>,
}

/// What was found in a part of a level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// How many states it has.
    pub states: u64,
    /// The first of them whose claim is wrong.
    pub wrong: Option<WrongClaim>,
}

impl Found {
    /// Adds what was found in another part.
    pub fn add(&mut self, other: Found) {
        self.states += other.states;
        self.wrong = [self.wrong, other.wrong].into_iter().flatten().min();
    }
}
