//! The schemas of options whose values are names, and of a choice of records, for the OpenAPI document.

use utoipa::openapi::schema::{AnyOfBuilder, OneOfBuilder, Schema};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

use super::board::OrBounds;
use crate::oracle::SolutionRecord;
use crate::puzzle::{Board, Shape};
use crate::search::{Algorithm, HeuristicName};

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

/// The schema of some names.
fn names(description: &str, names: impl IntoIterator<Item: ToString>) -> ObjectBuilder {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description))
        .enum_values(Some(names))
}

/// A board is a text.
impl PartialSchema for Board {
    fn schema() -> RefOr<Schema> {
        String::schema()
    }
}

impl ToSchema for Board {}

/// A shape is a text.
impl PartialSchema for Shape {
    fn schema() -> RefOr<Schema> {
        String::schema()
    }
}

impl ToSchema for Shape {}

impl<R: ToSchema> PartialSchema for OrBounds<R> {
    fn schema() -> RefOr<Schema> {
        let choice = [R::name(), SolutionRecord::name()].into_iter();
        let choice = choice.fold(AnyOfBuilder::new(), |choice, name| {
            choice.item(Ref::from_schema_name(name))
        });
        choice.into()
    }
}

impl<R: ToSchema> ToSchema for OrBounds<R> {
    /// The records and their parts. The derived function has no record of a generic type.
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((R::name().into_owned(), R::schema()));
        R::schemas(schemas);
        schemas.push((
            SolutionRecord::name().into_owned(),
            SolutionRecord::schema(),
        ));
        SolutionRecord::schemas(schemas);
    }
}
