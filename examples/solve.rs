//! Solves a board in as few moves as possible.
//!
//! ```text
//! cargo run --example solve 536407182
//! ```

use puzzledb::puzzle::Notation;
use puzzledb::{Board, Oracle};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1);
    let board: Board = text.as_deref().unwrap_or("704851632").parse()?;
    let oracle = Oracle::for_shape(board.shape())?;
    let moves = oracle.solve(&board)?;
    println!("{}\n", board.grid());
    println!(
        "moves of the blank  {}",
        Notation::Blank.text(&board, &moves)
    );
    println!(
        "tiles that slide    {}",
        Notation::Numbers.text(&board, &moves)
    );
    println!("moves               {}", moves.len());
    println!("shortest solutions  {}", oracle.count_solutions(&board)?);
    Ok(())
}
