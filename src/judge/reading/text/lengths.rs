//! Lengths and statements that there is no solution, in the words around them.

use super::labels::{Roles, role, roles, words};
use super::lex::Text;
use super::steps::direction;

/// How sure it is that a number is the length of the answer; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    Labelled,
    Sentence,
    Depth,
    Bare,
}

/// Part of a line: what its label says, and the atoms of its value.
#[derive(Clone, Copy, Debug)]
pub struct Clause<'c, 't> {
    pub text: &'c Text<'t>,
    /// Number of the line.
    pub line: usize,
    /// The label, without what ends it.
    pub label: &'t str,
    /// Whether a colon or an equals sign ends the label.
    pub is_field: bool,
    /// The atoms of the label and the value.
    pub atoms: &'c [usize],
    /// The first atom of the value.
    pub value: usize,
}

/// Words further away say nothing of a number.
const NEAR: usize = 30;

const REFUSED: Roles = Roles(Roles::NOT_ANSWER.0 | Roles::UNDECIDED.0 | Roles::NO.0);

impl<'t> Clause<'_, 't> {
    fn word(&self, at: usize) -> &'t str {
        self.atoms.get(at).map_or("", |&atom| self.text.at(atom))
    }

    /// What stands before an atom; the line's end at the last.
    pub fn gap(&self, at: usize) -> &'t str {
        match self.atoms.get(at) {
            Some(&atom) => self.text.before(atom),
            None => self.atoms.last().map_or("", |&atom| {
                self.text.before(atom + 1).split('\n').next().unwrap_or("")
            }),
        }
    }

    /// The lengths in the clause.
    pub fn lengths(&self) -> Vec<(u64, Rank)> {
        let mut found = Vec::new();
        let mut from = 0;
        for at in 0..self.atoms.len() {
            if let Some(number) = self.number(at)
                && let Some(rank) = self.rank(at, from)
            {
                found.push((number, rank));
            }
            if self.word(at).starts_with(|c: char| c.is_ascii_digit()) {
                from = at + 1;
            }
        }
        found
    }

    /// The whole number at a place, if nothing that stands beside it makes it another.
    fn number(&self, at: usize) -> Option<u64> {
        let word = self.word(at);
        let number = match word.split_once('.') {
            Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => whole,
            _ => word,
        };
        let number = number
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| number.parse().ok())??;
        let before = if at > 0 { self.word(at - 1) } else { "" };
        let gap = self.gap(at).replace("->", "").replace("=>", "");
        let signs = ["<", ">", "~", "≥", "≤", "≈"];
        let changed = signs.contains(&before)
            || before == "%"
            || signs.iter().any(|sign| gap.contains(sign))
            || gap.trim_end().ends_with('/');
        let after = self.gap(at + 1);
        let longer = after.starts_with(['%', '/'])
            || after == "," && self.word(at + 1).len() == 3 && self.number_like(at + 1);
        (!changed && !longer).then_some(number)
    }

    fn number_like(&self, at: usize) -> bool {
        self.word(at).bytes().all(|byte| byte.is_ascii_digit()) && !self.word(at).is_empty()
    }

    /// What the words from one place to another say.
    fn said(&self, from: usize, to: usize) -> Roles {
        let atoms = &self.atoms[from.max(to.saturating_sub(NEAR)).min(to)..to];
        atoms
            .iter()
            .map(|&atom| self.text.role(atom))
            .fold(Roles::default(), |all, role| all | role)
    }

    /// What a label says: its words after `of` add to it, but do not refuse it.
    fn head(&self, to: usize) -> Roles {
        let of = (to.saturating_sub(NEAR)..to)
            .find(|&at| ["of", "de", "da", "do", "del"].contains(&self.word(at)));
        let all = self.said(0, to);
        match of {
            Some(of) if self.said(0, of).has(Roles::LENGTH | Roles::DEPTH) => {
                Roles(all.0 & !(Roles::OTHER_COUNT.0 | Roles::NOT_ANSWER.0)) | self.said(0, of)
            }
            _ => all,
        }
    }

    fn rank(&self, at: usize, from: usize) -> Option<Rank> {
        let next = self.word(at + 1);
        let near_next = !self.gap(at + 1).contains(['\n', ';', '|']);
        let after = self
            .atoms
            .get(at + 1)
            .filter(|_| near_next)
            .map_or(Roles::default(), |&atom| self.text.role(atom));
        let unit = near_next && after.has(Roles::MOVES);
        if ["or", "of", "to"].contains(&next) && near_next && !unit && next != "to"
            || after.has(Roles::OTHER_COUNT)
        {
            return None;
        }
        if self.number_like(at + 1) && near_next
            || self.gap(at + 1).starts_with('=')
            || self.gap(at).contains('[')
        {
            return None; // a list
        }
        let labelled = self.is_field && at == self.value && at > 0;
        let steps = Roles::LENGTH | Roles::MOVES;
        if labelled {
            let aside = (at.saturating_sub(NEAR).max(1)..at)
                .find(|&at| self.gap(at).contains('('))
                .unwrap_or(at);
            let label = self.head(aside);
            let turned = (at.saturating_sub(NEAR)..at).any(|at| direction(self.word(at)).is_some());
            if label.has(REFUSED | Roles::OTHER_COUNT) || turned {
                return None;
            }
            let solution = label.has(Roles::ANSWER | Roles::SOLVED);
            return match () {
                () if label.has(steps) || solution && label.has(Roles::DEPTH) => {
                    Some(Rank::Labelled)
                }
                () if label.has(Roles::DEPTH) => Some(Rank::Depth),
                () if unit && (solution || label.has(Roles::ALGORITHM)) => Some(Rank::Sentence),
                () => None,
            };
        }
        let near = self.head(at);
        let comma = (at.saturating_sub(NEAR).max(from + 1)..at)
            .rev()
            .find(|&at| self.gap(at).contains([',', ';']));
        let near = match comma {
            Some(comma) => self.said(comma, at),
            None if from > 0 => self.said(from + 1, at),
            None => near,
        };
        let all = self.said(0, at);
        let rest = self.said(at + 1, self.atoms.len().min(at + NEAR));
        if all.has(REFUSED) && !near.has(Roles::ANSWER)
            || near.has(Roles::OTHER_COUNT | REFUSED)
            || self.limits(at)
        {
            return None;
        }
        let meant = Roles::ANSWER | Roles::SOLVED | Roles::LENGTH | Roles::ALGORITHM;
        if unit && (all.has(meant) || rest.has(Roles::SOLVED)) {
            return Some(Rank::Sentence);
        }
        if unit {
            return Some(if self.atoms.len() == 2 {
                Rank::Bare
            } else {
                Rank::Depth
            });
        }
        let last = after.has(Roles::SOLVED)
            || self.gap(at + 1).contains('\n')
            || at + 1 == self.atoms.len()
            || ["with", "in"].contains(&next);
        let goal = all.has(Roles::ANSWER | Roles::SOLVED);
        if last && goal && near.has(Roles::LENGTH | Roles::DEPTH) {
            return Some(Rank::Sentence);
        }
        let is =
            ["is", "was", "are", "es", "ist", "est", "é"].contains(&self.word(at.wrapping_sub(1)));
        if last && is && near.has(Roles::MOVES | Roles::LENGTH) {
            return Some(Rank::Sentence);
        }
        let at_number = ["at", "of"].contains(&self.word(at.wrapping_sub(1)));
        if goal && all.has(Roles::ANSWER) && at_number && last {
            return Some(Rank::Sentence);
        }
        let plain = from == 0 && self.gap(at).trim().is_empty();
        let ends = plain && at + 1 == self.atoms.len() && at < 3;
        if ends && all.has(Roles::LENGTH) && !all.has(Roles::DEPTH) {
            return Some(Rank::Labelled);
        }
        let alone = self.atoms.len() == 1 && self.label.is_empty();
        alone.then_some(Rank::Bare)
    }

    /// Whether words before a number make it a bound.
    fn limits(&self, at: usize) -> bool {
        (at.saturating_sub(2)..at)
            .any(|at| ["most", "least", "than", "move", "step", "limit"].contains(&self.word(at)))
    }
}

