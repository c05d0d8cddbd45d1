//! Words for moves, units and what stands between moves.

use std::sync::LazyLock;

use crate::puzzle::Move;

use super::by_letter::ByLetter;
use super::foreign::english;

/// The words for the moves.
#[rustfmt::skip]
const DIRECTIONS: [(&str, Move); 44] = [
    ("up", Move::Up),
    ("down", Move::Down),
    ("left", Move::Left),
    ("right", Move::Right),
    ("north", Move::Up),
    ("south", Move::Down),
    ("west", Move::Left),
    ("east", Move::Right),
    ("arriba", Move::Up),
    ("abajo", Move::Down),
    ("izquierda", Move::Left),
    ("derecha", Move::Right),
    ("haut", Move::Up),
    ("bas", Move::Down),
    ("gauche", Move::Left),
    ("droite", Move::Right),
    ("oben", Move::Up),
    ("unten", Move::Down),
    ("links", Move::Left),
    ("rechts", Move::Right),
    ("hoch", Move::Up),
    ("runter", Move::Down),
    ("cima", Move::Up),
    ("baixo", Move::Down),
    ("esquerda", Move::Left),
    ("direita", Move::Right),
    ("sinistra", Move::Left),
    ("destra", Move::Right),
    ("вверх", Move::Up),
    ("вниз", Move::Down),
    ("влево", Move::Left),
    ("вправо", Move::Right),
    ("上", Move::Up),
    ("下", Move::Down),
    ("左", Move::Left),
    ("右", Move::Right),
    ("upward", Move::Up),
    ("downward", Move::Down),
    ("leftward", Move::Left),
    ("rightward", Move::Right),
    ("upwards", Move::Up),
    ("downwards", Move::Down),
    ("leftwards", Move::Left),
    ("rightwards", Move::Right),
];

/// The words of one language of which a wrong letter is recognised.
pub(in crate::judge::reading) const ENGLISH_DIRECTIONS: [&str; 8] = [
    "up", "down", "left", "right", "north", "south", "west", "east",
];

/// The move that a word names.
pub(in crate::judge::reading) fn direction(word: &str) -> Option<Move> {
    static KNOWN: LazyLock<ByLetter<(&str, Move)>> =
        LazyLock::new(|| ByLetter::new(&DIRECTIONS, |&(name, _)| name));
    let lower = (!word.is_ascii()).then(|| word.to_lowercase());
    KNOWN
        .find(lower.as_deref().unwrap_or(word), |&(name, _)| name)
        .map(|&(_, mv)| mv)
}

/// Words that stand beside moves without being one.
#[rustfmt::skip]
const FILLERS: [&str; 31] = [
    "action", "direction", "dir", "move", "moves", "step", "tile", "blank", "slide", "swap", "the",
    "to", "and", "then", "after", "is", "solution", "path", "found", "solved", "steps", "result",
    "moving", "moved", "empty", "space", "spot", "cell", "some", "just", "ok",
];

/// Letters for up, down, left and right in other alphabets than UDLR: top and bottom, the points of the
/// compass, the keys of games, and the first letters of other languages' words.
pub(in crate::judge::reading) const OTHER_LETTERS: [&str; 8] = [
    "TBLR", "NSWE", "WSAD", "ABID", "HBGD", "OULR", "CBED", "ВНЛП",
];

/// Words for the two ends of a path, which are no step.
#[rustfmt::skip]
const ENDS: [&str; 8] = [
    "start", "goal", "none", "null", "initial", "end", "finish", "root",
];

pub(in crate::judge::reading) fn is_filler(word: &str) -> bool {
    is_one_of(word, &FILLERS)
}

pub(in crate::judge::reading) fn is_end(word: &str) -> bool {
    is_one_of(word, &ENDS)
}

/// Words that are often said where a path could stand.
#[rustfmt::skip]
const PROSE: [&str; 25] = [
    "found", "yes", "no", "true", "ok", "success", "exists", "below", "following", "see", "optimal",
    "complete", "done", "reached", "in", "as", "follows", "with", "of", "length", "moves", "steps",
    "nodes", "seconds", "shown",
];

pub(in crate::judge::reading) fn is_prose(word: &str) -> bool {
    is_one_of(word, &PROSE)
}

pub(super) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The words of a text: runs of letters.
pub(in crate::judge::reading) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
}

/// A line without what a log writes before it: `[main] INFO Solver - `, `12:00:00 INFO: `.
pub(in crate::judge::reading) fn without_log(line: &str) -> &str {
    const LEVELS: [&str; 5] = ["INFO", "DEBUG", "WARN", "WARNING", "ERROR"];
    let mut rest = line;
    loop {
        let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        let bare = word.trim_matches(['[', ']', ':']);
        if LEVELS.contains(&bare) {
            return match behind.split_once(" - ") {
                Some((name, text)) if !name.contains(' ') => text,
                _ => behind,
            };
        }
        let stamp = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['-', ':']);
        let tag =
            word.starts_with('[') && word.ends_with(']') && word.contains(char::is_alphabetic);
        if !(stamp || tag) || behind.is_empty() {
            return line;
        }
        rest = behind;
    }
}

/// Words before or after a number of moves.
pub(super) const UNITS: [&str; 7] = [
    "move", "moves", "step", "steps", "action", "actions", "slides",
];

pub(in crate::judge::reading) fn is_unit(word: &str) -> bool {
    is_one_of(english(word), &UNITS)
}

/// Units of numbers that are no length: `0.02 s`, `17 nodes`, `2 tries`.
#[rustfmt::skip]
const OTHER_UNITS: [&str; 26] = [
    "s", "sec", "secs", "second", "seconds", "ms", "us", "ns", "millisecond", "milliseconds",
    "minutes", "node", "nodes", "state", "states", "expansions", "tries", "try", "iterations",
    "mb", "kb", "kib", "mib", "bytes", "boards", "times",
];

pub(in crate::judge::reading) fn is_other_unit(word: &str) -> bool {
    is_one_of(word, &OTHER_UNITS)
}
