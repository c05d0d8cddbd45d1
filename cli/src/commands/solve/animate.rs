//! A solution played in place in the terminal.

use std::io::Write;
use std::time::Duration;

use puzzledb::puzzle::{Board, Move, letters};

use super::super::error::Result;
use super::super::interrupt::{self, INTERRUPTED};
use super::super::render::side_by_side;

/// Plays `moves` from `board`, `delay` milliseconds apart, with the cursor hidden: draws each board in the place of the
/// last. Ctrl-C ends it with an error.
pub(super) fn play(board: &Board, moves: &[Move], delay: u64) -> Result<()> {
    interrupt::listen();
    let (mut out, delay) = (std::io::stdout().lock(), Duration::from_millis(delay));
    write!(out, "\x1b[?25l")?;
    let played = board.along(moves).enumerate().try_for_each(|(done, now)| {
        let (all, made) = (moves.len(), letters(&moves[..done]));
        let text = side_by_side(&now.grid(), &format!("move {done} of {all}\n{made}"));
        writeln!(out, "{text}")?;
        out.flush()?;
        if done == all {
            return Ok(());
        }
        let wait = INTERRUPTED.within(delay);
        while !wait.is_cancelled() {
            std::thread::sleep(delay.min(Duration::from_millis(5)));
        }
        INTERRUPTED.check()?;
        Ok(write!(out, "\x1b[{}A\x1b[J", text.lines().count())?)
    });
    write!(out, "\x1b[?25h")?;
    out.flush()?;
    played
}
