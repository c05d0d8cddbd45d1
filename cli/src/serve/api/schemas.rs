//! The schemas of parameters whose values are names, and the error responses that routes have in common, for the
//! OpenAPI document.

#![allow(dead_code, reason = "only the descriptions of these types are used")]

use utoipa::ToSchema;
use utoipa::openapi::schema::Schema;

use puzzledb::ask::names;
use puzzledb::oracle::{Probe, SolutionRecord};
use puzzledb::table::Encoding;

use super::super::problem::Problem;
use super::batch::Item;

/// A shortest solution of one board, or those of many in their order.
#[derive(ToSchema)]
#[serde(untagged)]
pub(super) enum SolveAnswer {
    /// The solution of a board
    One(SolutionRecord),
    /// The solutions of many boards
    Many {
        solutions: Vec<Item<SolutionRecord>>,
    },
}

/// The distance and the moves of one board, or those of many in their order.
#[derive(ToSchema)]
#[serde(untagged)]
pub(super) enum ProbeAnswer {
    /// The distance and the moves of a board
    One(Probe),
    /// Those of many boards
    Many { probes: Vec<Item<Probe>> },
}

/// The names of encodings.
pub(super) fn encodings() -> Schema {
    names(
        "What the file has for a state",
        [Encoding::Full, Encoding::Bit],
    )
    .into()
}

/// Why a question is not answered.
#[derive(utoipa::IntoResponses)]
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

/// Why a body is not read, or no long work is done for a page of another site.
#[derive(utoipa::IntoResponses)]
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
    /// The body is of another media type
    #[response(status = 415, content_type = "application/problem+json")]
    OtherType(Problem),
}
