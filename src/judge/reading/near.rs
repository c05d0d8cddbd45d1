//! Texts that look like moves and cannot be read as such.
//!
//! Where a solver prints a path in which one word is no move, the length that it prints beside it must not
//! be judged in the path's place.

use super::moves::{is_moves, parts, tokens};
use super::vocabulary::{ENGLISH_DIRECTIONS, is_filler, is_prose};

/// How much a text that cannot be read looks like moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    /// Not at all.
    Other,
    /// It has nothing in it that is a move, but what could have been meant as one.
    Doubtful,
    /// It has moves in it.
    Moves,
}

/// A line that is longer is not looked at: it is doubtful.
const LONGEST: usize = 10_000;

/// How the line of a text that is not said to be moves looks: it has to have more words that look
/// like moves than others.
pub(super) fn of_line(line: &str) -> Nearness {
    let is_list = line.starts_with('[') && line.ends_with(']') && line.contains(['"', '\'', ',']);
    if line.len() > LONGEST || is_list_of_numbers(line) {
        return Nearness::Doubtful;
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
    match moves + near > others {
        true if moves > 0 && moves + near > 1 => Nearness::Moves,
        true => Nearness::Doubtful,
        false if is_list => Nearness::Doubtful,
        false if others < 4 && is_near(&words(line).collect::<String>()) => Nearness::Doubtful,
        false => Nearness::Other,
    }
}

/// How a text looks that is said to be moves: anything that is no plain prose is doubtful.
pub(super) fn of_value(value: &str) -> Nearness {
    if of_line(value) == Nearness::Moves || has_moves(value) && is_bracketed(value) {
        return Nearness::Moves;
    }
    let mut tokens = tokens(value);
    let first = tokens.next().unwrap_or("");
    // such as `0.02 s`
    let number = first.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if number.contains('.') && number.parse::<f64>().is_ok() {
        return Nearness::Other;
    }
    if value.contains(char::is_alphabetic) && words(value).all(is_prose) {
        Nearness::Other
    } else {
        Nearness::Doubtful
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
        && ENGLISH_DIRECTIONS
            .iter()
            .any(|known| letters.abs_diff(known.len()) <= 1 && is_one_off(word, known))
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

/// Does one letter that is changed, left out or added make one word the other, which is ASCII?
fn is_one_off(word: &str, known: &str) -> bool {
    let same = |(a, b): &(u8, u8)| a.eq_ignore_ascii_case(b);
    let same = word.bytes().zip(known.bytes()).take_while(same).count();
    let (word, known) = (&word[same..], &known[same..]);
    fn rest(text: &str) -> Option<&str> {
        Some(&text[text.chars().next()?.len_utf8()..])
    }
    let are_same = |a: Option<&str>, b: Option<&str>| match (a, b) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        (a, b) => a == b,
    };
    are_same(rest(word), Some(known))
        || are_same(rest(known), Some(word))
        || are_same(rest(word), rest(known))
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
            assert_ne!(of_line(line), Nearness::Other, "{line}");
        }
        for line in ["Rght", "X", "Lft", "[5, 99]", "5 6 99", "2. Dwn", "Ri ht"] {
            assert_eq!(of_line(line), Nearness::Doubtful, "{line}");
        }
        for line in [
            "Done",
            "A* search",
            "Initial state",
            "17 nodes left",
            "hello",
            "Solved in 19 moves",
        ] {
            assert_eq!(of_line(line), Nearness::Other, "{line}");
        }
        for value in ["Rxgt", "5 6x", "['Right', 'Dwn']", "xx"] {
            assert_ne!(of_value(value), Nearness::Other, "{value}");
        }
        for value in ["found", "0.02 s", "found in 19 moves", "0.0012s"] {
            assert_eq!(of_value(value), Nearness::Other, "{value}");
        }
    }
}
