//! Texts that look like moves and cannot be read as such.
//!
//! A solver that prints a move which is none must not be judged by the rest of what it prints.

use crate::judge::reading::ways::{WORDS, is_filler, is_moves, parts, tokens};

/// How much a text that cannot be read looks like moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Not at all.
    Other,
    /// It has nothing in it that is a move, but what could have been meant as one.
    Doubtful,
    /// It has moves in it.
    Moves,
}

/// How the line of a text that is not said to be moves looks: it has to have more words that look
/// like moves than others.
pub(super) fn of_line(line: &str) -> Look {
    let is_list = line.starts_with('[') && line.ends_with(']') && line.contains(['"', '\'', ',']);
    if line.len() > 100_000 || is_list_of_numbers(line) {
        return Look::Doubtful;
    }
    let (mut moves, mut near, mut others) = (0, 0, 0);
    for word in words(line) {
        if is_moves(word) {
            moves += 1;
        } else if is_near(word) {
            near += 1;
        } else {
            others += 1;
        }
    }
    let all: String = words(line).collect();
    match moves + near > others {
        true if moves > 0 && moves + near > 1 => Look::Moves,
        true => Look::Doubtful,
        false if is_list => Look::Doubtful,
        false if others < 4 && is_near(&all) => Look::Doubtful,
        false => Look::Other,
    }
}

/// How a text looks that is said to be moves: anything that is no plain prose is doubtful.
pub(super) fn of_value(value: &str) -> Look {
    if of_line(value) == Look::Moves || has_moves(value) && is_bracketed(value) {
        return Look::Moves;
    }
    let mut tokens = tokens(value);
    let first = tokens.next().unwrap_or("");
    // such as `0.02 s`
    let number = first.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if number.contains('.') && number.parse::<f64>().is_ok() {
        return Look::Other;
    }
    let prose = |word: &str| PROSE.iter().any(|known| word.eq_ignore_ascii_case(known));
    match value.contains(char::is_alphabetic) && words(value).all(prose) {
        true => Look::Other,
        false => Look::Doubtful,
    }
}

/// Is there a move among its words?
pub(super) fn has_moves(text: &str) -> bool {
    words(text).any(is_moves)
}

/// Are all of its words moves?
pub(super) fn all_moves(text: &str) -> bool {
    has_moves(text) && words(text).all(is_moves)
}

/// Words that are often said where a path could stand.
const PROSE: &[&str] = &[
    "found",
    "yes",
    "no",
    "true",
    "ok",
    "success",
    "exists",
    "below",
    "following",
    "see",
    "optimal",
    "complete",
    "done",
    "reached",
    "in",
    "as",
    "follows",
    "with",
    "of",
    "length",
    "moves",
    "steps",
    "nodes",
    "seconds",
    "shown",
];

/// The words of a text that are neither numbers nor fillers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |word: &&str| !word.bytes().all(|b| b.is_ascii_digit()) && !is_filler(word);
    tokens(text).flat_map(parts).filter(is_word)
}

fn is_bracketed(text: &str) -> bool {
    text.contains('[') || text.contains('(')
}

/// Is it a list in brackets of numbers, or are there only small numbers in it?
fn is_list_of_numbers(line: &str) -> bool {
    let small = |token: &str| token.len() <= 2 && token.bytes().all(|b| b.is_ascii_digit());
    let (mut count, mut all) = (0, true);
    for token in tokens(line) {
        count += 1;
        all &= small(token);
    }
    all && (count > 1 || count == 1 && line.starts_with('['))
}

/// Is this one letter away from a move, or a run of moves with a few other letters in it?
pub(super) fn is_near(word: &str) -> bool {
    let letters = word.chars().count();
    if (2..=6).contains(&letters)
        && WORDS
            .iter()
            .any(|(move_word, _)| is_one_off(word, move_word))
    {
        return true;
    }
    let of_run = |c: &char| "UDLRudlr0123456789".contains(*c);
    let wrong = letters - word.chars().filter(of_run).count();
    let small = word.chars().filter(|c| c.is_lowercase()).count();
    let is_name = small > 1 && small + 1 == letters; // such as `Full`
    match letters {
        0 => false,
        1 => word.chars().all(char::is_alphanumeric),
        _ if !word.contains(|c| "UDLRudlr".contains(c)) => false,
        2 | 3 => wrong == 1 && small < 2,
        _ => !is_name && wrong <= letters / 4,
    }
}

/// Does one letter that is changed, left out or added make one word the other?
fn is_one_off(word: &str, known: &str) -> bool {
    let word: Vec<char> = word.to_lowercase().chars().collect();
    let known: Vec<char> = known.chars().collect();
    let same = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let (word, known) = (&word[same..], &known[same..]);
    let rest = |list: &[char]| list.get(1..).map(<[char]>::to_vec);
    rest(word).as_deref() == Some(known)
        || rest(known).as_deref() == Some(word)
        || rest(word) == rest(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_as_moves_looks_like_it() {
        for line in [
            "U, L, X",
            "Right Dwn",
            "RDLLX",
            "RDXLLURX",
            "1. Right 2. Dowwn",
            "UL…",
        ] {
            assert_ne!(of_line(line), Look::Other, "{line}");
        }
        for line in ["Rght", "X", "Lft", "[5, 99]", "5 6 99", "2. Dwn", "Ri ht"] {
            assert_eq!(of_line(line), Look::Doubtful, "{line}");
        }
        for line in [
            "Done",
            "A* search",
            "Initial state",
            "17 nodes left",
            "hello",
            "Solved in 19 moves",
        ] {
            assert_eq!(of_line(line), Look::Other, "{line}");
        }
        for value in ["Rxgt", "5 6x", "['Right', 'Dwn']", "xx"] {
            assert_ne!(of_value(value), Look::Other, "{value}");
        }
        for value in ["found", "0.02 s", "found in 19 moves", "0.0012s"] {
            assert_eq!(of_value(value), Look::Other, "{value}");
        }
    }
}
