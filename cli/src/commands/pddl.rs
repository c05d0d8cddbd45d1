//! A board as a planning problem in PDDL: a domain, and a problem for each board.
//!
//! The formulation is the usual one of the planning competitions: tiles at positions, one position empty, and one action
//! that moves a tile to the empty position beside it. A position `p21` is row 2, column 1, from the top left, each from 1 to 8.

use puzzledb::puzzle::{Board, Move};

/// The domain of all sliding-tile puzzles.
const DOMAIN: &str = include_str!("domain.pddl");

/// The file `domain.pddl`, and one for each board.
pub(super) fn files(boards: &[Board], goal: &Board) -> Vec<(String, Vec<u8>)> {
    let problem = |board: &Board| (format!("{board}.pddl"), problem(board, goal).into());
    let mut files = vec![("domain.pddl".to_owned(), DOMAIN.into())];
    files.extend(boards.iter().map(problem));
    files
}

/// The problem of leading a board to the goal.
fn problem(board: &Board, goal: &Board) -> String {
    let (shape, cells) = (board.shape(), board.shape().cells());
    let place = |cell: usize| format!("p{}{}", cell / shape.cols() + 1, cell % shape.cols() + 1);
    let at = |(cell, &tile): (usize, &u8)| match tile {
        0 => format!("    (empty {})\n", place(cell)),
        tile => format!("    (at t{tile} {})\n", place(cell)),
    };
    let tiles: String = (1..cells).map(|tile| format!(" t{tile}")).collect();
    let places: String = (0..cells).map(|cell| format!(" {}", place(cell))).collect();
    let init: String = board.tiles().iter().enumerate().map(at).collect();
    let steps = (0..cells).flat_map(|cell| Move::ALL.map(|mv| (cell, shape.step(cell, mv))));
    let adjacent = steps.filter_map(|(cell, next)| {
        let next = place(next?);
        Some(format!("    (adjacent {} {next})\n", place(cell)))
    });
    let adjacent: String = adjacent.collect();
    let wanted = goal.tiles().iter().enumerate();
    let wanted: String = wanted.filter(|(_, tile)| **tile > 0).map(at).collect();
    format!(
        "(define (problem sliding-tile-{board})\n  (:domain sliding-tile)\n  (:objects\n   {tiles} - tile\n   \
         {places} - position)\n  (:init\n{init}{adjacent}  )\n  (:goal (and\n{wanted}  )))\n"
    )
}
