//! What can be asked, and the document that says so.

mod batch;
mod boards;
mod docs;
mod error_responses;
mod params;
mod router;
mod searches;
mod site;
mod space;

pub(super) use router::router;
