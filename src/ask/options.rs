//! Questions from the texts of their options, as an address has them, or the members of a JSON object.

use csv::{ErrorKind, StringRecord};
use serde::de::DeserializeOwned;

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
    let options = options.map(|(name, text)| {
        let text: String = text.into();
        let cell = if text.is_empty() { " " } else { &text }; // an empty cell is no value
        (name.into(), cell.to_owned())
    });
    let (names, texts): (Vec<String>, Vec<String>) = options.unzip();
    // The first options are a row below the names of its columns.
    let read = |count| {
        let names: StringRecord = names.iter().take(count).collect();
        let texts: StringRecord = texts.iter().take(count).collect();
        let question = texts.deserialize(Some(&names));
        question.map_err(|error| match error.into_kind() {
            ErrorKind::Deserialize { err, .. } => err.kind().to_string(),
            kind => format!("{kind:?}"),
        })
    };
    read(names.len()).map_err(|error| {
        let sentence = match error.split_once(" field `") {
            Some((what @ ("missing" | "unknown" | "duplicate"), name)) => {
                format!("{what} parameter `{name}")
            }
            _ => {
                let is_its = |count: &usize| read(*count).is_err_and(|its: String| its == error);
                let count = (1..names.len()).find(is_its).unwrap_or(names.len());
                format!("the parameter {}: {error}", names[count - 1])
            }
        };
        Refusal::new(RefusalCode::BadOption, sentence)
    })
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
