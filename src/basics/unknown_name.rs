//! Texts that are not one of a list of names.

use std::fmt;

/// Text that is not one of the known names. Its message suggests the nearest one.
///
/// ```
/// use puzzledb::search::Algorithm;
///
/// let error = "idstar".parse::<Algorithm>().unwrap_err();
/// let message = error.to_string();
/// assert!(message.starts_with("\"idstar\" is not an algorithm (did you mean idastar?): "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl std::error::Error for UnknownName {}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suggestion = did_you_mean(&self.text, self.names.iter().copied());
        let (text, kind, names) = (&self.text, self.kind, self.names.join(", "));
        write!(f, "{text:?} is not {kind}{suggestion}: there are {names}")
    }
}

/// Returns a suggestion for the end of a message, with the nearest name; empty if none is near.
///
/// The distance counts the letters that are changed, left out, added or exchanged with their neighbours. It is at most
/// max(1, characters of the text / 3).
pub fn did_you_mean<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, names).map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if text.len() > LONGEST {
        return None;
    }
    let most = (text.chars().count() / 3).max(1);
    let edits = |name: &'a str| (strsim::osa_distance(text, name), name);
    let near = names.into_iter().map(edits).min_by_key(|&(edits, _)| edits);
    near.filter(|&(edits, _)| edits <= most)
        .map(|(_, name)| name)
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
            assert_eq!(nearest(text, NAMES), meant, "{text}");
        }
    }
}
