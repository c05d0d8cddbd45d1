//! The proof of a large bit table: on planes, then at drawn states.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::basics::all_cores;
use crate::bfs::{Layout, Search};
use crate::puzzle::Move;
use crate::space::StateIndex;
use crate::table::Table;

use super::super::distances::UNREACHED;
use super::error::{CheckError, Fault, at_state};

/// Proves a bit table as [`Search::verify`] does, on all cores; how many states each level has.
pub(super) fn check_planes<B: AsRef<[u8]>>(
    table: &Table<B>,
    reached: impl Fn(u64),
) -> Result<Vec<u64>, CheckError> {
    let (class, ranking) = (table.header().class(), table.ranking());
    let layout = Layout::new(class);
    let claims =
        |cell: usize, word: usize| table.bits_one(layout.index(cell, word, 0), layout.word_bits());
    Search::verify(class, all_cores(), claims, reached)?.map_err(|wrong| {
        let fault = match wrong.from {
            _ if wrong.index == ranking.index(ranking.goal()) => Fault::GoalNotZero { distance: 2 },
            None => Fault::Unreached,
            Some(from) => Fault::FitsNeither { from },
        };
        at_state(table, wrong.index, fault)
    })
}

/// The goal and drawn states, `count` in all, the same for all tables of a class.
pub(super) fn sample<B: AsRef<[u8]>>(table: &Table<B>, count: usize) -> Vec<StateIndex> {
    let ranking = table.ranking();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let drawn = (1..count).map(|_| StateIndex(random.random_range(0..ranking.states())));
    std::iter::once(ranking.index(ranking.goal()))
        .chain(drawn)
        .collect()
}

/// Checks some states of a bit table by [`check_sampled`], the first `walked` with walks.
pub(super) fn check_sample<B: AsRef<[u8]> + Sync>(
    table: &Table<B>,
    sample: &[StateIndex],
    walked: usize,
) -> Result<(), CheckError> {
    let states = sample.par_iter().enumerate();
    let wrong = states.find_map_first(|(i, &index)| {
        let fault = check_sampled(table, index, i < walked).err()?;
        Some((index, fault))
    });
    match wrong {
        None => Ok(()),
        Some((index, fault)) => Err(at_state(table, index, fault)),
    }
}

/// Checks a state of a bit table by its moves alone: unless it is the goal, and claims 0, some
/// neighbour claims one less (modulo 4; that all others claim one more follows from the colours).
/// With `walk`, the walks down from it and from each neighbour lead to the goal, and their lengths
/// differ by exactly 1.
fn check_sampled<B: AsRef<[u8]>>(
    table: &Table<B>,
    index: StateIndex,
    walk: bool,
) -> Result<(), Fault> {
    let ranking = table.ranking();
    let state = ranking.state(index);
    if state == ranking.goal() {
        return match table.distance_mod_4(state) {
            0 => Ok(()),
            distance => Err(Fault::GoalNotZero { distance }),
        };
    }
    if table.closer(state).next().is_none() {
        return Err(Fault::Unreached);
    }
    if walk {
        let distance = table.distance(state).ok_or(Fault::Unreached)?;
        for mv in Move::ALL {
            if let Some(next) = ranking.step(state, mv) {
                let next = table.distance(next).unwrap_or(UNREACHED);
                if next.abs_diff(distance) != 1 {
                    return Err(Fault::Step { distance, mv, next });
                }
            }
        }
    }
    Ok(())
}
