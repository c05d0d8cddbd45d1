//! Atoms of a text: words, numbers and signs with their places, and the lines they stand in.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::labels::{Roles, is_mark, role, roles};
use super::steps::{Item, item};

/// A word, a number or a sign.
#[derive(Clone, Copy, Debug)]
pub struct Atom {
    pub start: u32,
    pub end: u32,
    pub line: u32,
    /// Hash of what stands before it, without spaces and quotes.
    pub gap: u32,
    /// Its place among the words of the text.
    word: u32,
}

/// What a word says, and what it is in a list of steps.
#[derive(Clone, Copy, Debug)]
struct Word {
    role: Roles,
    item: Item,
}

/// A line: its bytes, its atoms, and the last line of the lists that it opens.
#[derive(Clone, Debug)]
pub struct Line {
    pub bytes: Range<usize>,
    pub atoms: Range<usize>,
    pub joined: usize,
}

#[derive(Debug)]
pub struct Text<'t> {
    pub text: &'t str,
    pub atoms: Vec<Atom>,
    pub lines: Vec<Line>,
    /// What all numbers say, and then each other word.
    words: Vec<Word>,
}

/// Words that are looked for among those before.
const MOST_WORDS: usize = 1 << 16;

/// Removes what a terminal does not show: colours, carriage returns, signs that change the look of another.
pub fn shown(output: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(output);
    let wide = |c: char| ('\u{ff01}'..='\u{ff5e}').contains(&c);
    if !text.contains(|c| wide(c) || "\u{1b}\r\u{fe0f}\u{20e3}\u{feff}".contains(c))
        && !text.contains("<think")
    {
        return text;
    }
    let text = without_thoughts(&text);
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.peek() == Some(&'[') => {
                chars.next();
                while chars
                    .next()
                    .is_some_and(|c| !c.is_ascii_alphabetic() && c != '\n')
                {}
            }
            '\r' if chars.peek() != Some(&'\n') => clean.push('\n'),
            '\r' | '\u{1b}' | '\u{fe0f}' | '\u{20e3}' | '\u{feff}' => {}
            c if wide(c) => clean.extend(char::from_u32(c as u32 - 0xfee0)),
            c => clean.push(c),
        }
    }
    Cow::Owned(clean)
}

/// Cuts out what a language model thought before its answer; all that follows, if the thought has no end.
fn without_thoughts(text: &str) -> String {
    let mut parts = text.split("<think");
    let mut answer = parts.next().unwrap_or("").to_owned();
    for part in parts {
        if let Some((_, after)) = part.split_once("</think") {
            answer.push('\n');
            answer.push_str(
                after
                    .trim_start_matches(|c| c != '>')
                    .trim_start_matches('>'),
            );
        }
    }
    answer
}

/// A word; nothing for a pair of quotes.
fn unquoted(word: &str) -> &str {
    match word.as_bytes().first() {
        Some(b'"' | b'\'') => "",
        _ => word,
    }
}

impl Word {
    fn of(word: &str) -> Word {
        Word {
            role: roles(word),
            item: item(unquoted(word)),
        }
    }
}

const BETWEEN: &str = ",;|[](){}/:=\"'`+&\\—–•";

fn is_between(c: char) -> bool {
    c.is_whitespace() || BETWEEN.contains(c) || ('\u{2500}'..='\u{257f}').contains(&c)
}

impl<'t> Text<'t> {
    pub fn new(text: &'t str) -> Text<'t> {
        let mut new = Text {
            text,
            atoms: Vec::new(),
            lines: Vec::new(),
            words: vec![Word::of("0")],
        };
        let mut known = HashMap::new();
        let mut line_start = 0;
        for piece in text.split_inclusive('\n') {
            let bytes = line_start..line_start + piece.len();
            line_start = bytes.end;
            let first = new.atoms.len();
            new.line(bytes.start, piece.trim_end_matches('\n'), &mut known);
            let joined = new.lines.len();
            new.lines.push(Line {
                bytes,
                atoms: first..new.atoms.len(),
                joined,
            });
        }
        new.hash_gaps();
        new.join_lines();
        new
    }

    fn line(&mut self, start: usize, line: &'t str, known: &mut HashMap<&'t str, u32>) {
        let number = self.lines.len() as u32;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let begin = start + line.len() - rest.len();
            let before = line[..begin - start].chars().next_back();
            let (length, is_atom) = measure(rest, c, before);
            if is_atom {
                let word = self.word(&rest[..length], known);
                self.atoms.push(Atom {
                    start: begin as u32,
                    end: (begin + length) as u32,
                    line: number,
                    gap: 0,
                    word,
                });
            }
            rest = &rest[length..];
        }
    }

