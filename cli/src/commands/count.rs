//! `puzzledb stats --count`

use std::fmt;
use std::sync::Arc;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::form::Form;
use puzzledb::basics::size_text;
use puzzledb::bfs::{Exchange, Kept, PlaneStore, ScratchOptions, Search, SlabSearch, go_on};
use puzzledb::oracle::{Stats, StatsRecord};
use puzzledb::puzzle::Board;
use puzzledb::space::Frame;

use super::build::{progress_bar, show, slab_requirement, threads};
use super::error::{CliError, Status, print_note, scratch_advised};
use super::interrupt;
use super::stats::Args;

/// Counts the boards at each distance by a search that keeps no table, and prints them.
pub(super) fn count(
    args: &Args,
    goal: &Board,
    exchange: &Arc<dyn Exchange>,
) -> Result<Status, CliError> {
    let class = Frame::new(goal)?.class();
    interrupt::listen();
    let (bar, svg) = match exchange.rank() {
        0 => (progress_bar(class.states()), args.svg_file()?),
        _ => (ProgressBar::hidden(), None),
    };
    let (mpi, memory) = (args.resources.mpi, args.resources.memory);
    let options = ScratchOptions {
        folder: args.resources.scratch.clone(),
        threads: threads(args.threads),
        memory,
        exchange: exchange.clone(),
        ..ScratchOptions::new("")
    };
    let (kept, note) = (Kept::Nothing, |takes: String| {
        if exchange.rank() == 0 {
            bar.suspend(|| print_note(takes));
        }
    });
    let open = || SlabSearch::open(class, kept, options.clone());
    let slabs = if options.folder.is_some() {
        note(slab_requirement(class, kept, &**exchange));
        Some(open()?)
    } else {
        let possible = Search::check_memory(class, kept, memory, &**exchange);
        let possible = possible.map_err(scratch_advised);
        match exchange.agree(possible, || CliError::OtherRank) {
            Ok(()) => None,
            Err(error) => {
                let Ok(search) = open() else {
                    return Err(error);
                };
                let codes = size_text(SlabSearch::disk(class, kept));
                note(format!(
                    "the planes do not fit the memory: coded, they take {codes}"
                ));
                Some(search)
            }
        }
    };
    let (levels, crossed) = match slabs {
        Some(search) => count_slabs(search, &bar, mpi)?,
        None => {
            let search = Search::shared(class, kept, options.threads, exchange.clone())?;
            count_planes(search, &bar, mpi)?
        }
    };
    bar.finish_and_clear();
    if exchange.rank() > 0 {
        return Ok(Status::Yes); // printed by the first rank
    }
    let stats = Stats::of_levels(goal, levels);
    if let Some(crossed) = &crossed
        && args.output.form(true) != Form::Json
    {
        print_note(crossed);
    }
    let record = CountRecord {
        stats: StatsRecord::from(&stats),
        crossed,
    };
    args.print(&stats, &record, svg)
}

/// The numbers of states at each distance, and the traffic.
type Counted = Result<(Vec<u64>, Option<Crossed>), CliError>;

/// Counts in coded slabs.
fn count_slabs(mut search: SlabSearch, bar: &ProgressBar, mpi: bool) -> Counted {
    search.run(&mut |progress| {
        show(bar, progress.distance, progress.slabs, progress.states);
        interrupt::go_on()
    })?;
    let counted = (search.levels().to_vec(), Crossed::of(&search, mpi));
    search.remove();
    Ok(counted)
}

/// Counts with all planes in memory.
fn count_planes(mut search: Search, bar: &ProgressBar, mpi: bool) -> Counted {
    let mut states = 0;
    while let Ok(Some(level)) = search.advance(&mut go_on) {
        states += level.states();
        show(bar, level.distance(), (1, 1), states);
        if search.exchange().any(interrupt::interrupted()) {
            return Err(CliError::Interrupted);
        }
    }
    Ok((search.levels().to_vec(), Crossed::of(&search, mpi)))
}

#[derive(Serialize)]
struct CountRecord {
    #[serde(flatten)]
    stats: StatsRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    crossed: Option<Crossed>,
}

/// Traffic between the ranks.
#[derive(Serialize)]
struct Crossed {
    ranks: usize,
    /// Bytes at each distance that was searched in this run, up to the largest.
    bytes: Vec<u64>,
    /// Bytes that would have been sent at each distance if they were not coded.
    uncoded: u64,
}

impl Crossed {
    fn of<P: PlaneStore>(search: &Search<P>, mpi: bool) -> Option<Crossed> {
        mpi.then(|| Crossed {
            ranks: search.exchange().ranks(),
            bytes: search.crossed().to_vec(),
            uncoded: search.crossing_uncoded(),
        })
    }
}

impl fmt::Display for Crossed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, most) = (self.bytes.iter().sum(), self.bytes.iter().max());
        write!(
            f,
            "{} ranks: {} crossed from rank to rank, at most {} at a distance; uncoded {} at each",
            self.ranks,
            size_text(all),
            size_text(most.copied().unwrap_or(0)),
            size_text(self.uncoded)
        )
    }
}
