//! The routes of the API, and its description for programs and for people.

mod batch;
mod boards;
mod params;
mod router;
mod schemas;
mod searches;
mod site;
mod space;
mod verify;

pub(super) use router::router;
pub(super) use space::Route;
