//! The proof of a large bit table, on planes.

use crate::bfs::{Block, ClaimedBits, Kept, Layout, Observe, ScratchOptions, Search, SlabSearch};
use crate::table::Table;

use super::error::{CheckError, Fault, at_state};

/// Proves a bit table as [`Search::verify`] does, with these options. Returns the number of states
/// of each level.
pub(super) fn check_planes(
    table: &Table,
    options: &ScratchOptions,
    observe: Observe<'_>,
) -> Result<Vec<u64>, CheckError> {
    let (class, kept, exchange) = (table.header().class(), Kept::Nothing, &options.exchange);
    let (verified, levels) = if options.scratch.is_none() {
        let possible = Search::check_memory(class, kept, options.memory, &**exchange);
        exchange.agree(possible)?;
        let mut search = Search::shared(class, kept, options.threads, exchange.clone())?;
        let verified = search.verify(table, observe)?;
        (verified, search.levels().to_vec())
    } else {
        let mut options = options.clone();
        options.proof_of = Some(table.header().tag());
        let mut search = SlabSearch::open(class, kept, options)?;
        let verified = search.verify(table, observe)?;
        let levels = search.levels().to_vec();
        search.remove();
        (verified, levels)
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

impl ClaimedBits for Table {
    fn write(&self, layout: &Layout, from: Block, words: &mut [u64]) {
        let first = layout.index(from.cell, layout.first_word(from), 0);
        self.words_of_bits(first, layout.word_bits(), words);
    }
}
