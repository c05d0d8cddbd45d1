//! Sentences that tell a length or that there is no solution.

use std::sync::LazyLock;

use super::algorithms::ALGORITHMS;
use super::by_letter::ByLetter;
use super::foreign::english;
use super::words::{UNITS, is_one_of, is_other_unit, words};

/// Does a field say that there is no solution?
pub(in crate::judge::reading) fn is_none(text: &[u8]) -> bool {
    #[rustfmt::skip]
    const NONE: [&str; 30] = [
        "none", "null", "nil", "undefined", "-1", "inf", "+inf", "infinity", "nan", "n/a", "na",
        "unsolvable", "insolvable", "unsolveable", "not solvable", "no solution",
        "no solution found", "no solution exists", "nosolution", "no_solution", "no path",
        "no path found", "impossible", "infeasible", "unreachable", "failure", "fail", "false",
        "0 solutions", "no solutions",
    ];
    let text = text.trim_ascii();
    let text = text
        .strip_suffix(b".")
        .or(text.strip_suffix(b"!"))
        .unwrap_or(text);
    let quotes = |&b: &u8| b == b'"' || b == b'\'';
    let from = text.iter().take_while(|b| quotes(b)).count();
    let to = text.len() - text[from..].iter().rev().take_while(|b| quotes(b)).count();
    let text = &text[from..to];
    let is_known = |none: &&str| text.eq_ignore_ascii_case(none.as_bytes());
    text == b"Nothing" || NONE.iter().any(is_known) // `Nothing` of Haskell
}

/// A sentence that is longer says nothing of this.
const LONGEST_SENTENCE: usize = 300;

/// Does a sentence say that there is no solution?
pub(in crate::judge::reading) fn says_none(line: &str) -> bool {
    #[rustfmt::skip]
    static PHRASES: LazyLock<ByLetter<&str>> = LazyLock::new(|| ByLetter::new(&[
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
        "não há solução", "nessuna soluzione", "нет решения", "无解", "未找到解", "no answer",
        "no se encontró", "no se encontro", "no se ha encontrado", "não foi encontrad",
        "pas résoluble", "pas soluble", "non solubile", "cannot solve the", "cannot solve this",
    ], |phrase| *phrase));
    // What fails at a limit may go on, and a question or an advice says nothing of this board.
    #[rustfmt::skip]
    static ELSEWHERE: LazyLock<ByLetter<&str>> = LazyLock::new(|| ByLetter::new(&[
        "depth", "limit", "threshold", "bound", "cutoff", "cut-off", "iteration", "timeout",
        "timed out", "time out", "out of time", "out of memory", "within", "yet", "usage",
        "heuristic", "warning", "no path given", " if ", "whether", "?", "might be", "may be",
        "so far", "too long", "cost",
    ], |phrase| *phrase));
    if line.len() > LONGEST_SENTENCE {
        return false;
    }
    let line = line.to_lowercase().replace('_', " ");
    if line.starts_with("if ") || ELSEWHERE.any_in(&line) {
        return false;
    }
    let has = |names: &[&str]| words(&line).any(|word| names.contains(&word));
    let denied = has(&["false"]) || line.contains("not unsolvable");
    if denied && line.contains("unsolvable") {
        return false;
    }
    let is_false = has(&["false", "no"]) && words(&line).count() <= 4;
    let failed = is_false && (has(&["solvable", "solved", "success", "found"]));
    failed || PHRASES.any_in(&line) || line.ends_with("cannot solve")
}

/// Does a line say that nothing is left to do?
pub(in crate::judge::reading) fn says_solved(line: &str) -> bool {
    #[rustfmt::skip]
    const SOLVED: [&str; 18] = [
        "solved", "already", "goal", "reached", "success", "found", "state", "the", "puzzle", "is",
        "board", "in", "initial", "solution", "at", "it", "true", "yes",
    ];
    line.len() <= LONGEST_SENTENCE
        && words(line).all(|word| is_one_of(word, &SOLVED))
        && words(line).any(|word| is_one_of(word, &["solved", "reached", "already", "true", "yes"]))
}

