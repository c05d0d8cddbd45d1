//! The library for browsers and Node.js, as a WebAssembly module without imports but a clock.
//!
//! [`ask`] answers the questions of the HTTP API, with the same records, in JSON. The module exports it as two
//! functions: `buffer(length)` returns the place of a buffer of this length, which the host fills with a request;
//! `answer()` puts the answer there and returns its length. `puzzledb.js` is this host.

mod answers;

pub use answers::ask;

#[cfg(target_family = "wasm")]
mod exports;
