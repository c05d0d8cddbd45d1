//! The HTTP server: an API for programs, and a web page.
//!
//! [`Server::bind`] takes an address, and [`Server::run`] answers until a signal stops it; [`Offline`] answers without
//! a network. [`Tables`] holds the databases. The files are, in the order in which a request passes them:
//!
//! * `connections` accepts connections, limits them (`open_connections`), and ends them at shutdown, `client_stream`
//!   each of them;
//! * `guard` holds every request to the [`Limits`] (`admission`), adds headers, and writes `log` and `metrics`;
//! * `api` has the routes: they turn a request into a question to an [`oracle`](puzzledb::oracle) or a
//!   [`search`](puzzledb::search);
//! * `permits` shares out long work among clients, each a `client` by its address;
//! * `bodies` reads the bodies of requests;
//! * `figures` keeps the results that are computed once for each database;
//! * `work` ends long work that is no longer awaited;
//! * `answer` writes the result as JSON, `lines` as many of them, `database_file` a database, `problem` an error;
//! * `page` has the files of the web page.

mod admission;
mod answer;
mod api;
mod app;
mod bodies;
mod client;
mod client_stream;
mod config;
mod connections;
mod database_file;
mod figures;
mod guard;
mod lines;
mod log;
mod metrics;
mod offline;
mod open_connections;
mod page;
mod permits;
mod problem;
mod reach;
mod server;
mod tables;
mod work;

pub use config::{Config, Limits};
pub use connections::Stopped;
pub use offline::Offline;
pub use page::{single_page, static_page};
pub use server::Server;
pub use tables::Tables;
