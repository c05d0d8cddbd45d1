//! What the program, the module for browsers, the Python package and the benches use beyond the documented library. Any
//! version may change it.

pub mod ask {
    pub use crate::ask::text::goal_of;
}

pub mod basics {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub use crate::basics::clock::set_clock;
    pub use crate::basics::{
        clock::Instant,
        machine::{all_cores, available_memory, free_disk},
        text::size_text,
    };
}

pub mod bfs {
    #[cfg(feature = "mpi")]
    pub use crate::bfs::ranks::mpi::Mpi;
    pub use crate::bfs::{
        checkpoint::coding::Coder,
        engine::{layout::Layout, levels::go_on, search::Search, step::Kept},
        options::SearchOptions,
        ranks::exchange::{Alone, Exchange},
    };
}

pub mod judge {
    pub use crate::judge::{
        reading::decision::{find_answer_by, find_readings},
        records::{FIRST_LINES, Format, Reader, Table},
    };
}

pub mod oracle {
    pub use crate::oracle::{
        check::check_by,
        sources::{Made, Sources, is_made},
    };
}

pub mod pattern {
    pub use crate::pattern::{
        ensure::ensure, forecast::measure, ida_star::Question, solver::Solver,
    };
}

pub mod puzzle {
    pub use crate::puzzle::board_list::{is_comment, start_and_goal};
}

pub mod search {
    pub use crate::search::{
        anytime::anytime,
        audit::checked_space,
        best_first::best_first,
        heuristic::{Pattern, split_outside_brackets},
    };
}

pub mod table {
    pub use crate::table::{
        bytes::{COPIED, Opener},
        ensure::ensure_shared,
        file::{BuildLock, Disk, OutputFile, Storage, write_file},
        forecast::{Needs, measure, on_machines},
        shards::join,
        watch::watched_files,
    };
}