/// Words for nothing in the place of an answer.
const NOTHING: [&str; 8] = [
    "false",
    "none",
    "null",
    "nil",
    "n/a",
    "-1",
    "nan",
    "undefined",
];

/// Whether a line or a value says that there is no solution.
pub fn says_none(line: &str) -> bool {
    const FAILED: [&str; 7] = [
        "timeout",
        "out of",
        "overflow",
        "exceeded",
        "exhausted",
        "local ",
        "stuck",
    ];
    let lower = line.to_lowercase();
    let failed = FAILED.iter().any(|name| lower.contains(name)) || gives_up(line);
    !failed
        && line
            .split_inclusive(['.', ';', '!', '?', ':', '\n'])
            .any(is_statement)
}

fn is_statement(sentence: &str) -> bool {
    if sentence.contains('?') || sentence.len() > 400 {
        return false;
    }
    if sentence.trim_start().starts_with("0 ") && roles(sentence).has(Roles::ANSWER) {
        return true;
    }
    let said: Vec<(&str, Roles)> = words(sentence).map(|word| (word, role(word))).collect();
    let all = said.iter().fold(Roles::default(), |all, word| all | word.1);
    let counts = all.has(Roles::MOVES) && sentence.contains(|c: char| c.is_ascii_digit());
    if all.has(Roles::UNDECIDED | Roles::DEPTH) || counts || said.len() > 24 {
        return false;
    }
    let solves = |&(word, role): &(&str, Roles)| {
        let lower = word.to_lowercase();
        role.has(Roles::ANSWER)
            || lower.contains("sol") && role.has(Roles::SOLVED)
            || lower == "goal"
            || lower == "search"
            || word.contains('解')
    };
    let given = said
        .last()
        .is_some_and(|&(word, _)| ["given", "specified"].contains(&word));
    let denied = said.iter().enumerate().any(|(i, word)| {
        let near = &said[i.saturating_sub(3)..said.len().min(i + 5)];
        word.1.has(Roles::NO) && near.iter().any(solves) && !given
    });
    let last = said
        .last()
        .is_some_and(|word| word.1.has(Roles::UNSOLVABLE));
    let unsolvable = |&(word, role): &(&str, Roles)| {
        role.has(Roles::UNSOLVABLE) && !word.to_lowercase().starts_with("impo")
    };
    denied
        || last
        || said.iter().any(unsolvable)
        || all.has(Roles::UNSOLVABLE) && (said.len() < 3 || said.iter().any(solves))
}

/// Whether a value is a word for no answer.
pub fn is_nothing(value: &str) -> bool {
    let value = value.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
    value == "Nothing" || NOTHING.contains(&value.to_lowercase().as_str())
}

/// Whether a value is a word for no.
pub fn is_false(value: &str) -> bool {
    let first = value
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())
        .unwrap_or("");
    ["false", "no"].contains(&first.to_lowercase().as_str())
}

/// Whether a line says that the search was not ended.
pub fn gives_up(line: &str) -> bool {
    let lower = line.to_lowercase();
    let names = [
        "timeout",
        "timed out",
        "time out",
        "gave up",
        "given up",
        "giving up",
        "aborted",
        "interrupted",
        "give up",
        "crash",
        "failed to reach",
    ];
    names.iter().any(|name| {
        lower.find(name).is_some_and(|at| {
            !lower[at + name.len()..]
                .trim_start()
                .starts_with([':', '=', '"'])
        })
    })
}
