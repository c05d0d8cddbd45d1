//! Every word that the reader knows, in one place.
//!
//! Words are compared in small letters. The programs whose output is read are written by people of
//! many languages, so the words for moves and for "no solution" are here in the usual ones.

use crate::puzzle::Move;

/// What a column or key holds, by any of the names that people give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The board to be solved.
    Board,
    /// The goal.
    Goal,
    /// Rows x columns of the board.
    Shape,
    /// The length of the solution.
    Length,
    /// The path.
    Path,
    /// The path, or its length where a number alone stands there.
    Moves,
    /// The numbers of the tiles or the boards on the way, which may stand beside moves.
    Trace,
    /// Whether there is a solution.
    Solvable,
    // From the length on, all are claims.
}

impl Role {
    /// All of them, in their order.
    pub(super) const ALL: [Role; 8] = [
        Role::Board,
        Role::Goal,
        Role::Shape,
        Role::Length,
        Role::Path,
        Role::Moves,
        Role::Trace,
        Role::Solvable,
    ];
}

/// Roles by name: small letters and digits only. Of two columns in one role, the name that
/// stands first here counts.
#[rustfmt::skip]
const ROLE_NAMES: [(Role, &[&str]); Role::ALL.len()] = [
    (
        Role::Board,
        &[
            "board", "initial", "initialstate", "initialboard", "initialconfig",
            "initialconfiguration", "init", "initstate", "initboard", "start", "startstate",
            "startboard", "startingstate", "startingboard", "startconfig", "startconfiguration",
            "state", "puzzle", "input", "problem", "instance", "configuration",
        ],
    ),
    (
        Role::Goal,
        &["goal", "goalstate", "goalboard", "target", "targetstate", "finalstate"],
    ),
    (Role::Shape, &["shape", "dimensions"]),
    (
        Role::Length,
        &[
            "pathlength", "solutionlength", "costofpath", "pathcost", "solutioncost",
            "solutiondepth", "movecount", "movescount", "nummoves", "numberofmoves", "nmoves",
            "totalmoves", "length", "len", "cost", "distance", "stepcount", "numsteps",
            "numberofsteps", "totalsteps", "optimallength", "depth", "searchdepth",
        ],
    ),
    (
        Role::Path,
        &[
            "path", "pathtogoal", "solutionpath", "solutionmoves", "movelist", "movesequence",
            "actions", "actionlist", "plan", "directions", "sequence", "optimalpath", "solution",
            "answer", "result",
        ],
    ),
    (Role::Moves, &["moves", "steps"]),
    (Role::Trace, &["states", "boards", "tiles", "trace"]),
    (Role::Solvable, &["solvable", "issolvable", "solved", "success", "found"]),
];

/// A name that is longer has no role.
const LONGEST_NAME: usize = 24;

/// The role of a name, and its place among the names of that role.
pub(super) fn role(name: &str) -> Option<(Role, usize)> {
    let mut known = [0; LONGEST_NAME];
    let mut length = 0;
    for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
        *known.get_mut(length)? = byte.to_ascii_lowercase();
        length += 1;
    }
    let known = &known[..length];
    ROLE_NAMES.iter().find_map(|(role, names)| {
        let place = names.iter().position(|name| name.as_bytes() == known)?;
        Some((*role, place))
    })
}

/// The words for the moves.
#[rustfmt::skip]
const DIRECTIONS: [(&str, Move); 37] = [
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
];

/// The words of one language of which a wrong letter is recognised.
pub(super) const ENGLISH_DIRECTIONS: [&str; 8] = [
    "up", "down", "left", "right", "north", "south", "west", "east",
];

/// The move that a word names.
pub(super) fn direction(word: &str) -> Option<Move> {
    let ascii = |&&(name, _): &&(&str, Move)| word.eq_ignore_ascii_case(name);
    if word.is_ascii() {
        return DIRECTIONS.iter().find(ascii).map(|&(_, mv)| mv);
    }
    let lower = word.to_lowercase();
    let known = DIRECTIONS.iter().find(|(name, _)| *name == lower);
    known.map(|&(_, mv)| mv)
}

/// Words that stand beside moves without being one.
#[rustfmt::skip]
const FILLERS: [&str; 22] = [
    "action", "direction", "dir", "move", "moves", "step", "tile", "blank", "slide", "swap", "the",
    "to", "and", "then", "after", "is", "solution", "path", "found", "solved", "steps", "result",
];

/// Words for the two ends of a path, which are no step.
#[rustfmt::skip]
const ENDS: [&str; 8] = [
    "start", "goal", "none", "null", "initial", "end", "finish", "root",
];

pub(super) fn is_filler(word: &str) -> bool {
    is_one_of(word, &FILLERS)
}

