//! Quoting of words in commands that messages suggest.

/// Quotes a word for a shell, if it must be quoted.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
