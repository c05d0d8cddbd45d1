//! A heuristic value as text.

use super::error::ValuesError;

/// Bytes of a line that are read at most; the rest counts as another line.
pub(super) const MAX_LINE: usize = 4096;

/// The largest absolute value that is accepted; no board needs that many moves.
const MAX_VALUE: f64 = 1e9;

/// Reads a value.
pub(super) fn parse_value(text: &str, line: u64) -> Result<f64, ValuesError> {
    let value = text
        .trim_matches(|c: char| c.is_whitespace() || c == '"')
        .parse()
        .ok()
        .filter(|value: &f64| value.abs() <= MAX_VALUE);
    value.ok_or_else(|| ValuesError::NoNumber {
        line,
        text: shortened(text),
    })
}

/// The part of a line that an error shows.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
