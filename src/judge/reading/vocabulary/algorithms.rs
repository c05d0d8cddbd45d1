//! The names of algorithms.

use super::words::words;

/// Names of algorithms: answers under different ones are different answers.
#[rustfmt::skip]
pub(super) const ALGORITHMS: [&str; 26] = [
    "bfs", "dfs", "ucs", "astar", "gbfs", "greedy", "idastar", "iddfs", "ids", "dls", "rbfs",
    "ida", "dijkstra", "beam", "annealing", "genetic", "hillclimbing", "climbing", "bidirectional",
    "breadth", "uniform", "iterative", "smastar", "hill", "best", "a",
];

/// The algorithm that a text names first, as it is counted here: `A*` and `astar` are one.
pub(in crate::judge::reading) fn algorithm(text: &str) -> Option<&'static str> {
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
