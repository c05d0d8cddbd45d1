//! The database: encodings, the file format, its writer and its readers.
//!
//! [`build`] makes the bytes of a file; [`Table`] reads them, from memory or from a file;
//! [`write_file`] puts them on disk so that a crash leaves the old file or none. The format is
//! described byte by byte in [`format`](mod@format).

pub(crate) mod bytes;
pub(crate) mod checkpoints;
mod chunks;
mod encode;
mod encoding;
pub(crate) mod ensure;
pub(crate) mod file;
pub(crate) mod forecast;
pub mod format;
mod header;
pub mod machines;
mod pack;
mod plan;
mod reader;
mod sections;
pub(crate) mod shards;
pub(crate) mod watch;

pub use crate::bfs::engine::levels::LevelProgress;
pub use bytes::Bytes;
pub(crate) use checkpoints::{Saved, remove_checkpoint};
pub use encode::build;
pub use encoding::Encoding;
pub use ensure::{BuildError, Built, ensure};
pub(crate) use ensure::{Fit, acquire, unchanged, write_error};
pub use file::WriteError;
pub use format::{FormatError, SectionKind};
pub use header::Header;
pub(crate) use header::invalid;
pub(crate) use pack::BitWriter;
pub use plan::{Checkpoints, Notice, Plan};
pub(crate) use reader::opened;
pub use reader::{OpenError, Table, Walk};
pub use sections::Section;
pub(crate) use sections::{SectionBytes, Sections};
pub use watch::{Damage, WatchedFile};

pub(crate) use self::{
    bytes::Opener,
    file::{Disk, followed, write_file},
    forecast::Needs,
};
