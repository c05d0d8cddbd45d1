//! Escaping text for XML and HTML.

use std::fmt::{Display, Formatter, Result, Write};

/// Displays a text that may contain anything so that it is safe in an element or in an attribute, in
/// either kind of quotes: the five special characters of XML are escaped, and characters that XML 1.0
/// forbids are left out.
pub(crate) fn escaped(text: &str) -> impl Display {
    Escaped(text)
}

struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\t' | '\n' => f.write_char(c),
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => Ok(()),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn signs_are_escaped_and_control_characters_left_out() {
        let text = "<a b=\"c\" d='e'>&\x00\x1b[2J\u{85}\u{fffe}é\t\n</a>";
        let safe = "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;[2Jé\t\n&lt;/a&gt;";
        assert_eq!(escaped(text).to_string(), safe);
    }
}
