//! Small things that several rooms need: the machine's cores and memory, checksums and digests, figures as
//! text, the name that a wrong one means, and escaping for XML.
//! [`Progress`] is what a search tells while it goes on, and [`Cancel`] the flag that ends it.

mod cancel;
mod checksum;
#[cfg(any(feature = "cli", feature = "serve"))]
mod digest;
mod machine;
mod nearest;
mod progress;
mod text;
#[cfg(any(feature = "grade", feature = "serve"))]
mod xml;

pub use cancel::{Cancel, Cancelled};
pub(crate) use checksum::Checksummed;
#[cfg(feature = "serve")]
pub(crate) use digest::sha256;
#[cfg(feature = "cli")]
pub(crate) use digest::sha256_of;
pub(crate) use machine::{all_cores, available_memory, free_disk};
pub(crate) use nearest::meant;
pub(crate) use progress::Progress;
#[cfg(any(feature = "cli", feature = "serve", feature = "grade"))]
pub(crate) use text::plural;
pub(crate) use text::size_text;
#[cfg(feature = "cli")]
pub(crate) use text::visible;
#[cfg(feature = "grade")]
pub(crate) use text::{is_hidden, time_text};
#[cfg(any(feature = "grade", feature = "serve"))]
pub(crate) use xml::escaped;
