//! Questions from the texts of their options, as an address has them, or the members of a JSON object.

use serde::de::value::{Error, MapDeserializer, StringDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::refusal::{Refusal, RefusalCode};

/// Reads a question from the names and texts of its options.
///
/// ```
/// use puzzledb::ask::{Solutions, from_options};
///
/// let options = [("board", "704851632"), ("limit", "2")];
/// let question: Solutions = from_options(options)?;
/// assert_eq!(question.limit, Some(2));
/// # Ok::<(), puzzledb::ask::Refusal>(())
/// ```
///
/// # Errors
/// [`Refusal`] if an option is missing, not known, there twice, or not valid.
pub fn from_options<Q: DeserializeOwned, T: Into<String>>(
    options: impl IntoIterator<Item = (T, T)>,
) -> Result<Q, Refusal> {
    let mut last = String::new();
    let options = options.into_iter().map(|(name, text)| {
        last = name.into();
        (last.clone(), Text(text.into()))
    });
    let question = Q::deserialize(MapDeserializer::<_, Error>::new(options));
    question.map_err(|error| {
        let error = error.to_string();
        let sentence = match error.split_once(" field `") {
            Some((what @ ("missing" | "unknown" | "duplicate"), name)) => {
                format!("{what} parameter `{name}")
            }
            _ => format!("the parameter {last}: {error}"),
        };
        Refusal::new(RefusalCode::BadOption, sentence)
    })
}

/// The text of an option, which may be a number.
struct Text(String);

impl IntoDeserializer<'_, Error> for Text {
    type Deserializer = Text;

    fn into_deserializer(self) -> Text {
        self
    }
}

macro_rules! parsed {
    ($($method:ident $visit:ident $number:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.0.parse::<$number>().map_err(Error::custom)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Text {
    type Error = Error;

    parsed!(
        deserialize_bool visit_bool bool,
        deserialize_u8 visit_u8 u8,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
    );

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let name: StringDeserializer<Error> = self.0.into_deserializer();
        visitor.visit_enum(name)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u16 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Generate, Moves, Search, Verify};
    use super::*;

    #[test]
    fn options_are_read_from_their_texts() {
        let verify: Verify = from_options([("moves", "tile"), ("fix", "true")]).unwrap();
        assert!(verify.moves == Moves::Tile && verify.fix);
        let search = [
            ("board", "12"),
            ("weight", "1.5"),
            ("width", "3"),
            ("shape", "2x5"),
        ];
        let search: Search = from_options(search).unwrap();
        assert_eq!((search.weight, search.width.unwrap().get()), (Some(1.5), 3));
        assert_eq!(search.shape.unwrap().to_string(), "2x5");
    }

    #[test]
    fn an_option_that_is_not_valid_is_named() {
        for (options, words) in [
            (
                &[("distance", "x")][..],
                "the parameter distance: invalid digit",
            ),
            (
                &[("distance", "300")],
                "the parameter distance: number too large",
            ),
            (&[("unique", "yes")], "the parameter unique: "),
            (&[("shape", "3")], "the parameter shape: "),
            (&[("goul", "last")], "unknown parameter `goul`"),
            (
                &[("seed", "1"), ("seed", "2")],
                "duplicate parameter `seed`",
            ),
        ] {
            let refused = from_options::<Generate, _>(options.iter().copied()).unwrap_err();
            assert!(refused.sentence.starts_with(words), "{refused}");
        }
        let refused = from_options::<Search, &str>([]).unwrap_err();
        assert_eq!(refused.sentence, "missing parameter `board`");
    }
}
