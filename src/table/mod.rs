//! The database: encodings, the file format, its writer and its readers.
//!
//! [`build`] makes the bytes of a file; [`Table`] reads them, from memory or from a file;
//! [`write_file`] puts them on disk so that a crash leaves the old file or none. The format is
//! described byte by byte in [`format`](mod@format).

mod bytes;
mod checkpoints;
mod chunks;
mod encode;
mod encoding;
mod ensure;
mod file;
mod first_page;
mod forecast;
pub mod format;
mod header;
#[doc(hidden)]
pub mod machines;
mod pack;
mod plan;
mod reader;
mod sections;
mod shards;
mod watch;

pub use crate::bfs::LevelProgress;
pub(crate) use checkpoints::{CheckpointFile, Saved};
pub use encode::build;
pub use encoding::Encoding;
pub(crate) use ensure::{Acquired, Fit, acquire, unchanged, write_error};
pub use ensure::{BuildError, Built, ensure};
pub(crate) use first_page::{FirstPage, pattern_sections};
pub use format::FormatError;
pub use header::Header;
pub(crate) use pack::BitWriter;
pub use plan::{Notice, Plan};
pub(crate) use reader::opened;
pub use reader::{OpenError, Table};
pub(crate) use sections::{SectionBytes, Sections, first_page};
pub use watch::Damage;

// Parts for `puzzledb-cli` and the benches, which any version may change.
#[doc(hidden)]
pub use self::{
    bytes::{Bytes, COPIED, Opener},
    ensure::ensure_shared,
    file::{BuildLock, Disk, OutputFile, Storage, WriteError, write_file},
    forecast::{Forecast, Needs},
    format::SectionKind,
    plan::Checkpoints,
    sections::Section,
    shards::join,
    watch::{WatchedFile, watched_files},
};
