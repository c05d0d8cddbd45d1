//! The schemas of parameters whose values are names, and the error responses that routes have in common, for the
//! OpenAPI document.

use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{ObjectBuilder, Type};

use crate::values::{READINGS, TIES};
use puzzledb::search::{Algorithm, HeuristicName};
use puzzledb::table::Encoding;

use super::super::problem::Problem;

/// The names of algorithms.
pub(super) fn algorithms() -> Schema {
    names("The algorithm [default: astar]", Algorithm::all()).into()
}

/// The names of heuristics, and the forms of those with tiles.
pub(super) fn heuristics() -> Schema {
    let with_tiles = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^patterns?:.+$"))
        .description(Some("pattern:1,2,3,4 or patterns:6-6-3"));
    OneOfBuilder::new()
        .description(Some(
            "The heuristic [default: manhattan; misplaced-with-blank for best-first-depth]",
        ))
        .item(names(
            "A heuristic without parameters",
            HeuristicName::all(),
        ))
        .item(with_tiles)
        .into()
}

/// The algorithms whose expansions are bounded.
pub(super) fn bounded() -> Schema {
    names(
        "The algorithm [default: astar]",
        ["ucs", "astar", "idastar", "bfs"],
    )
    .into()
}

/// The names of the goal tests.
pub(super) fn goal_tests() -> Schema {
    names("When the goal is looked for: early, among the successors, or late, when a board is taken from the queue [default: early for bfs, late for the others]", ["early", "late"]).into()
}

/// The names of encodings.
pub(super) fn encodings() -> Schema {
    names(
        "What the file has for a state",
        [Encoding::Full, Encoding::Bit],
    )
    .into()
}

/// The names of notations.
pub(super) fn notations() -> Schema {
    names(
        "How moves are written [default: auto]",
        READINGS.iter().map(|(name, ..)| name),
    )
    .into()
}

/// The names of the ways in which a best-first search breaks ties.
pub(super) fn ties() -> Schema {
    names(
        "Which of equals a best-first search expands first [default: deep]",
        TIES.iter().map(|(name, ..)| name),
    )
    .into()
}

fn names(description: &str, names: impl IntoIterator<Item: ToString>) -> ObjectBuilder {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(names))
}

/// Why a question is not answered.
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "only its description is used")]
pub(super) enum ErrorResponses {
    /// A board or a parameter is wrong
    #[response(status = 400, content_type = "application/problem+json")]
    Bad(Problem),
    /// There is no such shape here
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(Problem),
    /// The address is too long
    #[response(status = 414, content_type = "application/problem+json")]
    TooLong(Problem),
    /// The board cannot be solved
    #[response(status = 422, content_type = "application/problem+json")]
    Unsolvable(Problem),
    /// There is too much to do: ask again later
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(Problem),
}

/// Why a body is not read.
#[derive(utoipa::IntoResponses)]
#[allow(dead_code, reason = "only its description is used")]
pub(super) enum BodyErrorResponses {
    /// It comes from a page of another origin
    #[response(status = 403, content_type = "application/problem+json")]
    Foreign(Problem),
    /// The body took too long
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(Problem),
    /// The body is too long
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(Problem),
}
