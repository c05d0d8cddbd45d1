//! Counts, times and untrusted text as people read them.

use std::time::Duration;

/// Formats `count` and the noun, with an s unless the count is 1.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// Returns whether a character moves the cursor or changes how its neighbours are shown: control characters,
/// characters that turn the direction of text, and invisible ones.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Makes untrusted text, such as the name of a file, safe to show: ESC is written as `\u{1b}`, and all other
/// [hidden](is_hidden) characters likewise.
pub(crate) fn visible(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let show = |c: char| match is_hidden(c) {
        true => c.escape_unicode().collect(),
        false => String::from(c),
    };
    text.chars().map(show).collect()
}

/// Quotes a word for a shell, if it must be quoted.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A time in two or three digits and a unit: `2.13 ms`, `213 ms`, `21.3 s`, `25 min`, `7.2 h`, `12 d`.
pub(crate) fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        0.0..0.01 => format!("{:.2} ms", seconds * 1e3),
        0.01..0.1 => format!("{:.1} ms", seconds * 1e3),
        0.1..1.0 => format!("{:.0} ms", seconds * 1e3),
        1.0..10.0 => format!("{seconds:.2} s"),
        10.0..600.0 => format!("{seconds:.1} s"),
        600.0..7200.0 => format!("{:.0} min", seconds / 60.0),
        7200.0..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.0} d", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_escaped() {
        let name = "a\x1b[2J\n\u{202e}gnp\u{2066}é 日\u{200b}.pzdb";
        let shown = "a\\u{1b}[2J\\u{a}\\u{202e}gnp\\u{2066}é 日\\u{200b}.pzdb";
        assert_eq!(visible(name), shown);
    }

    #[test]
    fn times_are_written_with_few_digits() {
        let text = |micros| time_text(Duration::from_micros(micros));
        assert_eq!(
            [2_134, 21_340, 213_400, 2_134_000, 21_340_000].map(text),
            ["2.13 ms", "21.3 ms", "213 ms", "2.13 s", "21.3 s"]
        );
        let text = |hours: u64| time_text(Duration::from_secs(3600 * hours));
        assert_eq!([1, 7, 300].map(text), ["60 min", "7.0 h", "12 d"]);
    }
}
