//! Pattern of the answer in the output of a program.

use std::str::FromStr;

use regex_lite::Regex;

/// A regular expression whose first group, or else the whole of it, matches the answer; of several matches
/// the last counts.
///
/// ```
/// use puzzledb_cli::grade::AnswerPattern;
///
/// let pattern: AnswerPattern = "way: (.*)".parse()?;
/// assert_eq!(pattern.last_in("way: UL\nway: RD\n2"), Some("RD"));
/// assert_eq!(pattern.last_in("RD"), None);
/// # Ok::<(), puzzledb_cli::grade::AnswerPatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnswerPattern(Regex);

/// Error for a text that is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
#[non_exhaustive]
pub struct AnswerPatternError(String);

impl AnswerPattern {
    /// Returns the last match.
    pub fn last_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let groups = self.0.captures_iter(text).last()?;
        let found = groups.get(1).or(groups.get(0))?;
        Some(found.as_str())
    }
}

impl FromStr for AnswerPattern {
    type Err = AnswerPatternError;

    fn from_str(text: &str) -> Result<AnswerPattern, AnswerPatternError> {
        let pattern = text.parse().map(AnswerPattern);
        pattern.map_err(|error: regex_lite::Error| AnswerPatternError(error.to_string()))
    }
}

impl PartialEq for AnswerPattern {
    fn eq(&self, other: &AnswerPattern) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for AnswerPattern {}
