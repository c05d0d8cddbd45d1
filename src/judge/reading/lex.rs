//! Lines of a text, cut into tokens.

use std::borrow::Cow;

use crate::puzzle::Move;

use super::words::{Sense, meaning};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, or letters and digits without anything between.
    Word,
    /// A whole number; one that is too large is `u64::MAX`.
    Number(u64),
    /// A number with a fraction.
    Fraction,
    /// Any other character.
    Symbol(char),
}

/// A word, a number or a symbol of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    pub kind: Kind,
    /// Place in the line, in bytes.
    pub start: usize,
    /// Place in the line, in characters.
    pub column: u32,
    /// Whether white space, or nothing, stands before it.
    pub apart: bool,
    /// What the word means.
    pub sense: Sense,
    /// The direction that the word names.
    pub step: Option<Move>,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(super) fn number(&self) -> Option<u64> {
        match self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn is(&self, symbol: char) -> bool {
        self.kind == Kind::Symbol(symbol)
    }

    pub(super) fn is_any(&self, symbols: &str) -> bool {
        matches!(self.kind, Kind::Symbol(c) if symbols.contains(c))
    }
}

/// Whether one of these symbols is among the tokens.
pub(super) fn has(tokens: &[Token<'_>], symbols: &str) -> bool {
    tokens.iter().any(|token| token.is_any(symbols))
}

/// The place behind the last of these symbols, or 0.
pub(super) fn behind(tokens: &[Token<'_>], symbols: &str) -> usize {
    let last = tokens.iter().rposition(|token| token.is_any(symbols));
    last.map_or(0, |last| last + 1)
}

/// The numbers among the tokens.
pub(super) fn numbers(tokens: &[Token<'_>]) -> impl Iterator<Item = u64> {
    tokens.iter().filter_map(Token::number)
}

/// The text as a terminal shows it: without escape sequences, in lines that end with `\n`.
pub(super) fn shown(output: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(output);
    let special = |c: char| {
        matches!(
            c,
            '\u{1b}' | '\r' | '\u{fe0f}' | '\u{feff}' | '\u{ff01}'..='\u{ff5e}'
        )
    };
    if !text.contains(special) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.peek() == Some(&'[') => {
                chars.next();
                while chars.next().is_some_and(|c| !c.is_ascii_alphabetic()) {}
            }
            '\r' if chars.peek() != Some(&'\n') => shown.push('\n'),
            '\u{1b}' | '\r' | '\u{fe0f}' | '\u{feff}' => {}
            // Letters and signs of full width.
            '\u{ff01}'..='\u{ff5e}' => shown.extend(char::from_u32(c as u32 - 0xfee0)),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Signs that are words of their own: Chinese and Japanese characters.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{9fff}')
}

/// Whether a character belongs to a word: letters, and the marks of scripts that write vowels as such.
fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e30}'..='\u{e4e}')
}

/// Cuts a line into tokens.
pub(super) fn lex<'t>(line: &'t str, tokens: &mut Vec<Token<'t>>) {
    tokens.clear();
    let mut chars = line.char_indices().peekable();
    let (mut column, mut apart) = (0, true);
    while let Some((start, c)) = chars.next() {
        let at = column;
        column += 1;
        if c.is_whitespace() {
            // A tab ends at the next column that is divisible by eight.
            column = if c == '\t' { (column + 7) & !7 } else { column };
            apart = true;
            continue;
        }
        let mut push = |from: usize, to: usize, kind, skipped: u32, apart: bool| {
            let text = &line[from..to];
            let (sense, step) = match kind {
                Kind::Word | Kind::Symbol(_) => meaning(text),
                _ => Default::default(),
            };
            tokens.push(Token {
                text,
                kind,
                start: from,
                column: at + skipped,
                apart,
                sense,
                step,
            });
        };
        let before = std::mem::replace(&mut apart, false);
        if is_sign(c) || !(is_letter(c) || c.is_ascii_digit() || c == '_') {
            let kind = if is_sign(c) {
                Kind::Word
            } else {
                Kind::Symbol(c)
            };
            push(start, start + c.len_utf8(), kind, 0, before);
            continue;
        }
        let (mut end, mut digits, mut fraction) = (start + c.len_utf8(), c.is_ascii_digit(), false);
        while let Some(&(next, c)) = chars.peek() {
            let rest = &line[next + c.len_utf8()..];
            let digit_follows = rest.starts_with(|c: char| c.is_ascii_digit());
            let point = digits && c == '.' && !fraction && digit_follows;
            let negation = c == '\'' && line[..next].ends_with('n') && rest.starts_with('t');
            let inner =
                is_letter(c) && !is_sign(c) || c.is_ascii_digit() || c == '_' || point || negation;
            if !inner {
                break;
            }
            digits &= c.is_ascii_digit() || point;
            fraction |= point;
            end = next + c.len_utf8();
            column += 1;
            chars.next();
        }
        let text = &line[start..end];
        if digits {
            let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
            let number = whole.parse().unwrap_or(u64::MAX);
            let kind = if rest.trim_matches('0').is_empty() {
                Kind::Number(number)
            } else {
                Kind::Fraction
            };
            push(start, end, kind, 0, before);
            continue;
        }
        let mut first = true;
        for part in parts(text) {
            let from = part.as_ptr() as usize - text.as_ptr() as usize;
            let skipped = text[..from].chars().count() as u32;
            let kind = if part == "_" {
                Kind::Symbol('_')
            } else {
                Kind::Word
            };
            push(
                start + from,
                start + from + part.len(),
                kind,
                skipped,
                before && first,
            );
            first = false;
        }
    }
    read_plan_step(tokens);
}

/// Reads the step of a plan, as in `(move t4 p22 p21)`: its tile is a number, and the positions say nothing more.
fn read_plan_step(tokens: &mut [Token<'_>]) {
    let number = |token: &Token<'_>, letter| token.text.strip_prefix(letter)?.parse().ok();
    let step = tokens.iter().position(|token| token.text == "move");
    let step = step.and_then(|at| tokens.get_mut(at + 1..at + 4));
    let Some([tile, from, to]) = step else { return };
    if let (Some(name), Some(_), Some(_)) = (number(tile, 't'), number(from, 'p'), number(to, 'p'))
    {
        tile.kind = Kind::Number(name);
        (from.sense, to.sense) = (Sense::FILLER, Sense::FILLER);
    }
}

/// The words of a run of letters, digits and underscores: cut at underscores, and where a capital letter follows a small
/// one. One that has digits is whole, since it may be a board.
fn parts(run: &str) -> impl Iterator<Item = &str> {
    let whole = run == "_" || run.bytes().any(|byte| byte.is_ascii_digit());
    let mut rest = if whole { "" } else { run };
    let pieces = std::iter::from_fn(move || {
        rest = rest.trim_start_matches('_');
        let mut small = false;
        let cut = rest.char_indices().find(|&(_, c)| {
            let cut = c == '_' || small && c.is_uppercase();
            small = c.is_lowercase();
            cut
        });
        let (part, after) = rest.split_at(cut.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!part.is_empty()).then_some(part)
    });
    whole.then_some(run).into_iter().chain(pieces)
}
