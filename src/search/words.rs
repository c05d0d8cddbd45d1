//! Settings as they are written.

use crate::puzzle::Move;

/// Reads the weight of weighted A*.
///
/// # Errors
/// What a weight is, in words.
pub fn parse_weight(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(weight) if (0.0..=1000.0).contains(&weight) => Ok(weight),
        _ => Err("a weight is a number from 0 to 1000".to_owned()),
    }
}

/// Reads the order in which moves are tried, as in `URDL`.
///
/// # Errors
/// What an order is, in words.
pub fn parse_order(text: &str) -> Result<[Move; 4], String> {
    let moves: Option<Vec<Move>> = text.chars().map(Move::from_letter).collect();
    let order = moves.and_then(|moves| <[Move; 4]>::try_from(moves).ok());
    order
        .filter(|order| Move::ALL.iter().all(|mv| order.contains(mv)))
        .ok_or_else(|| "an order has each of U, D, L and R once, as in URDL".to_owned())
}
