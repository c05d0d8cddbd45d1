//! `puzzledb count`

use crate::bfs::{Alone, Kept, Search, SlabSearch};
use crate::oracle::Stats;
use crate::puzzle::Shape;
use crate::space::Frame;
use crate::table::BuildError;

use super::build::{Room, progress_bar, show, threads, what_slabs_take};
use super::database::Databases;
use super::error::{CliError, say};
use super::interrupt;
use super::stats::print;
use super::status::Status;

/// Count the boards at each distance by a search that keeps no table: half the memory of `build`
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Rows x columns
    #[arg(long, value_name = "RxC", default_value = "3x3")]
    shape: Shape,
    /// Threads to search with [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZero<usize>>,
    #[command(flatten)]
    room: Room,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated rows, one for each distance
    #[arg(long)]
    csv: bool,
}

pub(super) fn run(args: &Args, databases: &Databases) -> Result<Status, CliError> {
    let goal = databases.goal(args.shape)?;
    let class = Frame::new(&goal)?.class();
    interrupt::listen();
    let bar = progress_bar(class.states());
    let threads = threads(args.threads);
    let levels = match &args.room.scratch {
        Some(folder) => {
            bar.suspend(|| say("note", &what_slabs_take(class, Kept::Nothing)));
            let memory = args.room.memory;
            let mut search = SlabSearch::open(class, Kept::Nothing, threads, memory, folder)?;
            search.run(|distance, slabs, states| {
                show(&bar, distance, slabs, states);
                interrupt::go_on()
            })?;
            let levels = search.levels().to_vec();
            search.remove();
            levels
        }
        None => {
            let possible = Search::is_possible(class, Kept::Nothing, args.room.memory, &Alone);
            possible.map_err(BuildError::from)?; // with the advice of `build`
            let mut search = Search::keeping(class, Kept::Nothing, threads)?;
            let mut states = 0;
            while let Some(level) = search.advance() {
                states += level.states();
                show(&bar, level.distance(), (1, 1), states);
                if interrupt::interrupted() {
                    return Err(CliError::Interrupted);
                }
            }
            search.levels().to_vec()
        }
    };
    bar.finish_and_clear();
    print(&Stats::of_levels(&goal, levels), args.csv, args.json)
}
