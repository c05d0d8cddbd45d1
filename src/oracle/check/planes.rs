//! The proof of a large bit table: on planes, then at drawn states.

use crate::basics::parallel::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::bfs::{
    Block, ClaimedBits, Kept, Layout, Observe, ScratchOptions, Search, SearchError, SlabSearch,
};
use crate::puzzle::Move;
use crate::space::StateIndex;
use crate::table::Table;

use super::super::distances::UNREACHED;
use super::error::{CheckError, Fault, at_state};
use super::options::CheckOptions;

/// Proves a bit table as [`Search::verify`] does, with these options. Returns the number of states
/// of each level.
pub(super) fn check_planes(
    table: &Table,
    options: &CheckOptions,
    observe: Observe<'_>,
) -> Result<Vec<u64>, CheckError> {
    let class = table.header().class();
    let (threads, memory, exchange) = (options.threads, options.memory, &options.exchange);
    let kept = Kept::Nothing;
    let (verified, levels) = match &options.scratch {
        None => {
            let possible = Search::check_memory(class, kept, memory, &**exchange);
            exchange.agree(possible, || SearchError::OtherRank)?;
            let mut search = Search::shared(class, kept, threads, exchange.clone())?;
            let Ok(verified) = search.verify(&Claims::new(table, search.layout()), observe);
            (verified, search.levels().to_vec())
        }
        Some(folder) => {
            let options = ScratchOptions {
                threads,
                memory,
                proof_of: Some(table.header().tag()),
                exchange: exchange.clone(),
                ..ScratchOptions::new(folder)
            };
            let mut search = SlabSearch::open(class, kept, options)?;
            let verified = search.verify(&Claims::new(table, search.layout()), observe)?;
            let levels = search.levels().to_vec();
            search.remove();
            (verified, levels)
        }
    };
    verified.map_err(|wrong| {
        let fault = match wrong.from {
            None => Fault::GoalNotZero { distance: 2 },
            Some(from) => Fault::FitsNeither { from },
        };
        at_state(table, wrong.index, fault)
    })?;
    Ok(levels)
}

/// The claims of a table, in words of a search's planes.
#[derive(Debug)]
struct Claims<'a> {
    table: &'a Table,
    layout: Layout,
}

impl Claims<'_> {
    fn new<'a>(table: &'a Table, layout: &Layout) -> Claims<'a> {
        let layout = layout.clone();
        Claims { table, layout }
    }
}

impl ClaimedBits for Claims<'_> {
    fn write(&self, from: Block, words: &mut [u64]) {
        let word = self.layout.first_word(from);
        let first = self.layout.index(from.cell, word, 0);
        self.table
            .words_of_bits(first, self.layout.word_bits(), words);
    }
}

/// Returns the goal and drawn states, `count` in all, the same for all tables of a class.
pub(super) fn sample(table: &Table, count: usize) -> Vec<StateIndex> {
    let ranking = table.ranking();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let drawn = (1..count).map(|_| StateIndex(random.random_range(0..ranking.states())));
    std::iter::once(ranking.index(ranking.goal()))
        .chain(drawn)
        .collect()
}

/// Checks some states of a bit table by [`check_sampled`], the first `walked` with walks.
pub(super) fn check_sample(
    table: &Table,
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

/// Checks a state of a bit table by its moves alone. The goal must claim 0. For another state some
/// neighbour must claim one less (modulo 4; that all others claim one more follows from the
/// colours). With `walk`, the walks down from it and from each neighbour must lead to the goal, and
/// their lengths differ by exactly 1.
fn check_sampled(table: &Table, index: StateIndex, walk: bool) -> Result<(), Fault> {
    let ranking = table.ranking();
    let state = ranking.state(index);
    if state == ranking.goal() {
        return match table.distance_mod_4(state) {
            0 => Ok(()),
            distance => Err(Fault::GoalNotZero { distance }),
        };
    }
    if table.closer(state).count() == 0 {
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
