//! Values of options as text: boards, and the forms that serde does not know.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, de::Error};

use super::refusal::Refusal;
use crate::puzzle::{Board, Move, Shape, UsualGoal, parse_board, parse_goal};
use crate::space::check_solvable;

/// The board and the goal of a question, if the board can be solved to that goal.
pub(super) fn board_and_goal(
    board: &str,
    goal: Option<&str>,
    shape: Option<Shape>,
) -> Result<(Board, Board), Refusal> {
    let board = parse_board(board.as_bytes(), shape)?;
    let goal = goal_of(Some(board.shape()), goal)?;
    check_solvable(&board, &goal)?;
    Ok((board, goal))
}

/// Returns the goal of a question: the one that is named, or the default one of the shape. Without a shape it is that of the
/// goal's board, or 3x3.
///
/// # Errors
/// [`Refusal`]
pub fn goal_of(shape: Option<Shape>, goal: Option<&str>) -> Result<Board, Refusal> {
    let of_board = || Some(parse_board(goal?.as_bytes(), None).ok()?.shape());
    let shape = shape.or_else(of_board).unwrap_or(Shape::EIGHT_PUZZLE);
    let goal = goal.map(|goal| parse_goal(goal, shape)).transpose()?;
    Ok(goal.unwrap_or(UsualGoal::Last.board(shape)))
}

fn by<'de, D: Deserializer<'de>, T, E: Display>(
    text: D,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Option<T>, D::Error> {
    let parsed = parse(&String::deserialize(text)?);
    parsed.map(Some).map_err(D::Error::custom)
}

/// Reads a weight.
pub(super) fn weight<'de, D: Deserializer<'de>>(text: D) -> Result<Option<f64>, D::Error> {
    by(text, parse_weight)
}

/// Reads an order of moves.
pub(super) fn order<'de, D: Deserializer<'de>>(text: D) -> Result<Option<[Move; 4]>, D::Error> {
    by(text, parse_order)
}

/// Reads the weight of weighted A*, from 0 to 1000.
pub(super) fn parse_weight(text: &str) -> Result<f64, &'static str> {
    number(text, 0.0..=1000.0).ok_or("a weight is a number from 0 to 1000")
}

/// Reads the temperature at which simulated annealing starts, from 0.1 to 1000 moves.
#[cfg(feature = "cli")]
pub(super) fn parse_temperature(text: &str) -> Result<f64, &'static str> {
    number(text, 0.1..=1000.0).ok_or("a temperature is a number of moves from 0.1 to 1000")
}

fn number(text: &str, range: RangeInclusive<f64>) -> Option<f64> {
    serde_json::from_str(text)
        .ok()
        .filter(|number| range.contains(number))
}

/// Reads the order in which moves are tried, with each of U, D, L and R once, as in `URDL`.
pub(super) fn parse_order(text: &str) -> Result<[Move; 4], &'static str> {
    let moves: Option<Vec<Move>> = text.chars().map(Move::from_letter).collect();
    let order = moves.and_then(|moves| <[Move; 4]>::try_from(moves).ok());
    let order = order.filter(|order| Move::ALL.iter().all(|mv| order.contains(mv)));
    order.ok_or("an order has each of U, D, L and R once, as in URDL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_a_goal_is_its_own_where_none_is_named() {
        for (shape, goal, words) in [
            (None, None, "3x3 123456780"),
            (None, Some("first"), "3x3 012345678"),
            (None, Some("123456789abcdef0"), "4x4 123456789abcdef0"),
            (Some("2x5"), Some("1234567890"), "2x5 1234567890"),
        ] {
            let shape = shape.map(|shape| shape.parse().unwrap());
            let goal = goal_of(shape, goal).unwrap();
            assert_eq!(format!("{} {goal}", goal.shape()), words);
        }
        let refused = goal_of(None, Some("1234567890")).unwrap_err();
        assert!(refused.sentence.contains("is not a 3x3 board"), "{refused}");
    }
}
