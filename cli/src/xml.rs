//! Untrusted text inside XML and HTML.

use crate::text::is_hidden;

/// Escapes the five special characters of XML, and writes out the [hidden](is_hidden) ones (XML 1.0
/// forbids most of them); for elements and quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => {}
            c if is_hidden(c) => escaped.extend(c.escape_unicode()),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn special_characters_are_escaped_and_hidden_ones_written_out() {
        let text = "<a b=\"c\" d='e'>&\x00\x1b[2J\u{85}\u{202e}\u{fffe}é\t\n</a>";
        let safe = "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\\u{0}\\u{1b}[2J\\u{85}\\u{202e}é\t\n&lt;/a&gt;";
        assert_eq!(escaped(text), safe);
    }
}
