//! Lines of a text, cut into tokens.

use std::borrow::Cow;

use crate::puzzle::Move;

use super::words::{Sense, meaning};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::judge) enum Kind {
    /// Letters, or letters and digits without anything between.
    Word,
    /// A number; one that is too large, or has a fraction, is `u64::MAX`.
    Number(u64),
    /// Any other character.
    Symbol(char),
}

/// A word, a number or a symbol of a line.
#[derive(Clone, Copy, Debug)]
pub(in crate::judge) struct Token<'t> {
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

impl<'t> Token<'t> {
    fn new(text: &'t str, start: usize, column: u32, apart: bool) -> Token<'t> {
        let first = text.chars().next().unwrap_or(' ');
        // A plan of PDDL names the tile 4 t4, and its place p12.
        let digits = text.strip_prefix('t').unwrap_or(text);
        let kind = if text == "_" || !(is_letter(first) || first.is_ascii_digit() || first == '_') {
            Kind::Symbol(first)
        } else if digits.is_empty()
            || digits
                .bytes()
                .any(|byte| !byte.is_ascii_digit() && byte != b'.')
        {
            Kind::Word
        } else {
            let whole = digits.trim_end_matches('0').trim_end_matches('.');
            let whole = if digits.contains('.') { whole } else { digits };
            Kind::Number(whole.parse().unwrap_or(u64::MAX))
        };
        let (sense, step) = match kind {
            Kind::Word
                if text
                    .strip_prefix('p')
                    .is_some_and(|place| place.parse::<u8>().is_ok()) =>
            {
                (Sense::FILLER, None)
            }
            Kind::Word | Kind::Symbol(_) => meaning(text),
            _ => Default::default(),
        };
        Token {
            text,
            kind,
            start,
            column,
            apart,
            sense,
            step,
        }
    }

    pub(in crate::judge) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(in crate::judge) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(in crate::judge) fn number(&self) -> Option<u64> {
        match self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the token is one of these symbols.
    pub(in crate::judge) fn is(&self, symbols: &str) -> bool {
        matches!(self.kind, Kind::Symbol(c) if symbols.contains(c))
    }
}

/// The numbers among the tokens.
pub(super) fn numbers(tokens: &[Token<'_>]) -> impl Iterator<Item = u64> {
    tokens.iter().filter_map(Token::number)
}

/// The text as a terminal shows it: without escape sequences, in lines that end with `\n`.
pub(super) fn shown(output: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(output);
    let special = |c: char| matches!(c, '\u{1b}' | '\r' | '\u{fe0f}' | '\u{feff}' | '！'..='～');
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
            '！'..='～' => shown.extend(char::from_u32(c as u32 - 0xfee0)),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Whether a character belongs to a word: letters, and the marks of scripts that write vowels as such.
fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e30}'..='\u{e4e}')
}

/// Whether a character is a word of its own, as in Chinese and Japanese.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{9fff}')
}

/// A longer run of letters is one word.
const LONGEST: usize = 100;

/// The length of the token that a text begins with. A word ends at an underscore, and where a capital letter follows a
/// small one, unless it has digits, since it may be a board.
fn length(text: &str) -> usize {
    let inner = |c: char| is_letter(c) && !is_sign(c) || c.is_ascii_digit() || c == '_';
    let first = text.chars().next().map_or(0, char::len_utf8);
    let run = &text[..text.find(|c| !inner(c)).unwrap_or(text.len())];
    let after = &text[run.len()..];
    if run.is_empty() {
        return first;
    }
    if run.bytes().all(|byte| byte.is_ascii_digit()) {
        return run.len() + fraction(after);
    }
    if run.len() > LONGEST || run.bytes().any(|byte| byte.is_ascii_digit()) {
        return run.len();
    }
    if run.starts_with('_') {
        return 1;
    }
    let mut small = false;
    let cut = run.find(|c: char| {
        let cut = c == '_' || small && c.is_uppercase();
        small = c.is_lowercase();
        cut
    });
    let negated = run.ends_with('n') && after.starts_with("'t");
    cut.unwrap_or(if negated { run.len() + 2 } else { run.len() })
}

/// The length of the point and the digits that a text begins with, or 0.
fn fraction(text: &str) -> usize {
    let digits = text.strip_prefix('.').map_or(0, |rest| {
        rest.bytes().take_while(u8::is_ascii_digit).count()
    });
    if digits > 0 { digits + 1 } else { 0 }
}

/// Cuts a line into tokens.
pub(in crate::judge) fn lex<'t>(line: &'t str, tokens: &mut Vec<Token<'t>>) {
    tokens.clear();
    let (mut at, mut column, mut apart) = (0, 0, true);
    while let Some(c) = line[at..].chars().next() {
        if c.is_whitespace() {
            // A tab ends at the next column that is divisible by eight.
            column = if c == '\t' {
                (column + 8) & !7
            } else {
                column + 1
            };
            at += c.len_utf8();
            apart = true;
            continue;
        }
        let text = &line[at..at + length(&line[at..])];
        tokens.push(Token::new(text, at, column, apart));
        column += text.chars().count() as u32;
        at += text.len();
        apart = false;
    }
}
