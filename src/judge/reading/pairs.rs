//! The labels of a line and what stands behind each: `path: RD, cost: 2`.

use super::moves::is_moves;
use super::near::{all_moves, is_near};
use super::vocabulary::{Label, length_told, role};

/// A line with more labels than this is no answer.
const MOST: usize = 16;

/// The labels and values of a line; empty if it has none, or is a list: one in brackets, or
/// one that begins with a number or a move.
pub(super) fn pairs(line: &str) -> Vec<(&str, &str)> {
    if line.starts_with('[') {
        return Vec::new();
    }
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for (at, _) in line.match_indices([':', '=']).take(MOST) {
        let label = if cuts.is_empty() {
            first_label(&line[..at])
        } else {
            next_label(&line[from..at], &line[at + 1..])
        };
        if cuts.is_empty() && (!label.contains(char::is_alphabetic) || all_moves(label)) {
            return Vec::new();
        }
        if !label.is_empty() {
            let start = label.as_ptr() as usize - line.as_ptr() as usize;
            cuts.push((start, at));
            from = at + 1;
        }
    }
    let ends = cuts
        .iter()
        .skip(1)
        .map(|&(start, _)| start)
        .chain([line.len()]);
    let pair = |(&(start, at), end): (&(usize, usize), usize)| {
        (line[start..at].trim_end(), value(&line[at + 1..end]))
    };
    cuts.iter().zip(ends).map(pair).collect()
}

/// The last clause before the first separator of a line.
fn first_label(text: &str) -> &str {
    let text = text.trim_end_matches(['.', '!', ' ']);
    let from = text.rfind(['.', '!', ',', ';', '|']).map_or(0, |at| at + 1);
    let (before, clause) = text.split_at(from);
    let clause = clause.trim_start();
    // What is cut off could be a path.
    if clause.contains(char::is_alphabetic) && !before.split([',', ' ']).any(is_moves) {
        clause
    } else {
        text
    }
}

/// The label at the end of a value, which begins after a comma or the like, or after the last
/// word that could be a part of the value; empty if there is none, as in the value `Ri:ght`.
fn next_label<'a>(text: &'a str, behind: &str) -> &'a str {
    let cut = text
        .rfind([',', ';', '|', '(', '{', '\t'])
        .map_or(0, |at| at + 1);
    let clause = text[cut..].trim_start();
    let is_label = |word: &&str| {
        let word = word.trim_matches(['"', '\'']);
        word.contains(char::is_alphabetic) && !is_moves(word) && !is_near(word)
    };
    // Something is left for the value before it.
    let most = clause.split_whitespace().count() - usize::from(cut == 0).min(clause.len());
    let words = clause.split_whitespace().rev().take(most);
    match words.take_while(is_label).last() {
        Some(word) => {
            let label = &clause[word.as_ptr() as usize - clause.as_ptr() as usize..];
            let kind = Label::of(label.rsplit(' ').next().unwrap_or(label));
            let known = kind.path || kind.length.is_some() || kind.other || role(label).is_some();
            let number = behind
                .trim_start()
                .starts_with(|c: char| c.is_ascii_digit());
            if cut > 0 || known || number {
                label
            } else {
                ""
            }
        }
        None => "",
    }
}

/// A value without what separates it from its label and from the next.
fn value(text: &str) -> &str {
    let arrow = text.strip_prefix(['>', '=']).unwrap_or(text); // of `=>`, `==` and `:=`
    let text = arrow.trim_matches([' ', '\t', '*', '`', ':']);
    if text.ends_with("..") {
        return text; // a part of it is left out
    }
    let mut text = text.trim_end_matches([' ', '\t', ',', ';', '|', '.', '!', '(', '{']);
    for (open, close) in [('(', ')'), ('{', '}'), ('[', ']')] {
        let mut surplus = text.matches(close).count();
        surplus = surplus.saturating_sub(text.matches(open).count());
        while surplus > 0 && text.ends_with(close) {
            text = text[..text.len() - 1].trim_end();
            surplus -= 1;
        }
    }
    text
}

/// A value that is longer is a path without any length in it.
const LONGEST_WITH_LENGTH: usize = 4096;

/// A value without the length that is told in it, as in `RD (2 moves)` or `2 moves: RD`, and that
/// length.
pub(super) fn without_length(value: &str) -> (String, Option<u64>) {
    let mut rest = value.to_owned();
    let mut length = None;
    if value.len() > LONGEST_WITH_LENGTH {
        return (rest, length);
    }
    for _ in 0..MOST {
        let Some((from, to)) = aside(&rest) else {
            break;
        };
        length = length_told(&rest[from..to]).or(length);
        rest.replace_range(from..to, " ");
    }
    let trimmed = rest.trim_matches([' ', ',', ';', '.', '-', ':']);
    (trimmed.to_owned(), length)
}

/// Where a length with its unit stands, with the bracket that it stands in.
fn aside(text: &str) -> Option<(usize, usize)> {
    let mut brackets = text.match_indices('(').filter_map(|(from, _)| {
        let to = from + text[from..].find(')')? + 1;
        let has_moves = text[from..to]
            .split(|c: char| !c.is_alphanumeric())
            .any(is_moves);
        (length_told(&text[from..to]).is_some() && !has_moves).then_some((from, to))
    });
    brackets.next_back().or_else(|| number_with_unit(text))
}

/// Where `in 2 moves` stands.
fn number_with_unit(text: &str) -> Option<(usize, usize)> {
    const UNITS: [&str; 5] = ["moves", "move", "steps", "step", "actions"];
    let words = || {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let mut before = "";
    for (number, unit) in words().zip(words().skip(1)) {
        let between = &text[at(number) + number.len()..at(unit)];
        let is_unit = UNITS.iter().any(|known| unit.eq_ignore_ascii_case(known));
        if is_unit && between.trim().is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
            let links = ["in", "total", "with", "of"]
                .iter()
                .any(|link| before.eq_ignore_ascii_case(link));
            let from = if links { at(before) } else { at(number) };
            return Some((from, at(unit) + unit.len()));
        }
        before = number;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_parted_from_values() {
        for (line, expected) in [
            (
                "path: UUUU, cost: 2",
                &[("path", "UUUU"), ("cost", "2")][..],
            ),
            ("path=UL length=2", &[("path", "UL"), ("length", "2")]),
            (
                "Moves: R D Number of moves: 2",
                &[("Moves", "R D"), ("Number of moves", "2")],
            ),
            (
                "Solution: U, L (length: 2)",
                &[("Solution", "U, L"), ("length", "2")],
            ),
            ("Path: 1: Right 2: Down", &[("Path", "1: Right 2: Down")]),
            ("Explored 17 nodes, path: RD", &[("path", "RD")]),
            ("Solution => RD", &[("Solution", "RD")]),
            (
                "'path': ['R'], 'cost': 2}",
                &[("'path'", "['R']"), ("'cost'", "2")],
            ),
            ("nothing here", &[]),
        ] {
            assert_eq!(pairs(line), expected, "{line}");
        }
    }

    #[test]
    fn lengths_are_taken_out_of_values() {
        for (value, rest, length) in [
            ("U, L (2 moves)", "U, L", Some(2)),
            ("U L in 2 moves", "U L", Some(2)),
            ("2 moves: U L", "U L", Some(2)),
            ("U, L [2 steps]", "U, L [ ]", Some(2)),
            ("Right (5), Down (6)", "Right (5), Down (6)", None),
        ] {
            assert_eq!(without_length(value), (rest.to_owned(), length), "{value}");
        }
    }
}
