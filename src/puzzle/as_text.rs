//! Boards, shapes and moves in JSON: their texts.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::board::Board;
use super::moves::Move;
use super::shape::Shape;

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            /// Writes the text that is displayed.
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            /// Reads any text that is parsed.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(de::Error::custom)
            }
        }
    )*};
}

as_text!(Board, Move, Shape);
