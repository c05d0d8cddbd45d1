//! Lines of a text, cut into tokens.

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
    pub(super) fn new(text: &'t str, column: u32, apart: bool) -> Token<'t> {
        let first = text.chars().next().unwrap_or(' ');
        let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        let digits = text.bytes().all(is_digit);
        let (sense, step) = if digits {
            Default::default()
        } else {
            meaning(text)
        };
        let kind = if first != '.' && digits {
            Kind::Number(whole_number(text).unwrap_or(u64::MAX))
        } else if is_inner(first) && text != "_" {
            Kind::Word
        } else {
            Kind::Symbol(if text.starts_with("..") { '…' } else { first })
        };
        Token {
            text,
            kind,
            column,
            apart,
            sense,
            step,
        }
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

/// A length: a whole number, also with a fraction of zero as in `19.0`.
pub(in crate::judge) fn whole_number(text: &str) -> Option<u64> {
    let text = text.trim_ascii();
    let (whole, zeros) = text.split_once('.').unwrap_or((text, "0"));
    let is_number =
        |text: &str| (1..19).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let is_whole = is_number(whole) && is_number(zeros) && zeros.trim_matches('0').is_empty();
    is_whole.then(|| whole.parse().ok())?
}

/// The numbers among the tokens.
pub(super) fn numbers(tokens: &[Token<'_>]) -> impl Iterator<Item = u64> {
    tokens.iter().filter_map(Token::number)
}

/// The text as a terminal shows it: without escape sequences, in lines that end with `\n`.
pub(super) fn shown(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
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
    shown
}

/// Whether a character belongs to a word: a letter, a digit, an underscore, or a mark that stands for a vowel.
fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}')
}

/// A longer run of letters is one word.
const LONGEST: usize = 100;

/// The length of the token that a text begins with. A word ends at an underscore, and where a capital letter follows a
/// small one, unless it has digits, since it may be a board. Signs of Chinese and Japanese are words of their own.
fn length(text: &str) -> usize {
    let inner = |c: char| is_inner(c) && !matches!(c, '\u{3040}'..='\u{9fff}');
    let run = &text[..text.find(|c| !inner(c)).unwrap_or(text.len())];
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    if run.is_empty() || run.starts_with('_') && digits(run) == 0 {
        let dots = text.len() - text.trim_start_matches('.').len();
        return dots.max(text.chars().next().map_or(0, char::len_utf8));
    }
    if digits(run) == run.len() {
        let fraction = text[run.len()..].strip_prefix('.').unwrap_or("");
        let fraction = fraction.bytes().take_while(u8::is_ascii_digit).count();
        return run.len() + fraction + usize::from(fraction > 0);
    }
    let (mut small, whole) = (false, digits(run) > 0 || run.len() > LONGEST);
    let cut = run.find(|c: char| {
        let cut = c == '_' || small && c.is_uppercase();
        small = c.is_lowercase();
        cut && !whole
    });
    cut.unwrap_or(run.len())
}

#[cfg(test)]
thread_local! {
    /// Tokens that were made, or read in a clause or a list: the work of reading.
    pub(super) static WORK: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts tokens as work, in tests.
pub(super) fn count_work(tokens: &[Token<'_>]) {
    #[cfg(test)]
    WORK.set(WORK.get() + tokens.len());
    let _ = tokens;
}

/// Cuts a line into tokens.
pub(in crate::judge) fn lex(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut column, mut apart) = (0, 0, true);
    while let Some(c) = line[at..].chars().next() {
        if c.is_whitespace() {
            // A tab ends at the next column that is divisible by eight.
            column = if c == '\t' { column | 7 } else { column } + 1;
            at += c.len_utf8();
            apart = true;
            continue;
        }
        let text = &line[at..at + length(&line[at..])];
        tokens.push(Token::new(text, column, apart));
        column += text.chars().count() as u32;
        at += text.len();
        apart = false;
    }
    count_work(&tokens);
    tokens
}

#[cfg(test)]
mod tests {
    use super::whole_number;

    #[test]
    fn lengths_are_whole_numbers() {
        assert_eq!(whole_number(" 19 "), Some(19));
        assert_eq!(whole_number("19.0"), Some(19));
        for text in [
            "",
            ".",
            "-1",
            "19.5",
            "1e3",
            "+3",
            "9999999999999999999",
            "x",
        ] {
            assert_eq!(whole_number(text), None, "{text:?}");
        }
    }
}
