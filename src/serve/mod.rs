//! The oracle over HTTP: an API for programs, and a page to look at.
//!
//! [`Server::bind`] takes an address, [`Server::run`] answers until it is told to stop. Data flows as in
//! the rest of the house: [`Tables`] has the databases, `api` turns a request into a question to
//! the [`oracle`](crate::oracle) or a [`search`](crate::search) and its answer into JSON, `guard` holds every
//! request to its [`Limits`], and `connections` does the same for those who send them.

mod answer;
mod api;
mod app;
mod config;
mod connections;
mod database_file;
mod guard;
mod limits;
mod log;
mod metrics;
mod page;
mod problem;
mod server;
mod tables;

pub use config::Config;
pub use connections::Stopped;
pub use limits::Limits;
pub use server::Server;
pub use tables::Tables;
