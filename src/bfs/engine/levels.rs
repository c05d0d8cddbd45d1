//! The levels of a breadth-first search from the goal: one loop for planes in memory and in files, of
//! one rank and of several.
//!
//! A level is a run of steps. In each, every rank loads a part of its share, sends the crossing
//! words to others, meanwhile takes the cells into which nothing crosses, then the others, and saves the part.
//! In memory one step takes a whole share and there is nothing to load; in files it takes a slab.
//!
//! The same loop verifies bit 1 of all distances ([`Search::verify`]). The bit and the blank's colour together
//! claim a state's distance modulo 4. D is built from the
//! claims: D = 0 at the goal, and level d + 1 is the states one move from level d that are not in
//! level d - 1. All of them must claim d + 1, and in the end every state must be in a level. Then
//! no state is in two levels. (Take the first level in which one, x, is again: level d + 1 with a
//! neighbour y of level d, and level e before, with e = d - 3 or less by the claim. When level e was
//! expanded, y was put into level e + 1 or was in level e - 1: it was in two levels earlier.) So D is
//! 0 at the goal alone, every move changes D by exactly 1, and every state but the goal has a
//! neighbour one closer: D is the distance, and the claims are right.

use std::ops::ControlFlow;

use crate::space::StateIndex;

use super::super::error::SearchError;
use super::super::scratch::slab::Slab;
use super::colour::{ClaimedBits, LevelResult, WrongClaim};
use super::planes::{Planes, ones};
use super::search::{HAS_FILES, Search};
use super::step::Step;

/// Progress of a search.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LevelProgress {
    /// The distance of the level at work.
    pub distance: u8,
    /// Finished slabs of that distance, and their number in all; 1 of 1 in memory.
    pub slabs: (usize, usize),
    /// States that have been reached in all. Of the level at work only those of this rank are counted.
    pub states: u64,
}

/// Observer of each step, which may end the search: in files after the step, in memory after the level.
pub type Observe<'a> = &'a mut dyn FnMut(LevelProgress) -> ControlFlow<()>;

