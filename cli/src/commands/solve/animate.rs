//! A solution played in place in the terminal.

use std::io::Write;
use std::time::{Duration, Instant};

use puzzledb::puzzle::{Board, Move, letters};

use super::super::error::CliError;
use super::super::interrupt;
use super::super::render::side_by_side;

/// Hides the cursor, and shows it again when dropped.
struct HiddenCursor<W: Write>(W);

impl<W: Write> HiddenCursor<W> {
    fn new(mut out: W) -> std::io::Result<HiddenCursor<W>> {
        write!(out, "\x1b[?25l")?;
        Ok(HiddenCursor(out))
    }
}

impl<W: Write> Drop for HiddenCursor<W> {
    fn drop(&mut self) {
        let _ = write!(self.0, "\x1b[?25h");
        let _ = self.0.flush();
    }
}

/// Plays `moves` from `board`, `delay` milliseconds apart. Ctrl-C ends it and restores the
/// terminal.
pub(super) fn play(board: &Board, moves: &[Move], delay: u64) -> Result<(), CliError> {
    interrupt::listen();
    let mut cursor = HiddenCursor::new(std::io::stdout().lock())?;
    let out = &mut cursor.0;
    let mut now = *board;
    let height = draw(out, &now, &caption(0, moves))?;
    for (i, &mv) in moves.iter().enumerate() {
        pause(Duration::from_millis(delay))?;
        now = now.slide(mv).expect("a solution's moves are legal");
        write!(out, "\x1b[{height}A\x1b[J")?;
        draw(out, &now, &caption(i + 1, moves))?;
    }
    Ok(())
}

/// Draws the board and its caption, and gives the number of lines.
fn draw(out: &mut impl Write, board: &Board, caption: &str) -> std::io::Result<usize> {
    let text = side_by_side(&board.grid(), caption);
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(text.lines().count())
}

fn caption(done: usize, moves: &[Move]) -> String {
    format!(
        "move {done} of {}\n{}",
        moves.len(),
        letters(&moves[..done])
    )
}

/// Waits; Ctrl-C ends it with an error.
fn pause(delay: Duration) -> Result<(), CliError> {
    let end = Instant::now() + delay;
    loop {
        if interrupt::interrupted() {
            return Err(CliError::Interrupted);
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(Duration::from_millis(20)));
    }
}
