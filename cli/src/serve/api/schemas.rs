//! The schemas of parameters whose values are names, and the error responses that routes have in common, for the
//! OpenAPI document.

use utoipa::openapi::schema::Schema;

use puzzledb::ask::names;
use puzzledb::table::Encoding;

use super::super::problem::Problem;

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

/// Why a body is not read, or no long work is done for a page of another site.
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
    /// The body is of another media type
    #[response(status = 415, content_type = "application/problem+json")]
    OtherType(Problem),
}
