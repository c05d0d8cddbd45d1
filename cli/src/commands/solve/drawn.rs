//! Solutions drawn for people.

use std::fmt::Write;

use puzzledb::puzzle::{Board, Move, Notation};

use crate::text::plural;

use super::super::render::{side_by_side, solutions_text};

/// The length and the number of shortest solutions.
pub(super) fn exact_text(moves: &[Move], solutions: Option<u64>) -> String {
    let length = plural(moves.len() as u64, "move");
    format!("{length}\n{}", solutions_text(solutions))
}

/// Draws a board beside a text about its solution, above the moves.
pub(super) fn drawn(board: &Board, moves: &[Move], text: &str, notation: Notation) -> String {
    let picture = side_by_side(&board.grid(), text);
    if moves.is_empty() {
        return format!("{picture}\n\n  It is the goal.\n");
    }
    let (line, bold) = (notation.text(board, moves), anstyle::Style::new().bold());
    let note = match notation {
        Notation::Blank => "the way the blank goes: Up, Down, Left, Right",
        Notation::Tile => "the way the tile goes: Up, Down, Left, Right",
        _ => "the tiles that slide",
    };
    format!("{picture}\n\n  {bold}{line}{bold:#}\n  ({note})\n")
}

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
