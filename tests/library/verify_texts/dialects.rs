//! Ways in which solvers print their answers.

/// Kinds of steps of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Words,
    Capitals,
    Letters,
    Tiles,
    Boards,
}

/// Printer of an answer: the board, the steps and the length that it claims.
pub type Print = fn(&str, &[String], usize) -> String;

fn numbered(steps: &[String], line: impl Fn(usize, &str) -> String) -> String {
    let lines = steps.iter().enumerate().map(|(i, step)| line(i + 1, step));
    lines.collect::<Vec<_>>().join("\n")
}

fn quoted(steps: &[String], quote: char) -> String {
    let quote = |step: &String| format!("{quote}{step}{quote}");
    steps.iter().map(quote).collect::<Vec<_>>().join(", ")
}

/// Board as it is drawn: three cells a row, or fewer in the last.
fn drawn(board: &str) -> String {
    let cells: Vec<String> = board.chars().map(String::from).collect();
    let rows = cells.chunks(3).map(|row| row.join(" "));
    rows.collect::<Vec<_>>().join("\n")
}

pub const DIALECTS: [(&str, Kind, Print); 38] = [
    ("letters", Kind::Letters, |_, s, n| {
        format!("Solution: {} ({n} moves)", s.concat())
    }),
    ("letters apart", Kind::Letters, |_, s, n| {
        format!("Solution: {}\nLength: {n}", s.join(" "))
    }),
    ("letters, commas", Kind::Letters, |_, s, n| {
        format!("Solution: {} ({n} moves)", s.join(", "))
    }),
    ("count first", Kind::Letters, |_, s, n| {
        format!("Moves: {n} ({})", s.join(", "))
    }),
    ("count last", Kind::Letters, |_, s, n| {
        format!("{} ({n} moves)", s.concat())
    }),
    ("bare", Kind::Letters, |_, s, n| {
        format!("{}\n{n} moves", s.concat())
    }),
    ("bare number", Kind::Letters, |_, s, n| {
        format!("{}\n{}", n, s.join(" "))
    }),
    ("pairs", Kind::Letters, |_, s, n| {
        format!("path: {}, cost: {n}", s.concat())
    }),
    ("equals", Kind::Letters, |_, s, n| {
        format!("path={} length={n}", s.concat())
    }),
    ("in moves", Kind::Letters, |_, s, n| {
        format!("Solved! Path: {} in {n} moves", s.join(" "))
    }),
    ("sentence", Kind::Letters, |_, s, n| {
        format!("Cost: {n}\nThe solution is {}.", s.concat())
    }),
    ("name", Kind::Letters, |_, s, n| {
        format!("Length: {n}\nPath: {}", s.join("->"))
    }),
    ("own form", Kind::Letters, |b, s, n| {
        format!("{b}\t{n}\t{}", s.concat())
    }),
    ("table", Kind::Letters, |b, s, n| {
        format!("board,path_length,path\n{b},{n},{}", s.concat())
    }),
    ("arrows", Kind::Words, |_, s, n| {
        format!("Path: start -> {} -> goal\nLength: {n}", s.join(" -> "))
    }),
    ("columbia", Kind::Words, |_, s, n| {
        format!(
            "path_to_goal: [{}]\ncost_of_path: {n}\nnodes_expanded: 12\nsearch_depth: {n}\nmax_search_depth: 40\nrunning_time: 0.0012\n",
            quoted(s, '\'')
        )
    }),
    ("root action", Kind::Words, |_, s, n| {
        format!("Path: [None, {}]\nCost: {n}", quoted(s, '\''))
    }),
    ("berkeley", Kind::Words, |_, s, n| {
        format!("BFS found a path of {n} moves: [{}]", quoted(s, '\''))
    }),
    ("list", Kind::Words, |_, s, n| {
        format!("Solved in {n} moves\n[{}]", quoted(s, '"'))
    }),
    ("then", Kind::Words, |_, s, n| {
        format!("Moves: {}\nNumber of moves: {n}", s.join(" then "))
    }),
    ("dict", Kind::Words, |_, s, n| {
        format!("{{'path': [{}], 'cost': {n}}}", quoted(s, '\''))
    }),
    ("dict behind a word", Kind::Words, |_, s, n| {
        format!(
            "Result: {{'cost': {n}, 'path': [{}], 'found': True}}",
            quoted(s, '\'')
        )
    }),
    ("nested", Kind::Words, |_, s, n| {
        format!(
            "{{\"result\": {{\"path\": [{}], \"cost\": {n}}}}}",
            quoted(s, '"')
        )
    }),
    ("pretty", Kind::Words, |_, s, n| {
        let steps = numbered(s, |_, step| format!("    \"{step}\","));
        format!(
            "{{\n  \"path\": [\n    \"start\",\n{}\n  ],\n  \"length\": {n}\n}}",
            steps.trim_end_matches(',')
        )
    }),
    ("lines", Kind::Words, |_, s, n| {
        format!("Path:\n{}\nLength: {n}", s.join("\n"))
    }),
    ("1.", Kind::Words, |_, s, n| {
        format!("{}\n{n} moves", numbered(s, |i, s| format!("{i}. {s}")))
    }),
    ("1)", Kind::Words, |_, s, n| {
        format!("Cost: {n}\n{}", numbered(s, |i, s| format!("{i}) {s}")))
    }),
    ("1:", Kind::Words, |_, s, n| {
        format!("Cost: {n}\n{}", numbered(s, |i, s| format!("{i}: {s}")))
    }),
    ("[1]", Kind::Words, |_, s, n| {
        format!("Cost: {n}\n{}", numbered(s, |i, s| format!("[{i}] {s}")))
    }),
    ("0", Kind::Words, |_, s, n| {
        format!(
            "Cost: {n}\n{}",
            numbered(s, |i, s| format!("{} {s}", i - 1))
        )
    }),
    ("after", Kind::Words, |_, s, n| {
        format!("Cost: {n}\n{}", numbered(s, |i, s| format!("{s} {i}")))
    }),
    ("step 1:", Kind::Capitals, |_, s, n| {
        format!(
            "{}\nSolved in {n} moves",
            numbered(s, |i, s| format!("Step {i}: {s}"))
        )
    }),
    ("step 1 -", Kind::Words, |_, s, n| {
        format!(
            "{}\nSolved in {n} moves",
            numbered(s, |i, s| format!("Step {i} - {s}"))
        )
    }),
    ("deepening", Kind::Words, |_, s, n| {
        format!(
            "Depth limit 1: no solution\nDepth limit {n}: solution {}\nCost: {n}",
            s.join(" ")
        )
    }),
    ("tiles", Kind::Tiles, |_, s, n| {
        format!("Path: [{}]\nCost: {n}", s.join(", "))
    }),
    ("tiles behind their count", Kind::Tiles, |_, s, n| {
        format!("Solution ({n} moves): {}", s.join(" "))
    }),
    ("drawn", Kind::Boards, |b, s, n| {
        let boards = s.iter().map(|board| drawn(board)).collect::<Vec<_>>();
        format!(
            "Start:\n{}\n\n{}\n\n{n} moves",
            drawn(b),
            boards.join("\n\n")
        )
    }),
    ("princeton", Kind::Boards, |b, s, n| {
        let boards = std::iter::once(b).chain(s.iter().map(String::as_str));
        let boards: Vec<String> = boards
            .map(|board| format!("3\n{}\n", drawn(board)))
            .collect();
        format!("Minimum number of moves = {n}\n{}", boards.join("\n"))
    }),
];