/// Words of sentences that tell the length of a solution.
#[rustfmt::skip]
const LENGTH_SENTENCE: [&str; 87] = [
    "solved", "solution", "found", "find", "in", "of", "with", "a", "an", "the", "path", "has",
    "is", "was", "took", "takes", "needs", "needed", "requires", "required", "done", "finished",
    "complete", "completed", "reached", "goal", "optimal", "shortest", "length", "cost", "depth",
    "distance", "moves", "move", "steps", "step", "actions", "action", "total", "after", "puzzle",
    "this", "it", "at", "number", "minimum", "minimal", "min", "only", "just", "exactly",
    "success", "successfully", "using", "by", "to", "for", "and", "search", "state", "board",
    "target", "final", "that", "can", "be", "yay", "hooray", "congratulations", "you", "won",
    "result", "answer", "best", "we", "i", "fewest", "are", "there", "s", "ve", "from", "start",
    "initial", "slides", "first", "solve",
];

/// The number of moves that a sentence tells beyond doubt: `solved in 26 moves`, `a path of length
/// 26`, `Found a solution at 2 in 2 tries`.
///
/// Every word must be one of those with which such sentences are made, so `gave up after 19 moves`,
/// `could not solve in 19 moves` and `lower bound: 19` tell none.
pub(in crate::judge::reading) fn length_told(line: &str) -> Option<u64> {
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

/// Words of which one says that a search has come to its end.
const SUCCESS: [&str; 12] = [
    "solved",
    "solution",
    "found",
    "reached",
    "success",
    "successful",
    "successfully",
    "complete",
    "completed",
    "optimal",
    "goal",
    "final",
];

fn has_success(tokens: &[&str]) -> bool {
    tokens
        .iter()
        .any(|token| is_one_of(english(token), &SUCCESS))
}

/// Does a line say that a search has come to its end with success?
pub(in crate::judge::reading) fn says_success(line: &str) -> bool {
    #[rustfmt::skip]
    const NOT: [&str; 9] = ["not", "no", "never", "without", "failed", "if", "aborted", "cannot", "t"];
    line.len() <= LONGEST_SENTENCE
        && words(line)
            .any(|word| word != "goal" && word != "Goal" && is_one_of(english(word), &SUCCESS))
        && !words(line).any(|word| is_one_of(word, &NOT))
}

/// Does a line speak of an error, or of giving up?
pub(in crate::judge::reading) fn says_failure(line: &str) -> bool {
    #[rustfmt::skip]
    const FAILURE: [&str; 13] = [
        "error", "aborted", "killed", "failed", "timeout", "timed", "gave", "exception",
        "traceback", "interrupted", "exceeded", "cancelled", "stopped",
    ];
    line.len() <= LONGEST_SENTENCE && words(line).any(|word| is_one_of(word, &FAILURE))
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
            .is_some_and(|token| is_one_of(english(token), names))
    };
    let (mut told, mut number, mut at) = (None, None, 0);
    while at < tokens.len() {
        let token = tokens[at];
        if !token.starts_with(|c: char| c.is_ascii_digit()) {
            let known =
                |word: &str| is_one_of(word, &LENGTH_SENTENCE) || is_one_of(word, &ALGORITHMS);
            if !token.split(['-', '\'']).all(|word| known(english(word))) {
                return None;
            }
            at += 1;
            continue;
        }
        if tokens.get(at + 1).is_some_and(|unit| is_other_unit(unit)) {
            at += 2;
            continue;
        }
        if number.replace(token).is_some_and(|other| other != token) {
            return None;
        }
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
        // A depth alone is printed on the way, too.
        let depth = is(before, &["depth"]) && !has_success(&tokens);
        if behind || named && !depth {
            told = token.parse().ok();
        }
        at += 1;
    }
    told
}
