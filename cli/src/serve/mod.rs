//! The HTTP server: an API for programs, and a web page.
//!
//! [`Server::bind`] takes an address, and [`Server::run`] answers until a signal stops it; [`Offline`] answers without
//! a network. [`Tables`] holds the databases. The files are, in the order in which a request passes them:
//!
//! * `connections` accepts connections and ends them at shutdown;
//! * `guard` has the layers around all routes: they hold requests to the [`Limits`], compress answers, add headers, and
//!   write the log and the `metrics`;
//! * `api` has the routes: they turn a request into a question to an [`oracle`](puzzledb::oracle) or a
//!   [`search`](puzzledb::search);
//! * `bodies` reads the bodies of requests;
//! * `app` shares out long work, and ends what is no longer awaited;
//! * `answer` writes the result as JSON, `lines` as many of them, `database_file` a database, `problem` an error;
//! * `page` has the files of the web page.

mod answer;
mod api;
mod app;
mod bodies;
mod config;
mod connections;
mod database_file;
mod guard;
mod lines;
mod metrics;
mod offline;
mod page;
mod problem;
mod reach;
mod server;
mod tables;

pub use config::{Config, Limits};
pub use connections::Stopped;
pub use offline::Offline;
pub use page::{single_page, static_page};
pub use server::Server;
pub use tables::Tables;