/// Observer that ends no search.
pub fn go_on(_: LevelProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

impl Search {
    /// Finds the next level, and returns the search at it; `None` when every state has been reached.
    ///
    /// # Errors
    /// Those of the files, and [`SearchError::Interrupted`] from `observe`; the last finished level is still there.
    pub fn advance(&mut self, observe: Observe<'_>) -> Result<Option<&Search>, SearchError> {
        let found = self.next_level(None, observe)?;
        Ok(found.map(|_| &*self))
    }

    /// The distance of the last finished level.
    pub fn distance(&self) -> u8 {
        self.levels.len().saturating_sub(1) as u8
    }

    /// Number of states of the last finished level, on all ranks.
    pub fn states(&self) -> u64 {
        self.levels.last().map_or(0, |states| *states)
    }

    /// The colour of the states of the last finished level.
    pub fn colour(&self) -> usize {
        usize::from(self.distance() % 2)
    }

    /// Finds all levels that are left.
    ///
    /// # Errors
    /// As [`Search::advance`].
    pub fn run(&mut self, observe: Observe<'_>) -> Result<(), SearchError> {
        while self.advance(observe)?.is_some() {}
        Ok(())
    }

    /// Verifies the claims on all states.
    ///
    /// The search is a new one, or one whose levels so far have been verified. Afterwards the caller has to compare
    /// its levels with the expected ones.
    ///
    /// # Errors
    /// The outer error is that of the search; the inner one is a state with a wrong claim, the same on
    /// all ranks.
    pub fn verify(
        &mut self,
        claims: &dyn ClaimedBits,
        observe: Observe<'_>,
    ) -> Result<Result<(), WrongClaim>, SearchError> {
        while let Some(found) = self.next_level(Some(claims), observe)? {
            if let Some(index) = found.wrong {
                let from = self.levels.len().checked_sub(1).map(|from| from as u8);
                return Ok(Err(WrongClaim { index, from }));
            }
        }
        Ok(Ok(()))
    }

    /// Finds the next level, and compares it with `claims`, if there are any. A level with a wrong claim
    /// is not finished. `None` if there is no further level.
    fn next_level(
        &mut self,
        claims: Option<&dyn ClaimedBits>,
        observe: Observe<'_>,
    ) -> Result<Option<LevelResult>, SearchError> {
        if self.is_complete() || self.levels.len() > usize::from(u8::MAX) {
            return Ok(None);
        }
        let (distance, steps) = (self.levels.len() as u8, self.layout().steps());
        let exchange = self.setup.exchange.clone();
        let reached: u64 = self.levels.iter().sum();
        let (mut found, mut sent, mut is_ended) = (LevelResult::default(), 0, false);
        for number in 0..steps {
            let mut step = Step {
                setup: self.setup.clone(),
                distance,
                number,
                finished: None,
            };
            let messages = match &mut self.files {
                Some(files) if HAS_FILES => files.load(&mut self.colours, &mut step),
                _ => Ok(step.messages(&self.colours[1 - step.colour()].frontier)),
            };
            let messages = exchange.agree(messages)?;
            sent += step.sent(&messages);
            let expand =
                |slab: Option<&mut Slab>| step.expand(&mut self.colours, slab, messages, claims);
            let mut made = match &mut self.files {
                Some(files) if HAS_FILES => files.make(&step, |slab| expand(Some(slab))),
                _ => Ok(expand(None).expect("ranks send what they have coded")),
            };
            found.add(*made.as_ref().unwrap_or(&LevelResult::default()));
            found.states += step.finished.unwrap_or(0);
            let progress = LevelProgress {
                distance,
                slabs: (number + 1, steps),
                states: reached + found.states,
            };
            if observe(progress).is_break() {
                is_ended = true;
                if self.files.is_some() {
                    made = made.and(Err(SearchError::Interrupted));
                }
            }
            exchange.agree(made)?;
        }
        let [states, crossed, ended] = exchange.sum([found.states, sent, is_ended.into()]);
        self.crossed.push(crossed);
        let wrong = claims.and_then(|_| self.first_wrong(found.wrong));
        if states > 0 && wrong.is_none() {
            self.levels.push(states);
        }
        if let Some(files) = self.files.as_mut().filter(|_| HAS_FILES) {
            exchange.agree(files.finish(&self.setup, &self.levels, states))?;
        }
        match ended {
            0 => Ok((states > 0).then_some(LevelResult { states, wrong })),
            _ => Err(SearchError::Interrupted),
        }
    }

    /// First of the wrong states that ranks have found, all at one level.
    fn first_wrong(&self, own: Option<StateIndex>) -> Option<StateIndex> {
        let index = own.map_or(u64::MAX, |wrong| wrong.0).to_be_bytes(); // in the order of the numbers
        let first = self.setup.exchange.all(&index).into_iter().min()?;
        let first = u64::from_be_bytes(first.try_into().ok()?);
        (first < u64::MAX).then_some(StateIndex(first))
    }

    /// The numbers of the states of the last finished level, of this rank's share, cell by cell, in order.
    pub fn states_in_order(&self) -> impl Iterator<Item = StateIndex> {
        let cells = self.layout().cells(self.colour());
        cells.flat_map(|cell| self.states_of(cell))
    }

    /// As [`Search::states_in_order`], those with the blank in a cell of the level's colour.
    pub fn states_of(&self, cell: usize) -> impl Iterator<Item = StateIndex> {
        let planes = self.planes();
        self.words().flat_map(move |word| {
            let bits = ones(planes.piece(cell, word, 1)[0]);
            bits.map(move |bit| self.layout().index(cell, word, bit as u32))
        })
    }

    /// The states of the last finished level as bits: the planes of its colour, in the order of
    /// [`Layout`](super::super::Layout).
    pub fn planes(&self) -> &Planes {
        &self.colours[self.colour()].frontier
    }
}
