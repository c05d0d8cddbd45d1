//! Boards, shapes, moves and names in JSON: their texts.

use super::board::Board;
use super::moves::Move;
use super::shape::Shape;

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl serde::Serialize for $type {
            /// Writes the text that is displayed.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            /// Reads any text that is parsed.
            fn deserialize<D: serde::Deserializer<'de>>(text: D) -> Result<$type, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(text)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

pub(crate) use as_text;

as_text!(Board, Move, Shape);
