//! The game for the terminal, which can show the optimal distance and the best moves.
//!
//! `game` is the model of one game, `session` of a sequence of games; `truths` holds what its searches compute; `keys`
//! maps keys to actions, `view` and `tiles` lay a session out as lines of text for any size of terminal, `screen`
//! writes them to the terminal, and `run` is the event loop.

mod game;
mod keys;
mod lines;
mod run;
mod screen;
mod session;
#[cfg(test)]
mod tests;
mod tiles;
mod truths;
mod view;

pub use keys::Keys;
pub use run::{Settings, play};
pub use screen::{check_terminal, give_terminal_back};
pub use session::Session;
