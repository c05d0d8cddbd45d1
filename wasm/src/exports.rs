//! The functions of the module.
#![allow(
    unsafe_code,
    reason = "names and signatures of imports and exports are promises to the linker"
)]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The request, and then its answer.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

#[link(wasm_import_module = "puzzledb")]
unsafe extern "C" {
    /// The time since any moment, in milliseconds.
    safe fn now() -> f64;
}

/// Gives the buffer this length, and returns its place.
#[unsafe(no_mangle)]
extern "C" fn buffer(length: usize) -> *mut u8 {
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// Replaces the request in the buffer by its answer, and returns the answer's length.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    puzzledb::internals::set_clock(|| Duration::from_secs_f64(now() / 1000.0));
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    *buffer = crate::ask(&buffer);
    buffer.len()
}
