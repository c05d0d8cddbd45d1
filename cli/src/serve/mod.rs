//! The HTTP server: an API for programs, and a web page.
//!
//! [`Server::bind`] takes an address, and [`Server::run`] answers until a signal stops it. [`Tables`] holds the databases.
//! The files are, in the order in which a request passes them:
//!
//! * `server` accepts connections and ends them at shutdown;
//! * `router` has the routes, and the layers around them: they hold requests to the [`Limits`], compress answers, add
//!   headers, and write the log;
//! * `asked` reads what a request asks, and `questions` the [question](puzzledb::ask::Question) in it; `site` has the routes
//!   beside the questions;
//! * `work` answers the question on a thread of its own, and ends when the answer is no longer awaited;
//! * `answer` writes the record, or a refusal, and `pieces` many records;
//! * `page` has the files of the web page.
//!
//! `openapi.json` describes the routes: a test makes it of the structs, and of `described.json` where no struct says it.

mod answer;
mod asked;
mod config;
mod page;
mod pieces;
mod questions;
mod router;
mod server;
mod site;
mod tables;
#[cfg(test)]
mod tests;
mod work;

pub use config::{Config, Limits};
pub use page::{single_page, static_page};
pub use server::{Server, Stopped};
pub use tables::Tables;
