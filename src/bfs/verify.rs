//! Proving bit 1 of all distances, level by level, with the pulls and without the search.
//!
//! The bit and the blank's colour claim each state's distance modulo 4. Level by level from the
//! goal, D is made of the claims: the states at D = d + 1 are those that a move leads to from
//! D = d and that claim d + 1. What must hold is that each of them has no D yet, and that all
//! other states that a move leads to from D = d are at D = d - 1. If so, and if in the end every
//! state has its D, then D is 0 at the goal alone, every move changes it by exactly 1, and every
//! other state has a neighbour one closer: D is the distance, and the claims are right.

use crate::space::{GoalClass, StateIndex};

use super::error::SearchError;
use super::half::{Block, Half};
use super::layout::bit_one_of;
use super::search::Search;

/// What is wrong with the claims, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WrongClaim {
    /// The state.
    pub index: StateIndex,
    /// The distance from which a move leads to the state, where its claim fits neither the
    /// distance before nor the one after; `None` if no chain of claims leads to it, or if it is
    /// the goal and does not claim 0.
    pub from: Option<u8>,
}

impl Search {
    /// Proves `claims(cell, word)`, the words of bit 1 of all distances as in [`Layout`](super::Layout); how many
    /// states there are at each distance.
    ///
    /// # Errors
    /// The outer one as [`Search::new`]; the inner one is a state that is wrong.
    pub fn verify(
        class: GoalClass,
        threads: usize,
        claims: impl Fn(usize, usize) -> u64,
    ) -> Result<Result<Vec<u64>, WrongClaim>, SearchError> {
        let mut search = Search::new(class, threads)?;
        let layout = search.pulls().layout().clone();
        let goal = layout.ranking().index(layout.ranking().goal());
        if claims(class.blank(), 0) & 1 == 1 {
            let (index, from) = (goal, None);
            return Ok(Err(WrongClaim { index, from }));
        }
        for cell in 0..layout.planes() {
            for chunk in 0..layout.chunks() {
                let planes = &mut search.half_mut(layout.colour(cell)).bit_one;
                let words = planes.of_chunk_mut(cell, chunk);
                for (i, word) in words.iter_mut().enumerate() {
                    *word = claims(cell, chunk * layout.chunk() + i);
                }
            }
        }
        let mut levels = vec![search.reach_goal()];
        loop {
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

    /// The states at `distance` by the claims, from those before; how many there are.
    fn claimed_level(&mut self, distance: u8) -> Result<u64, WrongClaim> {
        let layout = self.pulls().layout().clone();
        self.over_tasks(distance, |task, pulls, colour, source: &Half| {
            let (mut states, mut wrong) = (0, None::<WrongClaim>);
            let all = |_: &mut Block<'_>| true;
            task.each_block(pulls, colour, source, all, |block, pulled| {
                let found = settle(block, pulled, distance);
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
        })
        .into_iter()
        .reduce(|a, b| match (a, b) {
            (Ok(a), Ok(b)) => Ok(a + b),
            (Err(a), Err(b)) => Err(a.min(b)),
            (Err(wrong), Ok(_)) | (Ok(_), Err(wrong)) => Err(wrong),
        })
        .unwrap_or(Ok(0))
    }

    /// The first state that has not been reached.
    fn first_unseen(&self) -> Option<StateIndex> {
        let layout = self.pulls().layout();
        (0..layout.planes()).find_map(|cell| {
            let seen = &self.half(layout.colour(cell)).seen;
            (0..layout.words()).find_map(|word| {
                let unseen = !seen.piece(cell, word, 1)[0] & layout.full_word();
                (unseen != 0).then(|| layout.index(cell, word, unseen.trailing_zeros()))
            })
        })
    }
}

/// What one block has of a level.
struct Settled {
    new: u32,
    /// Word and bit of the first state whose claim does not fit.
    wrong: Option<(usize, u32)>,
}

fn settle(block: &mut Block<'_>, pulled: &[u64], distance: u8) -> Settled {
    let own = bit_one_of(distance);
    let mut settled = Settled {
        new: 0,
        wrong: None,
    };
    let words = (block.front.iter_mut())
        .zip(block.seen.iter_mut())
        .zip(&*block.bit_one);
    for (word, (((front, seen), claim), &pulled)) in words.zip(pulled).enumerate() {
        let farther = pulled & !(claim ^ own);
        let nearer = pulled & (claim ^ own);
        // Until now `front` has the states two distances before, the only nearer ones there are.
        let wrong = nearer & !*front | farther & *seen;
        if wrong != 0 && settled.wrong.is_none() {
            settled.wrong = Some((word, wrong.trailing_zeros()));
        }
        *front = farther;
        *seen |= farther;
        settled.new += farther.count_ones();
    }
    *block.live = settled.new > 0;
    settled
}
