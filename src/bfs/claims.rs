//! Claims of a table on the states of a level, and the results of comparing them.

use crate::space::StateIndex;

/// Function that writes the claimed words of bit 1 of the distances for a cell, from a word on.
pub type Claims<'a> = &'a (dyn Fn(usize, usize, &mut [u64]) + Sync);

/// A state whose claim is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct WrongClaim {
    /// The state.
    pub index: StateIndex,
    /// The level from which a move leads to the state. The state's claim fits neither the level before
    /// nor the one after. `None` for the goal, if its claim is not 0.
    pub from: Option<u8>,
}

/// Result of comparing a part of a level.
#[derive(Clone, Copy, Debug, Default)]
pub struct LevelResult {
    /// Number of its states.
    pub states: u64,
    /// The first of them whose claim is wrong.
    pub wrong: Option<WrongClaim>,
}

impl LevelResult {
    /// Adds the result of another part.
    pub fn add(&mut self, other: LevelResult) {
        self.states += other.states;
        self.wrong = [self.wrong, other.wrong].into_iter().flatten().min();
    }
}
