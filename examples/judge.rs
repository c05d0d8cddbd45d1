//! Judges a path: whether it is legal, reaches the goal, and is a shortest one.
//!
//! ```text
//! cargo run --example judge
//! cargo run --example judge 123405786 LRRD
//! ```

use puzzledb::{Board, Move, Oracle, letters};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (board, path) = match &args[..] {
        [board, path] => (board.as_str(), path.as_str()),
        _ => ("208135467", "DUDDRUULLDDRRULDR"),
    };
    let board: Board = board.parse()?;
    let moves: Option<Vec<Move>> = path.chars().map(Move::from_letter).collect();
    let moves = moves.ok_or("a path is written in the letters U, D, L and R")?;
    let oracle = Oracle::for_shape(board.shape())?;
    let judged = oracle.judge_moves(&board, &moves)?;
    println!("{}", judged.verdict);
    if !judged.verdict.is_right() {
        println!("right: {}", letters(&oracle.mend(&board, &moves)?));
    }
    Ok(())
}
