//! Values that are texts in the OpenAPI document.

use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::puzzle::{Board, Shape};
use crate::search::{Algorithm, HeuristicName};

macro_rules! texts {
    ($($text:ty),*) => {$(
        impl PartialSchema for $text {
            fn schema() -> RefOr<Schema> {
                String::schema()
            }
        }

        impl ToSchema for $text {}
    )*};
}

texts!(Board, Shape, Algorithm, HeuristicName);
