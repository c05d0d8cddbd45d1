//! The known name that was probably meant by a wrong one.

/// The part of a message that names what was probably meant by a wrong name; empty if nothing was.
pub(crate) fn meant<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, names).map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// The name nearest to a text, if few letters have to be changed, left out, added or exchanged with their
/// neighbours to make it: one, or a third of the text's.
fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    let most = (text.chars().count() / 3).max(1);
    let steps = |name: &'a str| (distance(text, name), name);
    let near = names.into_iter().map(steps);
    let near = near.min_by_key(|&(steps, _)| steps);
    near.filter(|&(steps, _)| steps <= most && text.len() <= LONGEST)
        .map(|(_, name)| name)
}

/// The optimal string alignment distance (Damerau and Levenshtein, without edits of edited letters).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [
        vec![0; b.len() + 1],
        vec![0; b.len() + 1],
        (0..=b.len()).collect(),
    ];
    for i in 0..a.len() {
        rows.rotate_left(1);
        rows[2][0] = i + 1;
        for j in 0..b.len() {
            let changed = rows[1][j] + usize::from(a[i] != b[j]);
            let mut best = changed.min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(rows[0][j - 1] + 1);
            }
            rows[2][j + 1] = best;
        }
    }
    rows[2][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        const NAMES: [&str; 5] = ["solve", "serve", "astar", "idastar", "manhattan"];
        for (text, meant) in [
            ("slove", Some("solve")),
            ("solv", Some("solve")),
            ("idstar", Some("idastar")),
            ("manhatan", Some("manhattan")),
            ("xyz", None),
            ("", None),
        ] {
            assert_eq!(nearest(text, NAMES), meant, "{text}");
        }
    }

    #[test]
    fn edits_are_counted() {
        for (a, b, steps) in [
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("ca", "abc", 3),
            ("ü", "u", 1),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (steps, steps), "{a} {b}");
        }
    }
}
