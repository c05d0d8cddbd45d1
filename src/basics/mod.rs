//! Small things that several rooms need: the machine's cores and memory, checksums, sizes as text, and the name that
//! a wrong one means. [`Progress`] holds the counters of a long search, and [`Cancel`] the flag that ends it.

mod cancel;
pub(crate) mod clock;
#[cfg(any(target_family = "wasm", test))]
pub(crate) mod crc32_small;
#[cfg(target_family = "wasm")]
pub(crate) use crc32_small as crc32;
#[cfg(not(target_family = "wasm"))]
pub(crate) use crc32fast as crc32;
pub(crate) mod machine;
pub(crate) mod parallel;
mod progress;
pub(crate) mod text;
pub(crate) mod unknown_name;

pub use cancel::{Cancel, Cancelled};
pub use clock::Instant;
pub use machine::{all_cores, available_memory, free_disk};
pub use progress::Progress;
pub use text::size_text;
pub use unknown_name::UnknownName;
pub(crate) use unknown_name::names;