pub(super) fn is_end(word: &str) -> bool {
    is_one_of(word, &ENDS)
}

/// Words that are often said where a path could stand.
#[rustfmt::skip]
const PROSE: [&str; 25] = [
    "found", "yes", "no", "true", "ok", "success", "exists", "below", "following", "see", "optimal",
    "complete", "done", "reached", "in", "as", "follows", "with", "of", "length", "moves", "steps",
    "nodes", "seconds", "shown",
];

pub(super) fn is_prose(word: &str) -> bool {
    is_one_of(word, &PROSE)
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The words of a text: runs of letters.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
}

/// Words before or after a number of moves.
const UNITS: [&str; 7] = [
    "move", "moves", "step", "steps", "action", "actions", "slides",
];

pub(super) fn is_unit(word: &str) -> bool {
    is_one_of(word, &UNITS)
}

/// Units of numbers that are no length: `0.02 s`, `17 nodes`, `2 tries`.
#[rustfmt::skip]
const OTHER_UNITS: [&str; 26] = [
    "s", "sec", "secs", "second", "seconds", "ms", "us", "ns", "millisecond", "milliseconds",
    "minutes", "node", "nodes", "state", "states", "expansions", "tries", "try", "iterations",
    "mb", "kb", "kib", "mib", "bytes", "boards", "times",
];

pub(super) fn is_other_unit(word: &str) -> bool {
    is_one_of(word, &OTHER_UNITS)
}

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

/// Names of algorithms: answers under different ones are different answers.
#[rustfmt::skip]
const ALGORITHMS: [&str; 26] = [
    "bfs", "dfs", "ucs", "astar", "gbfs", "greedy", "idastar", "iddfs", "ids", "dls", "rbfs",
    "ida", "dijkstra", "beam", "annealing", "genetic", "hillclimbing", "climbing", "bidirectional",
    "breadth", "uniform", "iterative", "smastar", "hill", "best", "a",
];

/// The algorithm that a text names first, as it is counted here: `A*` and `astar` are one.
pub(super) fn algorithm(text: &str) -> Option<&'static str> {
    if text.len() > 100 {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let bytes = lower.as_bytes();
    let mut found: Option<(usize, &'static str)> = None;
    let mut at = 0;
    for word in words(&lower) {
        let start = at + lower[at..].find(word)?;
        at = start + word.len();
        let starred = bytes.get(at) == Some(&b'*');
        let name = match word {
            "a" | "ida" | "sma" if !starred => continue,
            "a" => "astar",
            "ida" => "idastar",
            "best"
                if !lower[at..]
                    .trim_start_matches(['-', ' '])
                    .starts_with("first") =>
            {
                continue;
            }
            "hill"
                if !lower[at..]
                    .trim_start_matches(['-', ' '])
                    .starts_with("climb") =>
            {
                continue;
            }
            word => match ALGORITHMS.iter().find(|known| **known == word) {
                Some(name) => name,
                None => continue,
            },
        };
        found = found.or(Some((start, name)));
    }
    found.map(|(_, name)| name)
}

/// What a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// It can stand before a path.
    pub path: bool,
    /// It stands before a length and nothing else; smaller is surer.
    pub length: Option<u8>,
    /// It can stand before one step of many: `Step 3`.
    pub step: bool,
    /// What stands behind it is about something else, even if it looks like a path.
    pub other: bool,
}

/// A label that is longer announces nothing.
const LONGEST_LABEL: usize = 200;

impl Label {
    pub(super) fn of(text: &str) -> Label {
        if text.len() > LONGEST_LABEL {
            return Label {
                path: false,
                length: None,
                step: false,
                other: true,
            };
        }
        let lower = text.to_ascii_lowercase();
        let has = |names: &[&str]| words(&lower).any(|word| names.contains(&word));
        let choice = has(&CHOICES);
        let named = words(&lower).all(|word| {
            LENGTH_WORDS.contains(&word)
                || LENGTH_QUALIFIERS.contains(&word)
                || ALGORITHMS.contains(&word)
        });
        let digits = lower.contains(|c: char| c.is_ascii_digit());
        let sure = has(&[
            "length", "cost", "moves", "steps", "actions", "distance", "len", "slides",
        ]);
        let solution_depth = has(&["depth"]) && has(&["solution", "goal", "path"]);
        let bound = lower.contains(['<', '>', '~', '≤', '≥']);
        let length = match named && !digits && !bound && has(&LENGTH_WORDS) {
            false => None,
            true if sure => Some(0),
            true if solution_depth => Some(1),
            true => Some(3),
        };
        Label {
            path: has(&PATH_WORDS) && !choice,
            other: choice || has(&ASIDE),
            length,
            step: has(&[
                "step", "move", "moves", "action", "after", "moved", "moving",
            ]),
        }
    }
}

