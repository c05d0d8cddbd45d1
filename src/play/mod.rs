//! The game for the terminal, with the truth beside it.
//!
//! `game` is the model of one game, `session` of one game after the other; `keys` says what each key means,
//! `view` and `tiles` draw a session as lines of text for any size of terminal, and `screen` shows them.

mod error;
mod game;
mod keys;
mod lines;
mod run;
mod screen;
mod session;
#[cfg(test)]
mod tests;
mod tiles;
mod view;

pub use error::PlayError;
pub use keys::Keys;
pub use run::{Settings, play};
pub use screen::check_terminal;
pub use session::Session;
