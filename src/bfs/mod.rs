//! The search: breadth-first from the goal over bit planes, for any shape.
//!
//! [`Layout`] gives the place of a state's bit, [`Planes`] hold the bits, [`Pulls`] move the bits
//! of one plane to another by a move of the blank, and [`Search`] runs the levels. Whole words are
//! moved at once: no board is unpacked, ranked or hashed. The search returns each finished
//! [`Level`] and does not depend on encodings. It can be saved ([`Search::save`]) and resumed, and
//! the same loop verifies a table ([`Search::verify`]). A space whose planes do not fit the memory
//! is cut into slabs. These are kept in files: [`SlabSearch`], or shared among the ranks of an
//! [`Exchange`]: [`Search::shared`], or both: [`SlabSearch::open_shared`].

mod ahead;
mod checkpoint;
mod checkpoint_blocks;
mod claims;
mod coding;
mod colour_planes;
mod crossing;
mod error;
mod exchange;
mod files;
mod layout;
mod level;
mod manifest;
mod memory;
#[cfg(feature = "mpi")]
mod mpi;
mod plane_store;
mod planes;
mod pull;
mod redistribute;
mod scratch;
mod scratch_error;
mod search;
mod shares;
mod slab_code;
mod slab_file;
mod slab_search;
mod step;
mod swaps;
mod threads;
mod verify;
mod workers;

pub(crate) use checkpoint_blocks::Contents;
pub use claims::{Claims, WrongClaim};
pub(crate) use coding::Coder;
pub use colour_planes::Kept;
pub use error::SearchError;
pub use exchange::{Alone, Exchange};
pub use files::Files;
pub use layout::{Colour, Layout};
pub use level::Level;
pub(crate) use memory::Words;
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub use plane_store::InMemory;
#[doc(hidden)]
pub use plane_store::PlaneStore;
pub use planes::Planes;
pub use pull::Pulls;
pub use scratch_error::ScratchError;
pub use search::{Observe, Search};
pub use slab_search::SlabSearch;
pub(crate) use swaps::{GROUP, Swap};
pub use threads::Threads;
