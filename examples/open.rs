//! Opens a database and looks distances up. Without an argument the database is made in memory.
//!
//! ```text
//! cargo run --example open
//! cargo run --bin puzzledb -- build --output 3x3.pzdb && cargo run --example open 3x3.pzdb
//! ```

use puzzledb::puzzle::random_board;
use puzzledb::{Oracle, Shape};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let oracle = match std::env::args().nth(1) {
        Some(path) => Oracle::open(path)?,
        None => Oracle::for_shape(Shape::EIGHT_PUZZLE)?,
    };
    for seed in 1..=5 {
        let board = random_board(oracle.goal(), seed);
        println!("{board} is {} moves from solved", oracle.distance(&board)?);
    }
    Ok(())
}
