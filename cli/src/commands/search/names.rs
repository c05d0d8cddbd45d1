//! Names of algorithms and heuristics on the command line.

use puzzledb::UnknownName;
use puzzledb::search::{Algorithm, HeuristicName, HeuristicNameError};

/// Names of an option, separated by commas, or all.
#[derive(Clone, Debug)]
pub(in super::super) struct Names<T>(pub Vec<T>);

/// Reads names of algorithms.
pub(super) fn algorithms(text: &str) -> Result<Names<Algorithm>, UnknownName> {
    let names = match text.trim() {
        "all" => Algorithm::all().collect(),
        names => names.split(',').map(str::parse).collect::<Result<_, _>>()?,
    };
    Ok(Names(names))
}

/// Reads names of heuristics. A part without a letter goes on with the patterns before it, as in
/// `patterns:1-8,9-15`.
pub(in super::super) fn heuristics(text: &str) -> Result<Names<HeuristicName>, HeuristicNameError> {
    if text.trim() == "all" {
        return Ok(Names(HeuristicName::all().collect()));
    }
    let mut names: Vec<String> = Vec::new();
    for part in text.split(',') {
        match names.last_mut() {
            Some(patterns) if part.starts_with(|c: char| c.is_ascii_digit()) => {
                *patterns += &format!(",{part}");
            }
            _ => names.push(part.to_owned()),
        }
    }
    let names: Result<_, _> = names.iter().map(|name| name.parse()).collect();
    Ok(Names(names?))
}

/// The names of algorithms and heuristics, for the help.
pub(in super::super) fn names() -> String {
    let algorithms: Vec<&str> = Algorithm::all().map(Algorithm::name).collect();
    let algorithms = algorithms.join(", ");
    format!(
        "Algorithms: {algorithms} (dijkstra is ucs).\n\n{}",
        heuristic_names()
    )
}

/// The names of heuristics, for the help.
pub(in super::super) fn heuristic_names() -> String {
    let heuristics: Vec<String> = HeuristicName::all().map(|name| name.to_string()).collect();
    format!(
        "Heuristics: {}, pattern:TILES as in pattern:1234, a pattern database of these tiles, and \
         patterns:TILES as in patterns:7-8 or patterns:1-8,9-15, the sum of additive ones, from the file of \
         `build --patterns` or made in memory. `puzzledb search --list` says what each is.",
        heuristics.join(", ")
    )
}

/// Each algorithm and each heuristic with a line about it.
pub(super) fn list() -> String {
    let line = |name: &str, about: &str| {
        if name.len() > WIDTH {
            format!("  {name}\n  {:WIDTH$}  {about}\n", "")
        } else {
            format!("  {name:<WIDTH$}  {about}\n")
        }
    };
    let algorithms: String = Algorithm::all()
        .map(|algorithm| line(algorithm.name(), algorithm.about()))
        .collect();
    let patterns = ["pattern:1234", "patterns:7-8"].map(|name| name.parse().expect("a name"));
    let heuristics: String = HeuristicName::all()
        .chain(patterns)
        .map(|name| line(&name.to_string(), name.about()))
        .collect();
    format!("Algorithms\n{algorithms}\nHeuristics\n{heuristics}")
}

/// Width of the names.
const WIDTH: usize = 18;
