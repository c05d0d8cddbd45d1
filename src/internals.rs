//! What the program, the module for browsers, the Python package and the benches use beyond the documented library. Any
//! version may change it.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use crate::basics::clock::set_clock;
#[cfg(feature = "mpi")]
pub use crate::bfs::ranks::mpi::Mpi;
pub use crate::{
    ask::text::goal_of,
    basics::machine::{all_cores, available_memory, free_disk},
    basics::text::size_text,
    bfs::ranks::exchange::Exchange,
    bfs::{checkpoint::coding::Coder, engine::levels::go_on},
    bfs::{engine::search::Search, engine::step::Kept, options::SearchOptions},
    judge::reading::decision::{find_answer_by, find_readings},
    judge::records::{FIRST_LINES, Format, Reader, Table},
    oracle::check::check_by,
    oracle::sources::{Made, Sources, is_made},
    pattern::{ensure::ensure, forecast::measure as measure_patterns},
    pattern::{ida_star::Question, solver::Solver},
    puzzle::board_list::{is_comment, start_and_goal},
    search::heuristic::{Pattern, split_outside_brackets},
    search::{anytime::anytime, audit::checked_space, best_first::best_first},
    table::file::{BuildLock, Disk, OutputFile, Storage, write_file},
    table::forecast::{Needs, measure, on_machines},
    table::{bytes::COPIED, ensure::ensure_shared, shards::join, watch::watched_files},
};
