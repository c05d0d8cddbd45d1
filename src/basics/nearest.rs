//! Closest known name to a misspelt one.

/// Suggestion for the end of a message, with the closest known name; empty if none is close.
/// Name nearest to a text, at a distance of at most max(1, characters of the text / 3). The distance
/// counts the letters that are changed, left out, added or exchanged with their neighbours.
pub fn meant<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, names).map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if text.len() > LONGEST {
        return None;
    }
    let most = (text.chars().count() / 3).max(1);
    let edits = |name: &'a str| (strsim::osa_distance(text, name), name);
    let near = names.into_iter().map(edits).min_by_key(|&(edits, _)| edits);
    near.filter(|&(edits, _)| edits <= most)
        .map(|(_, name)| name)
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
}
