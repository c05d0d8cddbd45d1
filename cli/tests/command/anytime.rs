//! Boards of shapes without a database are solved as well as time allows.

use puzzledb::puzzle::{Board, UsualGoal, parse_board};
use serde_json::Value;

use crate::run::{run, run_with_input};

/// Starts a command and sends SIGINT as soon as the command catches it. Returns the exit code and the output.
#[cfg(target_os = "linux")]
fn interrupted(dir: &std::path::Path, args: &[&str]) -> (Option<i32>, String) {
    use rustix::process::{Pid, Signal, kill_process};
    let mut command = crate::run::puzzledb(dir);
    let child = command
        .args(args)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let mut lines = status.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() >> 1 & 1 == 1 // SIGINT is 2
    };
    crate::wait::until("the command listens", caught);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    (ended.status.code(), out)
}

/// Building the patterns takes seconds; the proof that follows takes long.
#[test]
#[cfg(target_os = "linux")]
fn a_search_without_end_that_is_interrupted_gives_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    for threads in ["1", "2"] {
        let args = [
            "solve",
            TWENTY_FOUR,
            "--goal",
            "first",
            "--within",
            "forever",
        ];
        let more = ["--threads", threads];
        let (code, out) = interrupted(dir.path(), &[&args[..], &more].concat());
        assert_eq!(code, Some(130), "{out}");
        let fields: Vec<&str> = out.trim_end().split('\t').collect();
        let [_, length, moves, bound] = fields[..] else {
            panic!("{out:?}")
        };
        assert_eq!(length, moves.len().to_string());
        let bound: usize = bound.strip_prefix("at least ").unwrap().parse().unwrap();
        assert!((70..=95).contains(&bound), "{out}");
    }
}

/// Figures of the search at the time of the interrupt.
#[test]
#[cfg(target_os = "linux")]
fn a_search_of_the_textbooks_that_is_interrupted_says_what_it_cost() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "search",
        TWENTY_FOUR,
        "--goal",
        "first",
        "--algorithm",
        "idastar",
        "--json",
    ];
    let (code, out) = interrupted(dir.path(), &args);
    assert_eq!(code, Some(130), "{out}");
    let record: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(record["failure"], "cancelled");
    assert_eq!(
        (&record["solved"], &record["length"]),
        (&Value::Bool(false), &Value::Null)
    );
}

/// Published board of the 24-puzzle at distance 95.
const TWENTY_FOUR: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

#[test]
fn a_large_board_gets_a_solution_and_a_lower_bound() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["solve", TWENTY_FOUR, "--goal", "first", "--within", "200ms"];
    let ran = run(dir.path(), &args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let fields: Vec<&str> = ran.out.trim_end().split('\t').collect();
    let [_, length, moves, bound] = fields[..] else {
        panic!("{}", ran.out)
    };
    let bound: usize = bound.strip_prefix("at least ").unwrap().parse().unwrap();
    assert!(
        length.parse::<usize>().unwrap() >= 95 && bound <= 95,
        "{}",
        ran.out
    );
    assert_eq!(length, moves.len().to_string());
    let judged = run_with_input(
        dir.path(),
        &["verify", "-", "--goal", "first"],
        ran.out.as_bytes(),
    );
    assert!(
        judged.out.contains("reaches the goal (optimum unknown)"),
        "{judged:?}"
    );
    // The same line, read as the output of one program. The board in it is a word that begins with a letter.
    let about = ["verify", "-", "--goal", "first", "--board", TWENTY_FOUR];
    let again = run_with_input(dir.path(), &about, ran.out.as_bytes());
    assert_eq!((again.code, &again.out), (judged.code, &judged.out));

    let json = run(dir.path(), &[&args[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (&json["at_most"], &json["distance"]),
        (
            &json["tiles"].as_array().unwrap().len().into(),
            &Value::Null
        )
    );
    assert!(
        (70..=95).contains(&json["at_least"].as_u64().unwrap()),
        "{json}"
    );
}

#[test]
fn patterns_of_a_file_prove_more() {
    let dir = tempfile::tempdir().unwrap();
    let args = |within| {
        let solve = ["solve", TWENTY_FOUR, "--goal", "first", "--threads", "1"];
        [&solve[..], &["--json", "--within", within]].concat()
    };
    let bound = |within| {
        let ran = run(dir.path(), &args(within));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        assert!(json["at_most"].as_u64() >= Some(95), "{json}");
        json["at_least"].as_u64().unwrap()
    };
    let by_linear_conflicts = bound("1ms");
    let build = [
        "build",
        "--shape",
        "5x5",
        "--goal",
        "first",
        "--patterns",
        "5-5-5-5-4",
    ];
    assert_eq!(run(dir.path(), &build).code, Some(0));
    // In less than a second on an idle machine.
    let proves_more = |within| {
        let by_patterns = bound(within);
        assert!(by_patterns <= 95, "{by_patterns}");
        by_patterns > by_linear_conflicts
    };
    assert!(["300ms", "3s", "30s", "300s"].into_iter().any(proves_more));

    let path = std::fs::read_dir(dir.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    std::fs::write(path.path(), "no patterns").unwrap();
    let ran = run(dir.path(), &args("300ms"));
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{ran:?}");
}

#[test]
fn boards_near_the_goal_are_proved_at_once_and_the_others_of_a_file_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(
        dir.path(),
        &[
            "solve",
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15",
            "--within",
            "forever",
        ],
    );
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "123456789abcde0f\t1\tR\n")
    );
    let near = UsualGoal::Last.board("8x8".parse().unwrap());
    let near = near.replay(&[puzzledb::puzzle::Move::Up]).unwrap();
    let boards = format!("{near}\n123456708\n123456789abcdfe0\n");
    let ran = run_with_input(dir.path(), &["solve"], boards.as_bytes());
    let expected = format!("{near}\t1\tD\n123456708\t1\tR\n123456789abcdfe0\tunsolvable\t\n");
    assert_eq!((ran.code, ran.out), (Some(1), expected));
    let json = run(
        dir.path(),
        &["solve", "123456789abcdefghijklmn0o", "--json"],
    )
    .out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (json["at_least"].as_u64(), json["distance"].as_u64()),
        (Some(1), Some(1))
    );
}

