//! The boards on a path, drawn.

use std::fmt::Write;

use crate::text::plural;
use puzzledb::puzzle::{Board, Move};

/// Draws `board` and those that `moves` lead to, one below the other, each with the move that led to
/// it.
pub(in super::super) fn steps(board: &Board, moves: &[Move], out: &mut String) {
    let mut now = *board;
    let heading = plural(moves.len() as u64, "move");
    let _ = writeln!(out, "{board}: {heading}\n\n{}", now.grid());
    for (i, &mv) in moves.iter().enumerate() {
        let Some(next) = now.slide(mv) else { return };
        let tile = next.tiles()[now.blank()];
        now = next;
        let _ = writeln!(out, "\n{}: blank {mv}, tile {tile}\n{}", i + 1, now.grid());
    }
    let _ = writeln!(out);
}
