//! Verifying bit 1 of all distances, level by level: with the pulls of the search, but not with
//! its levels.
//!
//! The bit and the blank's colour together claim a state's distance modulo 4. D is built from the
//! claims: D = 0 at the goal, and level d + 1 is the states one move from level d that claim d + 1.
//! Two things are checked at each level: no state of level d + 1 has a D already, and every other
//! state one move from level d has D = d - 1. If both hold at all levels, and every state gets a D
//! in the end, then D is 0 at the goal alone, every move changes D by exactly 1, and every state
//! but the goal has a neighbour one closer. So D is the distance, and the claims are right.

use crate::space::{GoalClass, StateIndex};

use super::colour_planes::{Block, ColourPlanes, Kept, Task};
use super::error::SearchError;
use super::layout::{Colour, bit_one_of};
use super::pull::Pulls;
use super::search::Search;

/// A state whose claim is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct WrongClaim {
    /// The state.
    pub index: StateIndex,
    /// The level from which a move leads to the state, if its claim fits neither the level before
    /// nor the one after. `None` if no level reaches the state, or if it is the goal and does not
    /// claim 0.
    pub from: Option<u8>,
}

impl Search {
    /// Verifies bit 1 of all distances, where `claims(cell, word)` is a word of them as in
    /// [`Layout`](super::Layout), and gives the number of states at each distance; `reached` is told after each
    /// level how many there are so far.
    ///
    /// # Errors
    /// The outer error is that of [`Search::new`]; the inner one is a state with a wrong claim.
    pub fn verify(
        class: GoalClass,
        threads: usize,
        claims: impl Fn(usize, usize) -> u64,
        reached: impl Fn(u64),
    ) -> Result<Result<Vec<u64>, WrongClaim>, SearchError> {
        let mut search = Search::keeping(class, Kept::Claims, threads)?;
        let layout = search.pulls().layout().clone();
        let goal = layout.ranking().index(layout.ranking().goal());
        if claims(class.blank(), 0) & 1 == 1 {
            let (index, from) = (goal, None);
            return Ok(Err(WrongClaim { index, from }));
        }
        for cell in 0..layout.planes() {
            for chunk in 0..layout.chunks() {
                let planes = &mut search.planes_mut(layout.colour(cell)).bit_one;
                let words = planes.of_chunk_mut(cell, chunk);
                for (i, word) in words.iter_mut().enumerate() {
                    *word = claims(cell, chunk * layout.chunk() + i);
                }
            }
        }
        let mut levels = vec![search.reach_goal()];
        let planes = search.planes_mut(Colour::Even);
        planes.seen.of_chunk_mut(class.blank(), 0)[0] = 1;
        loop {
            reached(levels.iter().sum());
            let distance = levels.len() as u8;
            match search.claimed_level(distance) {
                Ok(0) => break,
                Ok(states) if distance < u8::MAX => levels.push(states),
                Ok(_) => {
                    let (index, from) = (goal, None);
                    return Ok(Err(WrongClaim { index, from }));
                }
                Err(wrong) => return Ok(Err(wrong)),
            }
        }
        Ok(match search.first_unseen() {
            None => Ok(levels),
            Some(index) => Err(WrongClaim { index, from: None }),
        })
    }

    /// Makes the level at `distance` of D from the one before; how many states it has.
    fn claimed_level(&mut self, distance: u8) -> Result<u64, WrongClaim> {
        let layout = self.pulls().layout().clone();
        let run = |task: &mut Task<'_>, pulls: &Pulls, colour, source: &ColourPlanes| {
            let (mut states, mut wrong) = (0, None::<WrongClaim>);
            task.each_block(pulls, colour, source, |block, pulled| {
                let found = update(block, pulled, distance);
                states += u64::from(found.new);
                if let Some((word, bit)) = found.wrong {
                    let index = layout.index(block.cell, block.word + word, bit);
                    let claim = WrongClaim {
                        index,
                        from: Some(distance - 1),
                    };
                    wrong = Some(wrong.map_or(claim, |before| before.min(claim)));
                }
            });
            match wrong {
                None => Ok(states),
                Some(wrong) => Err(wrong),
            }
        };
        let (states, _) = self.each_task(distance, run);
        let states = states.into_iter().reduce(|a, b| match (a, b) {
            (Ok(a), Ok(b)) => Ok(a + b),
            (Err(a), Err(b)) => Err(a.min(b)),
            (Err(wrong), Ok(_)) | (Ok(_), Err(wrong)) => Err(wrong),
        });
        states.unwrap_or(Ok(0))
    }

    /// The first state that has not been reached.
    fn first_unseen(&self) -> Option<StateIndex> {
        let layout = self.pulls().layout();
        (0..layout.planes()).find_map(|cell| {
            let seen = &self.planes(layout.colour(cell)).seen;
            (0..layout.words()).find_map(|word| {
                let unseen = !seen.piece(cell, word, 1)[0] & layout.full_word();
                (unseen != 0).then(|| layout.index(cell, word, unseen.trailing_zeros()))
            })
        })
    }
}

/// What a level brought to one block.
struct Update {
    /// States of the level.
    new: u32,
    /// Word and bit of the first state whose claim is wrong.
    wrong: Option<(usize, u32)>,
}

fn update(block: &mut Block<'_>, pulled: &[u64], distance: u8) -> Update {
    let own = bit_one_of(distance);
    let mut update = Update {
        new: 0,
        wrong: None,
    };
    let words = (block.frontier.iter_mut())
        .zip(block.seen.iter_mut())
        .zip(&*block.bit_one);
    for (word, (((frontier, seen), claim), &pulled)) in words.zip(pulled).enumerate() {
        let farther = pulled & !(claim ^ own);
        let nearer = pulled & (claim ^ own);
        // `frontier` still holds the level two before this one: the right place of `nearer`.
        let wrong = nearer & !*frontier | farther & *seen;
        if wrong != 0 && update.wrong.is_none() {
            update.wrong = Some((word, wrong.trailing_zeros()));
        }
        *frontier = farther;
        *seen |= farther;
        update.new += farther.count_ones();
    }
    *block.active = update.new > 0;
    update
}
