//! Columns: neighbouring lines of steps.

use super::lengths::{length, sense};
use super::lex::{Token, numbers};
use super::lists::{fits, is_steps};
use super::words::Sense;

/// Lines with steps or with a tile each, and no words but those that stand beside steps.
#[derive(Debug, Default)]
pub(super) struct Column {
    /// Their steps, a line each.
    pub text: String,
    /// Number of lines.
    pub lines: usize,
    /// The last line.
    pub line: usize,
    /// What the heading and the label of its lines say.
    pub label: Sense,
    /// What the label of its lines says.
    pub own: Sense,
    /// Whether each line has one step or tile.
    pub single: bool,
    pub tiles: bool,
    /// Whether the last line ends within a list.
    pub open: bool,
    /// Whether a line beside it may be a step that was not understood.
    pub torn: bool,
}

impl Column {
    /// The column that a line begins; `None` if it has no steps, or other words.
    pub(super) fn of_line(text: &str, tokens: &[Token<'_>]) -> Option<Column> {
        let at = tokens
            .iter()
            .position(|token| token.is(":="))
            .map_or(0, |at| at + 1);
        let (label, value) = tokens.split_at(at);
        let steps = value.iter().filter(|token| is_steps(token));
        let letters: usize = steps
            .map(|token| {
                if token.step.is_some() {
                    1
                } else {
                    token.text.len()
                }
            })
            .sum();
        let words = at == 0 && tokens.iter().any(Token::is_word) && length(tokens, false).is_none();
        let tiles = letters == 0 && words && (1..4).contains(&numbers(tokens).count());
        let reads = (tiles || letters > 0) && value.iter().all(fits) && !label.iter().any(is_steps);
        reads.then(|| Column {
            text: text[value[0].start..].to_owned(),
            lines: 1,
            own: sense(label),
            single: letters < 2,
            tiles,
            open: tokens.last().is_some_and(|last| last.is(",->→\\")),
            ..Column::default()
        })
    }

    /// Adds a line to the column; false if it is none of its lines.
    pub(super) fn push(&mut self, next: &Column) -> bool {
        let own = self.own == next.own || self.open && next.own == Sense::default();
        let same = own && self.tiles == next.tiles;
        if same {
            self.text.push('\n');
            self.text.push_str(&next.text);
            self.lines += 1;
            (self.open, self.single) = (next.open, self.single && next.single);
        }
        same
    }
}
