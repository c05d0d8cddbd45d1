//! Questions: what the command line, the server and the browser ask, and where they find the databases.

mod library;

pub use library::Library;