    /// The line of an atom.
    pub fn line_of(&self, atom: usize) -> usize {
        self.atoms[atom].line as usize
    }

    /// The text of an atom.
    pub fn at(&self, atom: usize) -> &'t str {
        let atom = &self.atoms[atom];
        unquoted(&self.text[atom.start as usize..atom.end as usize])
    }

    /// The place of a word among those of the text.
    fn word(&mut self, word: &'t str, known: &mut HashMap<&'t str, u32>) -> u32 {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return 0;
        }
        if let Some(&place) = known.get(word) {
            return place;
        }
        let place = self.words.len() as u32;
        self.words.push(Word::of(word));
        if known.len() < MOST_WORDS {
            known.insert(word, place);
        }
        place
    }

    /// What the words of an atom say.
    pub fn role(&self, atom: usize) -> Roles {
        self.words[self.atoms[atom].word as usize].role
    }

    /// What an atom is in a list of steps.
    pub fn item(&self, atom: usize) -> Item {
        match self.atoms[atom].word {
            0 => self.at(atom).parse().map_or(Item::Word, Item::Number),
            word => self.words[word as usize].item,
        }
    }

    /// Column of an atom; a tab ends at a multiple of eight.
    pub fn column(&self, atom: usize) -> usize {
        let atom = &self.atoms[atom];
        let line = self.lines[atom.line as usize].bytes.start..atom.start as usize;
        let next = |col: usize, c: char| match c {
            '\t' => (col / 8 + 1) * 8,
            _ => col + 1,
        };
        self.text[line].chars().fold(0, next)
    }

    /// What stands before an atom.
    pub fn before(&self, atom: usize) -> &'t str {
        let from = if atom == 0 {
            0
        } else {
            self.atoms[atom - 1].end as usize
        };
        let to = self
            .atoms
            .get(atom)
            .map_or(self.text.len(), |atom| atom.start as usize);
        &self.text[from..to]
    }

    fn hash_gaps(&mut self) {
        for i in 0..self.atoms.len() {
            let (mut hash, mut last) = (17u32, ' ');
            for c in self.before(i).chars() {
                let skipped = c == '\n' && last == '\n'
                    || c != '\n' && c.is_whitespace()
                    || "\"'`".contains(c);
                if !skipped {
                    hash = hash.wrapping_mul(31).wrapping_add(c as u32);
                    last = c;
                }
            }
            self.atoms[i].gap = hash;
        }
    }

    /// Finds for each line where the lists that begin in it end.
    fn join_lines(&mut self) {
        let mut open: Vec<(u8, usize)> = Vec::new();
        for i in 0..self.lines.len() {
            for byte in self.text[self.lines[i].bytes.clone()].bytes() {
                match byte {
                    b'[' | b'{' | b'(' => open.push((byte, i)),
                    b']' | b'}' | b')' => {
                        let opening = if byte == b')' { b'(' } else { byte - 2 };
                        if open.last().is_some_and(|&(kind, _)| kind == opening) {
                            let line = open.pop().map_or(i, |(_, line)| line);
                            self.lines[line].joined = i;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// A longer rule of signs is cut into pieces of this length.
const LONGEST_RULE: usize = 64;

/// The length of what begins with `c`, and whether it is an atom.
fn measure(rest: &str, c: char, before: Option<char>) -> (usize, bool) {
    if c == '-'
        && rest[1..].starts_with(|c: char| c.is_ascii_digit())
        && !before.is_some_and(char::is_alphanumeric)
    {
        return (1 + run(&rest[1..]), true);
    }
    if let Some(length) = row(rest, before) {
        return (length, true);
    }
    if c.is_alphanumeric() {
        return (run(rest), true);
    }
    if let Some(length) = tag(rest) {
        return (length, false);
    }
    if c == '\\' && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        return (1 + run(&rest[1..]), true); // a sign of TeX
    }
    if c == '"' || c == '\'' {
        return empty(rest, c, before).map_or((1, false), |length| (length, true));
    }
    if is_between(c) {
        return (c.len_utf8(), false);
    }
    if !c.is_ascii() {
        return (c.len_utf8(), true);
    }
    let sign = |c: char| c.is_ascii_punctuation() && !is_between(c);
    let most = rest.len().min(LONGEST_RULE);
    let length = rest
        .bytes()
        .take(most)
        .position(|byte| !sign(char::from(byte)))
        .unwrap_or(most);
    if length > 1 {
        let arrows =
            rest[..length].bytes().all(|byte| b"<>^".contains(&byte)) && rest[..length] != *">>";
        return if arrows { (1, true) } else { (length, false) };
    }
    let beside = c == '>' && before.is_some_and(|c| "=-/\"'".contains(c))
        || before.is_some_and(char::is_alphanumeric)
        || rest[1..].starts_with(char::is_alphanumeric);
    (1, !beside && !rest[1..].starts_with('='))
}

/// The length of digits with one line for the blank before, between or behind them.
fn row(rest: &str, before: Option<char>) -> Option<usize> {
    let is_row = |c: char| c.is_ascii_digit() || c == '_';
    let length = rest.find(|c| !is_row(c)).unwrap_or(rest.len());
    let apart = !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
        && !rest[length..].starts_with(char::is_alphanumeric);
    let lines = rest[..length].bytes().filter(|&byte| byte == b'_').count();
    (apart && lines == 1 && (3..=16).contains(&length)).then_some(length)
}

/// The length of a tag that says nothing: one that closes, or the name of an element of a page.
fn tag(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let length = name
        .bytes()
        .take(32)
        .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        .count();
    let closed = length > 0 && name[length..].starts_with('>');
    let plain = name.len() < inner.len() || role(&name[..length]) == Roles::default();
    (closed && plain).then(|| rest.len() - name.len() + length + 1)
}

/// The length of a word or a number at the beginning of a text.
fn run(text: &str) -> usize {
    // Where letters are written without spaces, a number ends before them.
    let mut before = 'a';
    let is_edge = |before: char, c: char| {
        before.is_ascii_digit() && c.is_alphabetic() && !c.is_ascii()
            || c.is_ascii_digit() && !before.is_ascii()
    };
    let end = |text: &str| {
        text.find(|c: char| !c.is_alphanumeric())
            .unwrap_or(text.len())
    };
    // A sign inside a word belongs to it.
    let inside = |at: usize, c: char| {
        let next = text[at + 1..].chars().next();
        let digit = text[..at].ends_with(|c: char| c.is_ascii_digit());
        "?!@#$%*~'".contains(c) && at > 0 && next.is_some_and(char::is_alphabetic)
            || c == '_' && digit && next.is_none_or(|c| c.is_ascii_digit() || !c.is_alphanumeric())
    };
    let length = text
        .char_indices()
        .find(|&(at, c)| {
            let edge = is_edge(before, c);
            before = c;
            edge || !(c.is_alphanumeric() || is_mark(c) || c.is_ascii() && inside(at, c))
        })
        .map_or(text.len(), |(at, _)| at);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(&text[..length]) && text[length..].starts_with('.') {
        let fraction = end(&text[length + 1..]);
        if digits(&text[length + 1..length + 1 + fraction]) {
            return length + 1 + fraction;
        }
    }
    length
}

/// The length of a pair of quotes with nothing in it, in a list.
fn empty(rest: &str, quote: char, before: Option<char>) -> Option<usize> {
    let inner = rest[1..].trim_start_matches(' ');
    let after = inner.strip_prefix(quote)?;
    let listed = before.is_none_or(|c| c.is_whitespace() || "[,(".contains(c))
        && after.trim_start().starts_with([',', ']', ')', '\n']);
    listed.then(|| rest.len() - after.len())
}
