//! Untrusted text inside XML and HTML.

/// The text with the five special characters of XML escaped and without the control characters that XML
/// 1.0 forbids; for elements and quoted attributes.
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
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn special_characters_are_escaped_and_control_characters_removed() {
        let text = "<a b=\"c\" d='e'>&\x00\x1b[2J\u{85}\u{fffe}é\t\n</a>";
        let safe = "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;[2Jé\t\n&lt;/a&gt;";
        assert_eq!(escaped(text), safe);
    }
}
