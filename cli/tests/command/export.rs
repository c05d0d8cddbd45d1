//! Promise: an exported table has every board that was asked for, with the values of the oracle.

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use puzzledb::search::{BoardHeuristic, HeuristicName};
use serde_json::Value;

use crate::run::{built, run};

const COLUMNS: &str = "board,state,distance,solutions,moves,manhattan";

#[test]
fn every_board_is_there_in_the_order_of_its_number_with_its_values() {
    let dir = tempfile::tempdir().unwrap();
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let manhattan = BoardHeuristic::new(&HeuristicName::Manhattan, oracle.goal()).unwrap();
    let out = run(dir.path(), &["export", "--columns", COLUMNS]).out;
    let mut lines = out.lines();
    let provenance = lines.next().unwrap().strip_prefix("# ").unwrap();
    let provenance: Value = serde_json::from_str(provenance).unwrap();
    assert_eq!(
        (&provenance["rows"], &provenance["goal"]),
        (&181_440.into(), &"123456780".into())
    );
    assert_eq!(lines.next(), Some(COLUMNS));
    let mut rows = 0;
    for (state, line) in lines.enumerate() {
        rows += 1;
        if state % 101 > 0 {
            continue;
        }
        let board: Board = line[..9].parse().unwrap();
        let moves = oracle.optimal_moves(&board).unwrap();
        let mask = moves.iter().fold(0, |mask, mv| mask | 1 << mv.code());
        let (distance, solutions) = (oracle.distance(&board), oracle.count_solutions(&board));
        let (distance, solutions) = (distance.unwrap(), solutions.unwrap());
        let value = manhattan.value(&board);
        assert_eq!(
            line,
            format!("{board},{state},{distance},{solutions},{mask},{value}")
        );
    }
    assert_eq!(rows, 181_440);
}

#[test]
fn rows_are_chosen_by_distance_and_by_draw() {
    let dir = tempfile::tempdir().unwrap();
    let far = run(
        dir.path(),
        &["export", "--distance", "30..31", "--format", "jsonl"],
    )
    .out;
    let rows = far
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let far: Vec<u64> = rows.map(|row| row["distance"].as_u64().unwrap()).collect();
    assert_eq!(
        (far.len(), far.iter().filter(|&&at| at == 31).count()),
        (223, 2)
    );
    let draw = |seed| {
        let args = [
            "export",
            "--distance",
            "20",
            "--sample",
            "5",
            "--seed",
            seed,
        ];
        run(dir.path(), &args).out
    };
    assert_eq!(draw("3"), draw("3"));
    let rows = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_ne!(rows(&draw("3")), rows(&draw("4")));
    assert!(rows(&draw("3")).len() == 5 && rows(&draw("3")).iter().all(|row| row.ends_with(",20")));
    let none = run(dir.path(), &["export", "--distance", "32"]).out;
    assert_eq!(none.lines().skip(1).collect::<Vec<_>>(), ["board,distance"]);
}

#[test]
fn a_column_is_an_expression_or_patterns_too() {
    let dir = tempfile::tempdir().unwrap();
    let names = "board,max(2*misplaced,manhattan),patterns:1-4,5-8,distance";
    let ran = run(
        dir.path(),
        &["export", "--distance", "31", "--columns", names],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().skip(2).collect();
    assert_eq!(lines.len(), 2);
    for line in lines {
        let cells: Vec<f64> = line
            .split(',')
            .skip(1)
            .map(|cell| cell.parse().unwrap())
            .collect();
        assert!(
            cells[0] >= 16.0 && cells[1] <= 31.0 && cells[2] == 31.0,
            "{line}"
        );
    }
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (args, words) in [
        (&["--columns", "colour"][..], "colour"),
        (&["--distance", "9..3"], "not a distance"),
        (&["--sample", "181441"], "only 181440 boards fit"),
        (&["--seed", "1"], "--sample"),
        (&["--output", "no/such/folder"], "cannot write"),
    ] {
        let ran = run(dir.path(), &[&["export"], args].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    let large = run(dir.path(), &["export", "--shape", "4x4"]);
    assert_eq!((large.code, &large.out[..]), (Some(2), ""));
}

#[test]
fn arrays_are_written_in_one_pass_into_a_file_or_a_pipe() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("all.npz");
    let file = path.to_str().unwrap();
    let args = [
        "export",
        "--columns",
        COLUMNS,
        "--format",
        "npz",
        "-o",
        file,
    ];
    assert_eq!(run(dir.path(), &args).code, Some(0));
    let bytes = std::fs::read(&path).unwrap();
    let distances = Oracle::for_goal(&"123456780".parse().unwrap())
        .unwrap()
        .distances()
        .unwrap();
    let begins = |part: &[u8]| bytes.windows(part.len()).position(|found| found == part);
    let header = begins(b"'shape': (181440,), }").unwrap();
    assert!(bytes.starts_with(b"PK\x03\x04") && begins(b"'shape': (181440, 9), }").is_some());
    assert!(begins(&distances[..1000]).unwrap() > header);
}

/// A planner of the registries solves these problems in `.ci/run`.
#[test]
fn planning_problems_name_every_tile_position_and_neighbour() {
    let dir = built();
    let folder = dir.path().join("plans");
    let name = folder.to_str().unwrap();
    let ran = run(
        dir.path(),
        &["export", "--pddl", name, "--board", "704851632,123456708"],
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let problem = std::fs::read_to_string(folder.join("704851632.pddl")).unwrap();
    assert_eq!(problem.matches("(adjacent ").count(), 24);
    let (init, goal) = problem.split_once("(:goal").unwrap();
    assert_eq!(
        (init.matches("(at t").count(), goal.matches("(at t").count()),
        (8, 8)
    );
    assert!(
        init.contains("(at t7 p11)") && init.contains("(empty p12)"),
        "{init}"
    );
    assert!(
        goal.contains("(at t1 p11)") && goal.contains("(at t8 p32)"),
        "{goal}"
    );
    let open = |text: &str, c: char| text.matches(c).count();
    assert_eq!(open(&problem, '('), open(&problem, ')'));
    let domain = std::fs::read_to_string(folder.join("domain.pddl")).unwrap();
    assert!(domain.contains("(:action move") && open(&domain, '(') == open(&domain, ')'));
    let drawn = [
        "export",
        "--pddl",
        name,
        "--sample",
        "3",
        "--shape",
        "2x3",
        "--distance",
        "21",
    ];
    assert_eq!(
        run(dir.path(), &drawn).code,
        Some(2),
        "there is one board so far away"
    );
    let all = run(dir.path(), &["export", "--pddl", name]);
    assert!(
        all.code == Some(2) && all.err.contains("--sample N"),
        "{}",
        all.err
    );
}
