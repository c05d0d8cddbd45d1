//! Excerpts of a program's output: its answer, and short ones that are safe to show in a terminal.

use regex_lite::Regex;

use crate::text::is_hidden;

/// Characters of a program's output that are shown.
const SHOWN: usize = 200;

/// The beginning of a program's output in one line, safe to show anywhere.
pub(super) fn beginning(bytes: &[u8]) -> String {
    let line = one_line(&bytes[..bytes.len().min(4 * SHOWN)]);
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() || bytes.len() > 4 * SHOWN {
        shown.push('…');
    }
    shown
}

/// The end of a program's output in one line, safe to show anywhere.
pub(super) fn ending(bytes: &[u8]) -> String {
    let line = one_line(bytes);
    let skipped = line.chars().count().saturating_sub(SHOWN);
    let shown: String = line.chars().skip(skipped).collect();
    let mark = if skipped > 0 { "…" } else { "" };
    format!("{mark}{shown}")
}

/// Removes hidden characters, and shortens white space to single spaces.
pub(super) fn one_line(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    text.retain(|c| c.is_whitespace() || !is_hidden(c));
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The last match of a pattern for the answer: its first group, or else the whole of it.
pub(crate) fn last_match<'a>(pattern: &Regex, text: &'a str) -> Option<&'a str> {
    let groups = pattern.captures_iter(text).last()?;
    let found = groups.get(1).or(groups.get(0))?;
    Some(found.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_group_of_the_last_match_counts() {
        let pattern: Regex = "way: (.*)".parse().unwrap();
        assert_eq!(last_match(&pattern, "way: UL\nway: RD\n2"), Some("RD"));
        assert_eq!(last_match(&pattern, "RD"), None);
        assert_eq!(
            last_match(&"[UDLR]+".parse().unwrap(), "U or RD"),
            Some("RD")
        );
    }

    #[test]
    fn an_excerpt_is_short_and_cannot_move_the_cursor() {
        assert_eq!(
            beginning(b" a\n\tb\x1b[2J\x00\xff \xe2\x80\xaec"),
            "a b[2J\u{fffd} c"
        );
        let long = "ab ".repeat(1000);
        assert_eq!(beginning(long.as_bytes()).chars().count(), SHOWN + 1);
        assert!(beginning(long.as_bytes()).ends_with('…'));
        assert!(ending(b"first\nlast").ends_with("first last"));
        let end = ending((long + "KeyError").as_bytes());
        assert!(end.starts_with('…') && end.ends_with("KeyError"), "{end}");
    }
}
