//! What the words before a colon announce.

use super::algorithms::ALGORITHMS;
use super::foreign::english;
use super::words::words;

/// Words that say that what stands behind a label is about something else than the answer.
#[rustfmt::skip]
const ASIDE: [&str; 62] = [
    "max", "maximum", "node", "nodes", "expanded", "explored", "generated", "visited", "queue",
    "heuristic", "manhattan", "hamming", "misplaced", "limit", "bound", "lower", "upper",
    "frontier", "fringe", "iteration", "iterations", "inversions", "states", "average", "mean",
    "branching", "seed", "size", "random", "shuffle", "scramble", "shuffled", "scrambled",
    "closed", "open", "estimated", "estimate", "correct", "expected", "tries", "attempt",
    "attempts", "level", "score", "threshold", "cutoff", "evaluated", "remaining", "left",
    "priority", "index", "id", "test", "case", "time", "seconds", "ms", "memory", "ram", "gave",
    "expansions", "current",
];

/// Words that say that the moves behind a label are a choice and no path.
#[rustfmt::skip]
const CHOICES: [&str; 26] = [
    "order", "legal", "possible", "valid", "available", "allowed", "neighbors", "neighbours",
    "successors", "nodes", "scramble", "scrambled", "shuffle", "shuffled", "random", "time", "file",
    "saved", "written", "keys", "usage", "next", "children", "options", "last", "previous",
];

#[rustfmt::skip]
const PATH_WORDS: [&str; 14] = [
    "path", "moves", "solution", "actions", "steps", "sequence", "answer", "plan", "directions",
    "route", "optimal", "tiles", "result", "output",
];

#[rustfmt::skip]
const LENGTH_WORDS: [&str; 13] = [
    "length", "cost", "moves", "steps", "actions", "distance", "len", "depth", "solution", "answer",
    "optimal", "slides", "g",
];

/// Words that may stand in the label of a length beside those for a length.
#[rustfmt::skip]
const LENGTH_QUALIFIERS: [&str; 42] = [
    "total", "number", "of", "num", "no", "count", "minimum", "minimal", "min", "shortest", "path",
    "final", "the", "in", "to", "goal", "needed", "required", "taken", "made", "found", "is", "was",
    "are", "puzzle", "search", "with", "a", "for", "from", "reach", "move", "step", "solve",
    "solved", "best", "at", "and", "result", "fewest", "by", "action",
];

/// What a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::judge::reading) struct Label {
    /// It can stand before a path.
    pub path: bool,
    /// It stands before a length and nothing else; smaller is surer.
    pub length: Option<u8>,
    /// It can stand before one step of many: `Step 3`.
    pub step: bool,
    /// What stands behind it is about something else, even if it looks like a path.
    pub other: bool,
    /// What stands behind it is somebody else's answer: `Expected: RD`.
    pub quoted: bool,
}

/// A label that is longer announces nothing.
const LONGEST_LABEL: usize = 200;

impl Label {
    pub(in crate::judge::reading) fn of(text: &str) -> Label {
        if text.len() > LONGEST_LABEL {
            return Label {
                path: false,
                length: None,
                step: false,
                other: true,
                quoted: false,
            };
        }
        let lower = text.to_ascii_lowercase();
        let known: Vec<&str> = words(&lower).map(english).collect();
        let has = |names: &[&str]| known.iter().any(|word| names.contains(word));
        // The depth of the goal's node is a length, other nodes are counted for other reasons.
        let solution_depth = has(&["depth"]) && has(&["solution", "goal", "path"]);
        let is_goal_node = |word: &str| solution_depth && word == "node";
        let choice = has(&CHOICES);
        let named = known.iter().all(|&word| {
            LENGTH_WORDS.contains(&word)
                || LENGTH_QUALIFIERS.contains(&word)
                || ALGORITHMS.contains(&word)
                || is_goal_node(word)
        });
        let digits = lower.contains(|c: char| c.is_ascii_digit());
        let sure = has(&[
            "length", "cost", "moves", "steps", "actions", "distance", "len", "slides",
        ]);
        let bound = lower.contains(['<', '>', '~', '≤', '≥']);
        let length = match named && !digits && !bound && has(&LENGTH_WORDS) {
            false => None,
            true if sure => Some(0),
            true if solution_depth => Some(1),
            true => Some(3),
        };
        Label {
            path: has(&PATH_WORDS) && !choice,
            other: choice
                || known
                    .iter()
                    .any(|word| ASIDE.contains(word) && !is_goal_node(word)),
            length,
            quoted: has(&[
                "expected",
                "correct",
                "reference",
                "known",
                "example",
                "usage",
            ]),
            step: has(&[
                "step", "move", "moves", "action", "after", "moved", "moving",
            ]),
        }
    }
}
