//! A finished level of a search in memory.

use std::ops::ControlFlow;

use crate::space::StateIndex;

use super::layout::Colour;
use super::planes::Planes;
use super::pull::Pulls;
use super::search::Search;

/// A finished level: the states at one distance.
#[derive(Debug)]
pub struct Level<'a> {
    search: &'a Search,
    distance: u8,
    states: u64,
}

impl Search {
    /// Finds the next level; `None` when every state has been reached.
    pub fn advance(&mut self) -> Option<Level<'_>> {
        let Ok(found) = self.next_level(None, &mut |_, _, _| ControlFlow::Continue(()));
        Some(Level {
            states: found?.states,
            distance: self.levels().len() as u8 - 1,
            search: self,
        })
    }
}

impl Level<'_> {
    /// The distance of its states.
    pub fn distance(&self) -> u8 {
        self.distance
    }

    /// Number of its states, on all ranks.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The pulls of the search.
    pub fn pulls(&self) -> &Pulls {
        self.search.pulls()
    }

    /// The colour of its states.
    pub fn colour(&self) -> Colour {
        Colour::of_distance(self.distance)
    }

    /// The numbers of its states, of this rank's share, cell by cell, in order.
    pub fn states_in_order(&self) -> impl Iterator<Item = StateIndex> {
        let layout = self.pulls().layout();
        layout.cells(self.colour()).flat_map(move |cell| {
            self.search.words().flat_map(move |word| {
                let mut left = self.planes().piece(cell, word, 1)[0];
                std::iter::from_fn(move || {
                    let bit = left.trailing_zeros();
                    left &= left.checked_sub(1)?;
                    Some(layout.index(cell, word, bit))
                })
            })
        })
    }

    /// Its states as bits: the planes of its colour, in the order of
    /// [`Layout`](super::Layout).
    pub fn planes(&self) -> &Planes {
        &self.search.planes(self.colour()).frontier
    }
}
