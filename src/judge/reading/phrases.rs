//! Words that tell what a text is about.

/// Does a field say that there is no solution?
pub(super) fn is_none(text: &[u8]) -> bool {
    const NONE: [&str; 27] = [
        "none",
        "null",
        "nil",
        "-1",
        "inf",
        "+inf",
        "infinity",
        "nan",
        "n/a",
        "na",
        "unsolvable",
        "insolvable",
        "unsolveable",
        "not solvable",
        "no solution",
        "no solution found",
        "no solution exists",
        "nosolution",
        "no_solution",
        "no path",
        "no path found",
        "impossible",
        "infeasible",
        "unreachable",
        "failure",
        "fail",
        "false",
    ];
    let text = text.trim_ascii();
    let text = text.strip_suffix(b".").unwrap_or(text);
    let quotes = |&b: &u8| b == b'"' || b == b'\'';
    let from = text.iter().take_while(|b| quotes(b)).count();
    let to = text.len() - text[from..].iter().rev().take_while(|b| quotes(b)).count();
    let text = &text[from..to];
    NONE.iter()
        .any(|none| text.eq_ignore_ascii_case(none.as_bytes()))
}

/// Does a sentence say that there is no solution?
pub(super) fn says_none(line: &str) -> bool {
    const PHRASES: [&str; 16] = [
        "unsolvable",
        "insolvable",
        "unsolveable",
        "not solvable",
        "isn't solvable",
        "no solution",
        "no path",
        "not be solved",
        "cannot be solved",
        "can't be solved",
        "can not be solved",
        "not possible to solve",
        "impossible",
        "unreachable",
        "not reachable",
        "infeasible",
    ];
    // What fails at a limit goes on, and what is said of errors is not said of the board.
    const ELSEWHERE: [&str; 12] = [
        "depth",
        "limit",
        "threshold",
        "bound",
        "cutoff",
        "iteration",
        "error",
        "exception",
        "usage",
        "heuristic",
        "warning",
        "cost",
    ];
    if line.len() > 300 {
        return false;
    }
    let line = line.to_ascii_lowercase().replace('_', " ");
    if ELSEWHERE.iter().any(|word| line.contains(word)) {
        return false;
    }
    let denied = words(&line).any(|w| w == "false") || line.contains("not unsolvable");
    if denied && line.contains("unsolvable") {
        return false;
    }
    let solvable_false =
        words(&line).any(|w| w == "solvable") && words(&line).any(|w| w == "false" || w == "no");
    solvable_false || PHRASES.iter().any(|phrase| line.contains(phrase))
}

/// The words of a text: runs of letters.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
}

/// What a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// It can stand before a path.
    pub path: bool,
    /// It can stand before a length; smaller is surer.
    pub length: Option<u8>,
    /// It can stand in a sentence that tells a length.
    told: bool,
    /// It can stand before one step of many: `Step 3`.
    pub step: bool,
    /// What stands behind it is about something else, even if it looks like a path.
    pub other: bool,
}

impl Label {
    pub(super) fn of(text: &str) -> Label {
        let lower = text.to_ascii_lowercase();
        let has = |names: &[&str]| words(&lower).any(|word| names.contains(&word));
        let aside = has(&["time", "seconds", "ms", "memory", "ram"]);
        let other = has(&[
            "max",
            "maximum",
            "node",
            "nodes",
            "expanded",
            "explored",
            "generated",
            "visited",
            "queue",
            "heuristic",
            "manhattan",
            "hamming",
            "misplaced",
            "limit",
            "bound",
            "frontier",
            "fringe",
            "iteration",
            "iterations",
            "inversions",
            "states",
            "average",
            "mean",
            "branching",
            "seed",
            "size",
            "random",
            "shuffle",
            "scramble",
            "shuffled",
            "scrambled",
            "closed",
            "open",
            "estimated",
        ]);
        let choice = has(&[
            "order",
            "legal",
            "possible",
            "valid",
            "available",
            "allowed",
            "neighbors",
            "neighbours",
            "successors",
            "nodes",
            "scramble",
            "scrambled",
            "shuffle",
            "shuffled",
            "random",
            "time",
            "file",
            "saved",
            "written",
        ]);
        let length = if other {
            None
        } else if has(&[
            "length", "cost", "moves", "steps", "actions", "distance", "len",
        ]) {
            Some(0)
        } else {
            has(&["depth", "solution", "answer", "optimal"]).then_some(3)
        };
        let path = has(&[
            "path",
            "moves",
            "solution",
            "actions",
            "steps",
            "sequence",
            "answer",
            "plan",
            "directions",
            "route",
            "optimal",
            "tiles",
            "result",
            "output",
        ]);
        let step = has(&[
            "step", "move", "moves", "action", "after", "moved", "moving",
        ]);
        Label {
            path: path && !choice,
            other: choice,
            length: length.filter(|_| !aside),
            told: length.is_some(),
            step,
        }
    }
}

/// A number of moves that a sentence tells: `solved in 26 moves`, `a path of length 26`.
pub(super) fn length_told(line: &str) -> Option<u64> {
    if line.len() > 300 {
        return None;
    }
    let decimal = |at: usize| line[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let ends = line.match_indices([',', ';', '.']).map(|(at, _)| at);
    let mut from = 0;
    for end in ends.filter(|&at| !decimal(at)).chain([line.len()]) {
        if let Some(length) = length_in_clause(&line[from..end]) {
            return Some(length);
        }
        from = end;
    }
    None
}

fn length_in_clause(line: &str) -> Option<u64> {
    if !Label::of(line).told {
        return None;
    }
    let tokens: Vec<&str> = line
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .map(|token| token.trim_matches('.'))
        .filter(|token| !token.is_empty())
        .collect();
    let is = |at: Option<usize>, names: &[&str]| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|token| names.iter().any(|name| token.eq_ignore_ascii_case(name)))
    };
    (0..tokens.len()).rev().find_map(|i| {
        let number = tokens[i].parse().ok()?;
        let before = i.checked_sub(1);
        let before = if is(before, &["of", "is", "was", "are"]) {
            i.checked_sub(2)
        } else {
            before
        };
        let told = is(Some(i + 1), &["move", "moves", "step", "steps", "actions"])
            || is(
                before,
                &["length", "cost", "depth", "distance", "moves", "steps"],
            );
        told.then_some(number)
    })
}
