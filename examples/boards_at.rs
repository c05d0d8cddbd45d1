//! Lists all boards at a distance, by default the hardest boards of the 8-puzzle.
//!
//! ```text
//! cargo run --example boards_at
//! cargo run --example boards_at 30
//! ```

use puzzledb::{Oracle, Shape};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let distance = std::env::args()
        .nth(1)
        .map_or(Ok(31), |text| text.parse())?;
    let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE)?;
    for board in oracle.boards_at(distance)? {
        println!("{board}\t{} solutions", oracle.count_solutions(&board)?);
    }
    Ok(())
}
