//! Lines of styled text.

use anstyle::Style;

/// A piece of a line in one style. All its characters are one column wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub style: Style,
    pub text: String,
}

pub(super) type Line = Vec<Span>;

/// Columns between the board and the figures.
pub(super) const GAP: usize = 4;

/// Two blocks beside each other, the left one `width` columns wide.
pub(super) fn side_by_side(left: Vec<Line>, right: Vec<Line>, width: usize) -> Vec<Line> {
    let lines = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let line = |_| {
        let mut line = left.next().unwrap_or_default();
        let gap = width + GAP - line_width(&line);
        if let Some(right) = right.next().filter(|right| !right.is_empty()) {
            line.push(plain(" ".repeat(gap)));
            line.extend(right);
        }
        line
    };
    (0..lines).map(line).collect()
}

/// Text without a style.
pub(super) fn plain(text: String) -> Span {
    let style = Style::new();
    Span { style, text }
}

/// Text in bold.
pub(super) fn strong(text: &str) -> Span {
    Span {
        style: Style::new().bold(),
        text: text.to_owned(),
    }
}

/// The width of a line in columns.
pub(super) fn line_width(line: &[Span]) -> usize {
    line.iter().map(|span| span.text.chars().count()).sum()
}

/// Cuts a line after `width` columns.
pub(super) fn clip(line: &mut Line, width: usize) {
    let mut left = width;
    for span in line {
        span.text = span.text.chars().take(left).collect();
        left -= span.text.chars().count();
    }
}

/// Breaks the first sentences of a text, as many as fit, into at most `count` lines; a first sentence that does not fit
/// is cut.
pub(super) fn wrap_sentences(mut text: &str, width: usize, count: usize) -> Vec<String> {
    loop {
        let mut lines = wrap(text, width);
        match text.rfind(". ") {
            Some(end) if lines.len() > count => text = &text[..=end],
            _ => {
                lines.truncate(count);
                return lines;
            }
        }
    }
}

/// Breaks a text between its words into lines of at most `width` columns; a longer word has a
/// line of its own.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