#[test]
fn steps_are_drawn_and_all_solutions_need_a_database() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &["solve", "--steps", "123456789abcde0f"]);
    assert!(ran.out.contains("1: blank R, tile 15"), "{}", ran.out);
    let ran = run(dir.path(), &["solve", "--all", "123456789abcdefghijklmn0o"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    for within in ["0s", "soon", ""] {
        let ran = run(dir.path(), &["solve", "704851632", "--within", within]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
}

#[test]
fn every_shape_is_solved() {
    let dir = tempfile::tempdir().unwrap();
    for shape in ["5x5", "5x7", "8x8"] {
        let drawn = run(dir.path(), &["generate", "--shape", shape, "--seed", "1"]).out;
        let solved = run(
            dir.path(),
            &["solve", "--shape", shape, drawn.trim(), "--within", "300ms"],
        );
        let shape = shape.parse().unwrap();
        let board: Board = parse_board(drawn.trim().as_bytes(), Some(shape)).unwrap();
        let moves = solved.out.split('\t').nth(2).unwrap().trim();
        let moves: Option<Vec<_>> = moves
            .chars()
            .map(puzzledb::puzzle::Move::from_letter)
            .collect();
        let goal = UsualGoal::Last.board(shape);
        assert_eq!(board.replay(&moves.unwrap()), Ok(goal), "{solved:?}");
    }
}

#[test]
fn verify_shortens_paths_whose_optimum_is_not_known() {
    let dir = tempfile::tempdir().unwrap();
    let claim = "123456789abcdefghijklmn0o LRLRR\n123456789abcdefghijklmn0o R\n";
    for improve in ["--improve", "--improve=500ms"] {
        let ran = run_with_input(dir.path(), &["verify", "-", improve], claim.as_bytes());
        let fixes: Vec<&str> = ran
            .out
            .lines()
            .filter_map(|l| l.split('\t').nth(6))
            .collect();
        assert_eq!(
            (ran.code, &fixes[..]),
            (Some(1), &["R", ""][..]),
            "{}",
            ran.out
        );
        // So near the goal the search proves the optimum.
        let verdicts = ran.out.lines().filter_map(|line| line.split('\t').nth(1));
        assert!(verdicts.eq(["suboptimal +4", "optimal"]), "{}", ran.out);
    }
    // Far from the goal the path is shortened, and the proved bound is printed.
    let board = run(dir.path(), &["generate", "--shape", "6x6", "--seed", "1"]).out;
    let board = board.trim();
    let solved = run(dir.path(), &["solve", board, "--within", "100ms"]).out;
    let path = solved.split('\t').nth(2).unwrap();
    let claim = format!("{board}\t{path}{}\n", "UD".repeat(1000)); // the goal's blank is in the last row
    let verify = |more: &[&str]| {
        let args = [&["verify", "-", "--improve=100ms"], more].concat();
        let ran = run_with_input(dir.path(), &args, claim.as_bytes());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.out
    };
    let lines = verify(&[]);
    let fields: Vec<&str> = lines.trim().split('\t').collect();
    let by = fields[1].strip_prefix("suboptimal +").unwrap();
    let by: usize = by.strip_suffix(" or more").unwrap().parse().unwrap();
    assert_eq!(fields[6].len() + by, path.len() + 2000, "{lines}");
    assert!(fields[2].starts_with("at least 1"), "{lines}");
    let records = verify(&["--json"]);
    let record: serde_json::Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    let bound = record["at_least"].as_u64().unwrap();
    assert!((100..=fields[6].len() as u64).contains(&bound), "{records}");
    assert!(record["distance"].is_null());

    let known = run_with_input(
        dir.path(),
        &["verify", "-", "--improve"],
        b"123456708 LRR\n",
    );
    assert!(known.out.ends_with("\tR\n"), "{}", known.out);
}
