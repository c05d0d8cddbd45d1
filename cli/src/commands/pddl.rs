//! A board as a planning problem in PDDL: a domain, and a problem for each board.
//!
//! The formulation is the usual one of the planning competitions: tiles at positions, one position empty, and one action
//! that moves a tile to the empty position beside it. A position `p21` is row 2, column 1, from the top left.

use std::fmt::Write;
use std::path::Path;

use puzzledb::puzzle::{Board, Move, Shape};

use super::error::{CliError, bail};
use super::output::{output_file, write_output};

/// The domain of all sliding-tile puzzles.
const DOMAIN: &str = "\
(define (domain sliding-tile)
  (:requirements :strips :typing)
  (:types tile position)
  (:predicates
    (at ?t - tile ?p - position)
    (empty ?p - position)
    (adjacent ?p ?q - position))
  (:action move
    :parameters (?t - tile ?from ?to - position)
    :precondition (and (at ?t ?from) (empty ?to) (adjacent ?from ?to))
    :effect (and (at ?t ?to) (empty ?from) (not (at ?t ?from)) (not (empty ?to)))))
";

/// Writes `domain.pddl` and a file for each board into a folder, which is made.
pub(super) fn write(folder: &Path, boards: &[Board], goal: &Board) -> Result<(), CliError> {
    if let Err(why) = std::fs::create_dir_all(folder) {
        bail!(Usage, "cannot make the folder {}: {why}", folder.display());
    }
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        write_output(&path, output_file(&path)?, text.as_bytes())
    };
    file("domain.pddl", DOMAIN)?;
    boards
        .iter()
        .try_for_each(|board| file(&format!("{board}.pddl"), &problem(board, goal)))
}

/// The problem of leading a board to the goal.
fn problem(board: &Board, goal: &Board) -> String {
    let shape = board.shape();
    let mut text = format!(
        "(define (problem sliding-tile-{board})\n  (:domain sliding-tile)\n  (:objects\n   "
    );
    for tile in 1..shape.cells() {
        let _ = write!(text, " t{tile}");
    }
    text += " - tile\n   ";
    for cell in 0..shape.cells() {
        let _ = write!(text, " {}", position(cell, shape));
    }
    text += " - position)\n  (:init\n";
    for (cell, &tile) in board.tiles().iter().enumerate() {
        let place = position(cell, shape);
        let _ = match tile {
            0 => writeln!(text, "    (empty {place})"),
            tile => writeln!(text, "    (at t{tile} {place})"),
        };
    }
    for cell in 0..shape.cells() {
        for mv in Move::ALL {
            if let Some(next) = shape.step(cell, mv) {
                let _ = writeln!(
                    text,
                    "    (adjacent {} {})",
                    position(cell, shape),
                    position(next, shape)
                );
            }
        }
    }
    text += "  )\n  (:goal (and\n";
    for (cell, &tile) in goal
        .tiles()
        .iter()
        .enumerate()
        .filter(|(_, tile)| **tile > 0)
    {
        let _ = writeln!(text, "    (at t{tile} {})", position(cell, shape));
    }
    text + "  )))\n"
}

/// The name of a cell: its row and its column, each from 1 to 8.
fn position(cell: usize, shape: Shape) -> String {
    format!("p{}{}", cell / shape.cols() + 1, cell % shape.cols() + 1)
}
