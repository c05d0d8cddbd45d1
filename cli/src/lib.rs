//! The program `puzzledb`: the library [`puzzledb`] on the command line, in the terminal and over HTTP.
//!
//! | room | what lives there |
//! | --- | --- |
//! | [`grade`] | running programs under limits, and reports of that; auditing heuristics |
//! | `serve` | the library over HTTP, and a web page: with the feature `serve` |
//! | [`play`] | the game for the terminal |
//! | `commands` | the command line: one file a subcommand, without logic |
//!
//! [`run`] is the whole program. The other rooms can be used by themselves.

mod commands;
mod digest;
mod error;
mod form;
pub mod grade;
pub mod play;
mod plot;
#[cfg(feature = "serve")]
pub mod serve;
mod text;
mod units;
mod xml;

pub use commands::run;
pub use error::CliError;
pub use form::Form;
