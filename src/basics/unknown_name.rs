//! Texts that are not one of a list of names.

/// Text that is not one of the known names. Its message suggests the nearest one.
///
/// ```
/// use puzzledb::search::Algorithm;
///
/// let error = "idstar".parse::<Algorithm>().unwrap_err();
/// let message = error.to_string();
/// assert!(message.starts_with("\"idstar\" is not an algorithm (did you mean idastar?): "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not {kind}{}: there are {}",
    did_you_mean(text, names.iter().copied()),
    names.join(", ")
)]
#[non_exhaustive]
pub struct UnknownName {
    /// The text.
    pub text: String,
    /// What it should name, with an article, as in `an algorithm`.
    pub kind: &'static str,
    names: Vec<&'static str>,
}

impl UnknownName {
    /// Returns the error of `text`, which is not one of `names`.
    pub fn new(
        text: &str,
        kind: &'static str,
        names: impl IntoIterator<Item = &'static str>,
    ) -> UnknownName {
        UnknownName {
            text: text.to_owned(),
            kind,
            names: names.into_iter().collect(),
        }
    }
}

/// Names the variants of an enum, which is parsed and displayed by its names.
macro_rules! names {
    ($type:ident, $kind:literal, [$($variant:ident: $name:literal),+]) => {
        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::basics::UnknownName;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                let named = $type::ALL.into_iter().find(|it| it.name() == text);
                named.ok_or_else(|| Self::Err::new(text, $kind, $type::ALL.map($type::name)))
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
pub(crate) use names;

/// Returns a suggestion for the end of a message, with the nearest name; empty if none is near.
///
/// The distance counts the letters that are changed, left out, added or exchanged with their neighbours. It is at most
/// max(1, characters of the text / 3).
pub fn did_you_mean<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    const LONGEST: usize = 64;
    if text.len() > LONGEST {
        return String::new();
    }
    let most = (text.chars().count() / 3).max(1);
    let edits = |name: &'a str| (strsim::osa_distance(text, name), name);
    match names.into_iter().map(edits).min_by_key(|&(edits, _)| edits) {
        Some((edits, name)) if edits <= most => format!(" (did you mean {name}?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        const NAMES: [&str; 5] = ["solve", "serve", "astar", "idastar", "manhattan"];
        for (text, meant) in [
            ("slove", Some("solve")),
            ("solv", Some("solve")),
            ("idstar", Some("idastar")),
            ("manhatan", Some("manhattan")),
            ("xyz", None),
            ("", None),
        ] {
            let meant = meant.map_or_else(String::new, |name| format!(" (did you mean {name}?)"));
            assert_eq!(did_you_mean(text, NAMES), meant, "{text}");
        }
    }
}
