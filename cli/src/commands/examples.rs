//! Example command lines of commands, for their help and their manual pages.

/// All examples, those of a command in the order in which they are shown.
const ALL: &str = r#"puzzledb build
puzzledb build --shape 3x4
puzzledb build --shape 4x4 --patterns 7-8
puzzledb build --shape 3x5 --plan
puzzledb solve 704851632
puzzledb solve --shape 2x5 0937154826 --moves tile
puzzledb solve --boards boards.txt --json
puzzledb solve --time 10s "5 1 2 3 4 0 7 8 9 10 6 12 13 14 15 11 17 18 19 20 16 21 22 23 24"
puzzledb probe 704851632
puzzledb probe --boards boards.txt --json
puzzledb probe --boards boards.txt --heuristic all --format csv
puzzledb apply 123405786 RD
puzzledb apply 123405786 RD --convert numbers
puzzledb verify answers.csv
./solver 704851632 | puzzledb verify --board 704851632
puzzledb verify answers.csv --fix --format json
puzzledb grade -- ./solver {board}
puzzledb grade --format html -o out.html -- python3 solver.py {board:spaced}
puzzledb grade --stdin '2\n{rows}\n3\n' -- python3 asks_for_board_and_method.py
puzzledb grade --cpu 2s --each 'python3 {submission} {board}' submissions
puzzledb grade --per-distance 1 --time 2s --format junit -- java Solver {board:file:rows}
puzzledb search 704851632
puzzledb search 704851632 --algorithm ida* --heuristic linear-conflict
puzzledb search 123405786 --algorithm best-first-depth --trace=text
puzzledb search --boards boards.txt --algorithm bfs,astar --heuristic manhattan,linear-conflict
puzzledb search 704851632 --algorithm annealing --set temperature=4
puzzledb search --list
puzzledb stats
puzzledb stats --count --shape 3x4
puzzledb check
puzzledb check --quick --shape 3x4
puzzledb effort 536407182 --algorithm astar --expanded 700
puzzledb generate --distance 31
puzzledb generate --count 10 --seed 7 --shape 4x4
puzzledb generate --walk 80 --shape 5x5 --count 10 --seed 1
puzzledb export --distance 30..31
puzzledb export --sample 1000 --columns board,manhattan --format jsonl
puzzledb export --columns board,state,distance --format npz -o 3x3.npz
puzzledb serve --open
puzzledb serve --shapes 3x3,4x4 --listen 0.0.0.0:8080
puzzledb serve --write public
puzzledb serve --write puzzle.html --single
puzzledb play
puzzledb play 704851632
puzzledb play --shape 4x4
"#;

/// The examples of a command.
pub(super) fn of(command: &str) -> Vec<&'static str> {
    let names = |line: &&str| {
        let (_, after) = line.split_once("puzzledb ").unwrap_or_default();
        after.split(' ').next() == Some(command)
    };
    ALL.lines().filter(names).collect()
}

/// The examples as lines of a help.
pub(super) fn help(command: &str) -> Option<String> {
    let examples = of(command);
    (!examples.is_empty()).then(|| format!("Examples:\n  {}", examples.join("\n  ")))
}
