//! Lines of text, styled by escape sequences. All their characters are one column wide.

use anstyle::Style;

/// Columns between the board and the figures.
pub(super) const GAP: usize = 4;

/// Two blocks beside each other; all lines of the left one are `width` columns wide.
pub(super) fn side_by_side(left: Vec<String>, right: Vec<String>, width: usize) -> Vec<String> {
    let lines = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let line = |_| {
        let line = left.next().unwrap_or_else(|| " ".repeat(width));
        let right = right.next().unwrap_or_default();
        format!("{line}{:GAP$}{right}", "")
    };
    (0..lines).map(line).collect()
}

/// Text in a style.
pub(super) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Text in bold.
pub(super) fn strong(text: &str) -> String {
    styled(Style::new().bold(), text)
}

/// The width of a line in columns, without the escape sequences of styles: ESC to `m`.
pub(super) fn line_width(line: &str) -> usize {
    let sequences = line.split('\x1b').skip(1);
    let hidden = sequences.filter_map(|sequence| Some(sequence.find('m')? + 2));
    line.chars().count() - hidden.sum::<usize>()
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

/// Breaks a text between its words into lines of at most `width` columns; a longer word is cut.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let cut = |word: &str| word.chars().take(width).collect();
    fill(text.split(' ').map(cut), " ", width)
}

/// Fills lines of at most `width` columns with words, and gaps between them; a longer word has a line of its own.
pub(super) fn fill(words: impl Iterator<Item = String>, gap: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line_width(line) + gap.len() + line_width(&word) <= width => {
                *line += gap;
                *line += &word;
            }
            _ => lines.push(word),
        }
    }
    lines
}
