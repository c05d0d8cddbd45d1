//! The routes of the API, and its description for programs and for people.

mod asked;
mod document;
mod questions;
mod router;
mod site;
mod verify;

pub(super) use router::router;