/// Does a field say that there is no solution?
pub(super) fn is_none(text: &[u8]) -> bool {
    #[rustfmt::skip]
    const NONE: [&str; 28] = [
        "none", "null", "nil", "undefined", "-1", "inf", "+inf", "infinity", "nan", "n/a", "na",
        "unsolvable", "insolvable", "unsolveable", "not solvable", "no solution",
        "no solution found", "no solution exists", "nosolution", "no_solution", "no path",
        "no path found", "impossible", "infeasible", "unreachable", "failure", "fail", "false",
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

/// A sentence that is longer says nothing of this.
const LONGEST_SENTENCE: usize = 300;

/// Does a sentence say that there is no solution?
pub(super) fn says_none(line: &str) -> bool {
    #[rustfmt::skip]
    const PHRASES: [&str; 62] = [
        "unsolvable", "insolvable", "unsolveable", "not solvable", "isn't solvable",
        "isnt solvable", "no solution", "not be solved", "cannot be solved", "can't be solved",
        "cant be solved", "can not be solved", "not possible to solve", "impossible to solve",
        "impossible to reach", "impossible puzzle", "impossible board", "puzzle is impossible",
        "board is impossible", "no path found", "no path exists", "no path to", "path not found",
        "goal not found", "goal state not found", "goal not reached", "search failed",
        "search has failed", "failed to find a solution", "failed to solve",
        "could not find a solution", "couldn't find a solution", "unable to find a solution",
        "unable to solve", "solution not found", "solution does not exist",
        "solution doesn't exist", "not have a solution", "doesn't have a solution",
        "has no answer", "is unreachable", "goal unreachable", "not reachable", "infeasible",
        "sin solución", "sin solucion", "no tiene solución", "no tiene solucion",
        "no hay solución", "no hay solucion", "pas de solution", "aucune solution", "insoluble",
        "keine lösung", "unlösbar", "nicht lösbar", "sem solução", "não tem solução",
        "não há solução", "nessuna soluzione", "нет решения", "无解",
    ];
    // What fails at a limit may go on, and a question or an advice says nothing of this board.
    #[rustfmt::skip]
    const ELSEWHERE: [&str; 26] = [
        "depth", "limit", "threshold", "bound", "cutoff", "cut-off", "iteration", "timeout",
        "timed out", "time out", "out of time", "out of memory", "within", "yet", "usage",
        "heuristic", "warning", "no path given", " if ", "whether", "?", "might be", "may be",
        "so far", "too long", "cost",
    ];
    if line.len() > LONGEST_SENTENCE {
        return false;
    }
    let line = line.to_lowercase().replace('_', " ");
    if line.starts_with("if ") || ELSEWHERE.iter().any(|word| line.contains(word)) {
        return false;
    }
    let has = |names: &[&str]| words(&line).any(|word| names.contains(&word));
    let denied = has(&["false"]) || line.contains("not unsolvable");
    if denied && line.contains("unsolvable") {
        return false;
    }
    let is_false = has(&["false", "no"]) && words(&line).count() <= 4;
    let failed = is_false && (has(&["solvable", "solved", "success", "found"]));
    failed || PHRASES.iter().any(|phrase| line.contains(phrase)) || line.trim() == "impossible"
}

/// Words of sentences that tell the length of a solution.
#[rustfmt::skip]
const LENGTH_SENTENCE: [&str; 86] = [
    "solved", "solution", "found", "find", "in", "of", "with", "a", "an", "the", "path", "has",
    "is", "was", "took", "takes", "needs", "needed", "requires", "required", "done", "finished",
    "complete", "completed", "reached", "goal", "optimal", "shortest", "length", "cost", "depth",
    "distance", "moves", "move", "steps", "step", "actions", "action", "total", "after", "puzzle",
    "this", "it", "at", "number", "minimum", "minimal", "min", "only", "just", "exactly",
    "success", "successfully", "using", "by", "to", "for", "and", "search", "state", "board",
    "target", "final", "that", "can", "be", "yay", "hooray", "congratulations", "you", "won",
    "result", "answer", "best", "we", "i", "fewest", "are", "there", "s", "ve", "from", "start",
    "initial", "slides", "first",
];

/// The number of moves that a sentence tells beyond doubt: `solved in 26 moves`, `a path of length
/// 26`, `Found a solution at 2 in 2 tries`.
///
/// Every word must be one of those with which such sentences are made, so `gave up after 19 moves`,
/// `could not solve in 19 moves` and `lower bound: 19` tell none.
pub(super) fn length_told(line: &str) -> Option<u64> {
    if line.len() > LONGEST_SENTENCE {
        return None;
    }
    let number = |at: usize| line[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let in_number = |at: usize| line[at..].starts_with(['.', ',']) && number(at);
    let ends = line
        .match_indices([',', ';', '.', '!', '(', ')'])
        .map(|(at, _)| at);
    let mut from = 0;
    for end in ends.filter(|&at| !in_number(at)).chain([line.len()]) {
        if let Some(length) = length_in_clause(&line[from..end]) {
            return Some(length);
        }
        from = end + usize::from(end < line.len());
    }
    None
}

fn length_in_clause(clause: &str) -> Option<u64> {
    if clause.contains([
        '<', '>', '%', '~', '/', '\\', '@', '[', '{', '"', '≤', '≥', '±',
    ]) {
        return None;
    }
    let tokens: Vec<&str> = clause
        .split([' ', '\t', ':', '=', '*', '|', '_', '#'])
        .filter(|token| !token.is_empty() && *token != "-" && *token != "--")
        .collect();
    let is = |at: Option<usize>, names: &[&str]| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|token| is_one_of(token, names))
    };
    let (mut told, mut numbers, mut at) = (None, 0, 0);
    while at < tokens.len() {
        let token = tokens[at];
        if !token.starts_with(|c: char| c.is_ascii_digit()) {
            let known =
                |word: &str| is_one_of(word, &LENGTH_SENTENCE) || is_one_of(word, &ALGORITHMS);
            if !token.split(['-', '\'']).all(known) {
                return None;
            }
            at += 1;
            continue;
        }
        if tokens.get(at + 1).is_some_and(|unit| is_other_unit(unit)) {
            at += 2;
            continue;
        }
        numbers += 1;
        let before = at.checked_sub(1);
        let linked = is(
            before,
            &["of", "is", "was", "are", "at", "only", "just", "exactly"],
        );
        let before = if linked { at.checked_sub(2) } else { before };
        let behind = is(Some(at + 1), &UNITS);
        let named = is(
            before,
            &[
                "length", "cost", "depth", "distance", "moves", "steps", "solution",
            ],
        );
        if behind || named {
            told = token.parse().ok();
        }
        at += 1;
    }
    told.filter(|_| numbers == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_only_beyond_doubt() {
        for (line, length) in [
            ("solved in 26 moves", 26),
            ("solved in 19 moves, 4711 nodes", 19),
            ("Optimal solution of length 19 found", 19),
            ("Found a solution at 2 in 2 tries", 2),
            ("Solved in 0.002 seconds with 2 moves", 2),
            ("BFS found a path of 2 moves", 2),
            ("Goal reached! Total moves: 19", 19),
            ("The solution has 19 steps.", 19),
            ("took 19 moves", 19),
        ] {
            assert_eq!(length_told(line), Some(length), "{line}");
        }
        for line in [
            "could not solve in 19 moves",
            "gave up after 19 moves",
            "lower bound: 19",
            "heuristic 19",
            "after 19 expansions",
            "Correct: 19",
            "at least 19 moves",
            "more than 19 moves",
            "less than 19 moves",
            "not solved in 19 moves",
            "solved in <19 moves",
            "solved in 19,000 moves",
            "19 nodes",
            "move 19 of 25 steps",
        ] {
            assert_eq!(length_told(line), None, "{line}");
        }
    }

    #[test]
    fn the_words_for_no_solution_are_known_in_their_usual_wrappings() {
        for line in [
            "Error: Unsolvable",
            "ValueError: The puzzle has no solution",
            "Exception in thread \"main\" java.lang.IllegalStateException: not solvable",
            "Search failed",
            "Goal not found",
            "panic: no solution",
            "\"success\": false",
            "solvable = False",
            "Solvable: no",
            "El tablero no tiene solución",
            "Keine Lösung gefunden",
            "This board cannot be solved",
            "No solution possible",
        ] {
            assert!(says_none(line), "{line}");
        }
        for line in [
            "No solution at depth 1",
            "no solution with threshold 1",
            "FileNotFoundError: no path given",
            "Usage: solve BOARD; it is impossible to run without arguments",
            "It is impossible to do better: RD",
            "unsolvable: False",
            "Checking whether it is unsolvable",
            "Is it solvable? yes",
            "Impossible heuristics were pruned",
            "could not be solved within 10 s",
        ] {
            assert!(!says_none(line), "{line}");
        }
    }

    #[test]
    fn algorithms_are_told_apart() {
        for (text, name) in [
            ("BFS", Some("bfs")),
            ("A* search", Some("astar")),
            ("IDA*:", Some("idastar")),
            ("Greedy best-first", Some("greedy")),
            ("a path of 2 moves", None),
            ("the best path", None),
        ] {
            assert_eq!(algorithm(text), name, "{text}");
        }
    }
}
