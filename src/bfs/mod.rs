//! The search: breadth-first from the goal over bit planes, for any shape.
//!
//! [`Layout`] says where a state's bit lives, [`Planes`] keeps the bits, [`Pulls`] brings the bits
//! of one plane to the places where a move leads them, and [`Search`] runs the levels. A state
//! costs a handful of word operations: no board is unpacked, ranked or hashed. The search hands
//! out each finished [`Level`] and knows nothing of encodings or files; it can be put away
//! ([`Search::save`]) and taken up again, and the same pulls prove a table ([`Search::verify`]).

mod checkpoint;
mod colour_planes;
mod error;
mod layout;
mod memory;
mod planes;
mod pull;
mod search;
mod swaps;
mod verify;

pub use error::SearchError;
pub use layout::{Colour, Layout};
pub use planes::Planes;
pub use pull::Pulls;
pub use search::{Level, Search};
pub use verify::WrongClaim;
