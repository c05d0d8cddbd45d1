//! `search`, `compare` and the options that they share with `effort`.

use std::collections::HashMap;

use crate::run::{built, run, run_with_input};
use puzzledb::puzzle::{Board, Move};
use serde_json::Value;

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn search_prints_each_figure_on_a_line() {
    let dir = built();
    let ran = run(dir.path(), &["search", "704851632", "--format", "text"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let figures: HashMap<&str, &str> = ran
        .out
        .lines()
        .map(|line| line.split_once("  ").unwrap())
        .map(|(name, figure)| (name, figure.trim()))
        .collect();
    for (figure, value) in [
        ("solved", "yes"),
        ("length", "19"),
        ("distance", "19"),
        ("gap", "0"),
        ("expansions", "19"),
        ("moves", "RDDLLUURRDDLLUURRDD"),
    ] {
        assert_eq!(figures[figure], value);
    }
}

#[test]
fn a_greedy_solution_has_its_gap_and_a_failure_its_reason() {
    let dir = built();
    let greedy = json(
        &run(
            dir.path(),
            &["search", "536407182", "-a", "greedy", "--json"],
        )
        .out,
    );
    assert_eq!(greedy["distance"], 22);
    let length = greedy["length"].as_u64().unwrap();
    assert_eq!(greedy["gap"], length - 22);
    assert_eq!(greedy["moves"].as_str().unwrap().len() as u64, length);

    let args = [
        "search",
        "536407182",
        "-a",
        "dijkstra",
        "--limit-expansions",
        "100",
        "--json",
    ];
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(1));
    let stopped = json(&ran.out);
    assert_eq!(stopped["solved"], false);
    assert_eq!(stopped["failure"], "expansions");
    assert_eq!(stopped["expansions"], 100);
    assert_eq!(stopped["moves"], Value::Null);
}

#[test]
fn a_search_without_a_table_knows_the_optimum_where_it_proves_it_or_it_is_soon_known() {
    let dir = built();
    let board = "5 1 2 4 9 6 3 8 13 10 7 11 0 14 15 12"; // 9 moves
    for (algorithm, heuristic) in [
        ("astar", "manhattan"),
        ("idastar", "walking-distance"),
        ("rbfs", "linear-conflict"),
        ("bidirectional", "zero"),
        ("greedy", "manhattan"),
        ("astar", "manhattan-plus-misplaced"),
    ] {
        let args = ["search", board, "-a", algorithm, "--heuristic", heuristic];
        let ran = run(dir.path(), &[&args[..], &["--json"]].concat());
        let record = json(&ran.out);
        assert_eq!(record["distance"], 9, "{algorithm} {heuristic}: {ran:?}");
        let length = record["length"].as_u64().unwrap();
        assert_eq!(record["gap"], length - 9, "{algorithm} {heuristic}");
    }
    let one_move = format!(
        "{} 0 24",
        (1..=23).map(|tile| format!("{tile} ")).collect::<String>()
    );
    for (algorithm, optimal) in [("astar", "1"), ("greedy", "null")] {
        let ran = run(
            dir.path(),
            &["search", &one_move, "--json", "-a", algorithm],
        );
        let line = format!("\"distance\":{optimal},");
        assert!(ran.out.contains(&line), "{}", ran.out);
    }
}

#[test]
fn a_trace_is_the_search_expansion_by_expansion() {
    let dir = built();
    let ran = run(
        dir.path(),
        &["search", "208135467", "--trace", "--order", "URDL"],
    );
    let mut lines: Vec<Value> = ran.out.lines().map(json).collect();
    let figures = lines.pop().unwrap();
    assert_eq!(figures["expansions"], lines.len());
    assert_eq!(figures["algorithm"], "astar");
    assert_eq!(lines[0]["board"], "208135467");
    assert_eq!(lines[0]["parent"], Value::Null);
    let board = |value: &Value| value.as_str().unwrap().parse::<Board>().unwrap();
    for line in &lines[1..] {
        let (parent, child) = (board(&line["parent"]), board(&line["board"]));
        assert!(Move::ALL.iter().any(|&mv| parent.slide(mv) == Some(child)));
        let number = |key: &str| line[key].as_f64().unwrap();
        assert_eq!(number("f"), number("g") + number("h"));
        assert!(number("queue") >= 1.0);
    }
}

#[test]
fn a_text_trace_shows_every_expansion_with_its_children_and_lists() {
    let dir = built();
    let search = |options: &[&str]| {
        let ran = run(dir.path(), &[&["search", "208135467"], options].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{options:?}");
        ran.out
    };
    let text = search(&["-a", "best-first-depth", "--order", "URDL", "--trace=text"]);
    assert!(
        text.starts_with(
            "try 1: score 9\n  2 . 8\n  1 3 5\n  4 6 7\n  child R 280135467: score 10\n  \
             child D 238105467: score 10\n  child L 028135467: score 9\n  queue 1, closed 1\n\n"
        ),
        "{text}"
    );
    for algorithm in [
        "ucs",
        "greedy",
        "best-first-depth",
        "astar",
        "weighted-astar",
    ] {
        let text = search(&["-a", algorithm, "--trace=text"]);
        let json = search(&["-a", algorithm, "--trace=json"]);
        assert_eq!(
            json.lines().count(),
            search(&["-a", algorithm, "--trace"]).lines().count()
        );
        let mut steps: Vec<Value> = json.lines().map(self::json).collect();
        let figures = steps.pop().unwrap();
        let blocks: Vec<&str> = text.split("\n\n").collect();
        let (last, blocks) = blocks.split_last().unwrap();
        assert!(
            last.contains(&format!("\nexpansions              {}\n", blocks.len())),
            "{last}"
        );
        assert_eq!(blocks.len(), steps.len(), "{algorithm}");
        let mut scores: HashMap<String, Vec<f64>> = HashMap::new();
        for (i, (block, step)) in blocks.iter().zip(&steps).enumerate() {
            let score = step["f"].as_f64().unwrap();
            assert!(
                block.starts_with(&format!("try {}: score {score}\n", i + 1)),
                "{block}"
            );
            let queue = format!("  queue {}, closed ", step["queue"]);
            assert!(block.contains(&queue), "{block}");
            let board: Board = step["board"].as_str().unwrap().parse().unwrap();
            let drawn = board.grid().replace('\n', "\n  ");
            assert!(block.contains(&format!("\n  {drawn}\n")), "{block}");
            // A board's score at its expansion is its score as a child.
            if let Some(known) = scores.get(&board.to_string()) {
                assert!(known.contains(&score), "{block}");
            } else {
                assert_eq!(i, 0);
            }
            for line in block
                .lines()
                .filter_map(|line| line.strip_prefix("  child "))
            {
                let (mv, rest) = line.split_once(' ').unwrap();
                let (child, score) = rest.split_once(": score ").unwrap();
                let mv = Move::from_letter(mv.chars().next().unwrap()).unwrap();
                assert_eq!(board.slide(mv).unwrap().to_string(), child);
                assert_ne!(step["parent"], child);
                scores
                    .entry(child.to_owned())
                    .or_default()
                    .push(score.parse().unwrap());
            }
        }
        let closed = format!("closed {}", figures["closed"]);
        assert!(blocks.last().unwrap().ends_with(&closed), "{algorithm}");
    }
}

/// Uninformed searches show depths for scores; those with a growing limit say where they begin again.
#[test]
fn every_search_of_the_textbooks_has_a_text_trace() {
    let dir = built();
    for algorithm in ["bfs", "ucs", "dfs", "ids", "idastar"] {
        let search = |form: &str| {
            let ran = run(dir.path(), &["search", "123405786", "-a", algorithm, form]);
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{algorithm}");
            ran.out
        };
        let (text, steps) = (
            search("--trace=text"),
            search("--trace").lines().count() - 1,
        );
        assert_eq!(text.matches("\n  queue ").count(), steps, "{algorithm}");
        assert_eq!(
            text.contains("try 1: depth 0\n  1 2 3\n  4 . 5\n"),
            ["bfs", "dfs", "ids"].contains(&algorithm)
        );
        assert_eq!(
            text.contains("begin again\n"),
            algorithm == "ids",
            "{algorithm}"
        );
        assert_eq!(
            text.contains(", closed 1\n"),
            ["bfs", "ucs"].contains(&algorithm)
        );
    }
}

#[test]
fn a_graph_has_a_node_for_every_expanded_board_and_the_solution_in_bold() {
    let dir = built();
    let ran = run(
        dir.path(),
        &["search", "208135467", "-a", "astar", "--trace=dot"],
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let counted = run(
        dir.path(),
        &["search", "208135467", "-a", "astar", "--json"],
    );
    let record = json(&counted.out);
    let bold = ran
        .out
        .lines()
        .filter(|line| line.ends_with(" [penwidth=4];"))
        .count() as u64;
    assert_eq!(
        bold,
        record["length"].as_u64().unwrap() + 1,
        "the moves, and the goal"
    );
    assert_eq!(
        ran.out.matches("[label=").count() as u64,
        record["expansions"].as_u64().unwrap()
    );
    assert!(ran.out.starts_with("digraph search {\n") && ran.out.ends_with("}\n"));
}

#[test]
fn each_board_has_a_table_of_markdown() {
    let dir = built();
    let args = [
        "search",
        "123405786",
        "704851632",
        "-a",
        "bfs,astar",
        "--format",
        "markdown",
    ];
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let tables: Vec<&str> = ran.out.split("\n\n").collect();
    assert_eq!(tables.len(), 2, "{}", ran.out);
    for (table, board) in tables.into_iter().zip(["123405786", "704851632"]) {
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 4, "{table}"); // names, a rule, two searches
        assert!(lines[1].starts_with("| ---: |") && lines[2..].iter().all(|it| it.contains(board)));
    }
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let dir = built();
    for (args, code, words) in [
        (vec!["search", "123456870"], 1, "cannot be solved"),
        (
            vec!["search", "704851632", "-a", "b*"],
            2,
            "best-first-depth",
        ),
        (
            vec!["search", "704851632", "--heuristic", "manhatten"],
            2,
            "linear-conflict",
        ),
        (
            vec!["search", "704851632", "--heuristic", "pattern:19"],
            2,
            "1 to 8",
        ),
        (vec!["search", "704851632", "--order", "UUDL"], 2, "once"),
        (
            vec!["search", "704851632", "--depths", "2..4"],
            2,
            "--depths",
        ),
        (
            vec!["solve", "704851632", "--steps", "--moves", "tile"],
            2,
            "--moves",
        ),
        (vec!["search", "704851632", "--weight=-1"], 2, "0 to 1000"),
        (vec!["search", "704851632", "--width", "0"], 2, "width"),
        (
            vec!["compare", "--algorithms", "astar,b"],
            2,
            "b\" is not an algorithm",
        ),
        (vec!["compare", "--boards", "none.txt"], 2, "none.txt"),
        (
            vec!["effort", "704851632", "--algorithm", "beam"],
            2,
            "not for beam",
        ),
        (
            vec![
                "effort",
                "704851632",
                "--heuristic",
                "linear-conflict-naive",
            ],
            2,
            "not consistent",
        ),
        (vec!["audit"], 2, "--heuristic"),
        (
            vec!["audit", "--heuristic", "zero", "--table", "x"],
            2,
            "cannot be used",
        ),
        (vec!["audit", "--table", "none.csv"], 2, "none.csv"),
    ] {
        let ran = run(dir.path(), &args);
        assert_eq!(ran.code, Some(code), "{args:?} {ran:?}");
        assert!(ran.err.contains(words), "{args:?} {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

#[test]
fn compare_sets_all_against_all() {
    let dir = built();
    let args = [
        "compare",
        "--algorithms",
        "bfs,astar",
        "--heuristics",
        "manhattan,zero",
    ];
    let csv = run(dir.path(), &[&args[..], &["--format", "csv"]].concat());
    assert_eq!(csv.code, Some(0));
    let rows: Vec<Vec<&str>> = csv
        .out
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(rows.len(), 1 + 5 * 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let column = |name: &str| rows[0].iter().position(|&cell| cell == name).unwrap();
    for row in &rows[1..] {
        assert_eq!(row[column("gap")], "0");
        assert_eq!(row[column("length")], row[column("distance")]);
    }
    let lines = run(dir.path(), &[&args[..], &["--format", "json"]].concat()).out;
    assert_eq!(
        lines
            .lines()
            .map(json)
            .filter(|row| row["algorithm"] == "bfs")
            .count(),
        5
    );
    let text = run(dir.path(), &[&args[..], &["--format", "text"]].concat()).out;
    assert!(text.contains("mean of method"), "{text}");
}

/// Compares both tables, including the names of failures.
#[test]
fn compare_s_csv_has_the_values_of_its_json() {
    let dir = built();
    let rows = |format: &str| {
        let args = [
            "compare",
            "--algorithms",
            "dfs,ids,astar,hill-climbing",
            "--heuristics",
            "manhattan",
        ];
        let options = ["--depth-limit", "8", "--format", format];
        run(dir.path(), &[&args[..], &options].concat()).out
    };
    let (table, lines) = (rows("csv"), rows("json"));
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let header = table.headers().unwrap().clone();
    let mut failures = Vec::new();
    for (row, line) in table.records().zip(lines.lines()) {
        let (row, line) = (row.unwrap(), json(line));
        for (name, cell) in header
            .iter()
            .zip(&row)
            .filter(|&(name, _)| name != "seconds")
        {
            let value = match &line[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            assert_eq!(cell, value, "{name}");
        }
        assert_eq!(header.len(), line.as_object().unwrap().len());
        failures.push(line["failure"].as_str().unwrap_or_default().to_owned());
    }
    assert_eq!(failures.len(), 5 * 4);
    for failure in ["", "depth-limit", "stuck"] {
        assert!(failures.iter().any(|f| f == failure), "{failures:?}");
    }
}

#[test]
fn compare_reads_boards_and_draws_them() {
    let dir = built();
    let boards = b"704851632\n120483765\n";
    let args = [
        "compare",
        "--boards",
        "-",
        "--algorithms",
        "astar",
        "--format",
        "json",
    ];
    let read = run_with_input(dir.path(), &args, boards).out;
    assert_eq!(read.lines().count(), 2 * 2);
    let args = [
        "compare",
        "--per-distance",
        "1",
        "--algorithms",
        "greedy",
        "--format",
        "json",
    ];
    let drawn = run(dir.path(), &args).out;
    assert_eq!(drawn.lines().count(), 32 * 2);
}

/// Prints the first source's columns. `verify` reads them and finds them right.
#[test]
fn the_first_source_s_table_is_printed_and_verified() {
    let dir = built();
    let table = run(dir.path(), &["compare", "--format", "massey"]).out;
    let header = "ALGORITHM,INIT_STATE,GOAL_STATE,PATH_LENGTH,STATE_EXPANSIONS,MAX_QLENGTH,\
                  RUNNING_TIME,DELETIONS_MIDDLE_HEAP,LOCAL_LOOPS_AVOIDED,ATTEMPTED_REEXPANSIONS,PATH";
    assert_eq!(table.lines().next(), Some(header));
    assert_eq!(table.lines().count(), 1 + 5 * 3);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let algorithm = if cells[0].starts_with("uc") {
            "ucs"
        } else {
            "astar"
        };
        let heuristic = if cells[0].contains("misplaced") {
            "misplaced"
        } else {
            "manhattan"
        };
        let args = [
            "effort",
            cells[1],
            "--algorithm",
            algorithm,
            "--heuristic",
            heuristic,
        ];
        let judged = run(dir.path(), &[&args[..], &["--expanded", cells[4]]].concat());
        assert_eq!(judged.code, Some(0), "{row} {judged:?}");
    }
    let verified = run_with_input(
        dir.path(),
        &["verify", "--preset", "massey", "-"],
        table.as_bytes(),
    );
    assert_eq!(verified.code, Some(0), "{verified:?}");
}

#[test]
fn options_without_use_are_told() {
    let dir = built();
    let args = [
        "search",
        "704851632",
        "-a",
        "bfs",
        "--weight",
        "2",
        "--ties",
        "fifo",
    ];
    let ran = run(dir.path(), &[&args[..], &["--heuristic", "zero"]].concat());
    assert_eq!(ran.code, Some(0));
    for note in [
        "no use of --weight",
        "no use of --ties",
        "asks no heuristic",
    ] {
        assert!(ran.err.contains(note), "{note}: {}", ran.err);
    }
}

#[test]
fn a_board_without_a_solution_is_searched_until_nothing_is_left() {
    let dir = built();
    for algorithm in [
        "bfs",
        "ucs",
        "greedy",
        "best-first-depth",
        "astar",
        "random-frontier",
    ] {
        let ran = run(
            dir.path(),
            &[
                "search",
                "123456870",
                "--exhaust",
                "--json",
                "-a",
                algorithm,
            ],
        );
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let failure = "\"failure\":\"exhausted\"";
        for line in [failure, "\"expansions\":181440", "\"closed\":181440"] {
            assert!(ran.out.contains(line), "{algorithm}: {}", ran.out);
        }
    }
    // These keep no list and have a limit, so they end.
    for algorithm in ["ids", "idastar", "rbfs", "annealing"] {
        let args = [
            "search",
            "123456870",
            "--exhaust",
            "--json",
            "-a",
            algorithm,
        ];
        let ran = run(dir.path(), &args);
        assert!(ran.out.contains("\"failure\":\"expansions\""), "{ran:?}");
    }
    let both = ["search", "123456870", "704851632", "--exhaust", "--csv"];
    let ran = run(dir.path(), &both);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 3), "{ran:?}");
}

#[test]
fn parameters_of_searches_that_draw_are_options_with_the_defaults_that_help_names() {
    let dir = built();
    let figures = |options: &str| {
        let line = format!("search 536407182 --json {options}");
        let ran = run(dir.path(), &line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let mut record: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        record.as_object_mut().unwrap().remove("seconds");
        record
    };
    for (algorithm, usual, other) in [
        (
            "annealing",
            "--temperature 4 --cooling-steps 20000",
            "--temperature 1.5 --cooling-steps 500",
        ),
        (
            "genetic",
            "--population 200 --genes 64 --mutation 32",
            "--population 50 --genes 40 --mutation 8",
        ),
        (
            "hill-climbing-restarts",
            "--restart-steps 64",
            "--restart-steps 20",
        ),
    ] {
        let plain = figures(&format!("-a {algorithm}"));
        assert_eq!(plain, figures(&format!("-a {algorithm} {usual}")));
        assert_ne!(plain, figures(&format!("-a {algorithm} {other}")));
        for option in usual.split("--").filter(|option| !option.is_empty()) {
            let args = format!("search 536407182 -a astar --{}", option.trim());
            let ran = run(dir.path(), &args.split(' ').collect::<Vec<_>>());
            assert!(ran.err.contains("makes no use of"), "{option}: {}", ran.err);
        }
    }
    for wrong in [
        "--temperature 0",
        "--population 100001",
        "--genes 0",
        "--mutation 0",
    ] {
        let line = format!("search 536407182 {wrong}");
        let ran = run(dir.path(), &line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, Some(2), "{wrong}: {ran:?}");
    }
}
