//! Questions from the texts of their options, as an address has them, or the members of a JSON object.

use serde::de::value::{self, StringDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor,
};
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
    let options = options.into_iter();
    let mut options = options.map(|(name, text)| (name.into(), text.into()));
    let options = Options {
        left: &mut options,
        next: None,
    };
    let question = Q::deserialize(value::MapAccessDeserializer::new(options));
    question.map_err(|error| {
        let sentence = error.to_string().replacen(" field `", " parameter `", 1); // missing, unknown, duplicate
        Refusal::new(RefusalCode::BadOption, sentence)
    })
}

/// The options that are left to read.
struct Options<'a> {
    left: &'a mut dyn Iterator<Item = (String, String)>,
    /// The option whose name was read.
    next: Option<(String, String)>,
}

impl<'de> MapAccess<'de> for Options<'_> {
    type Error = value::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, value::Error> {
        self.next = self.left.next();
        let name = self.next.as_ref().map(|(name, _)| name.clone());
        let name = name.map(|name| seed.deserialize(name.into_deserializer()));
        name.transpose()
    }

    /// An error names the option.
    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, value::Error> {
        let (name, text) = self.next.take().unwrap_or_default();
        let value = seed.deserialize(Text(text));
        value.map_err(|error| value::Error::custom(format!("the parameter {name}: {error}")))
    }
}

/// The text of an option, which may be a number.
struct Text(String);

macro_rules! parsed {
    ($($method:ident $visit:ident $number:ty),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
            visitor.$visit(self.0.parse::<$number>().map_err(value::Error::custom)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Text {
    type Error = value::Error;

    parsed!(
        deserialize_bool visit_bool bool,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
    );

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        visitor.visit_string(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        let name: StringDeserializer<value::Error> = self.0.into_deserializer();
        visitor.visit_enum(name)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple tuple_struct map
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
