//! Promise: shapes without a table are answered by patterns, in memory or from a file, and a file of
//! patterns is built, described, proved and refused as tables are.

use std::process::Stdio;
use std::time::Duration;

use puzzledb::pattern::Patterns;

use crate::run::{puzzledb, run, run_with_input};
use crate::wait::until;

/// Board two moves from the goal.
const NEAR: &str = "123456789a0cdebf";

/// Board at distance 44 from the usual goal with the blank first (number 97 of Korf's).
const KORF_97: &str = "9 14 5 7 8 15 1 2 10 4 13 6 12 0 11 3";

#[test]
fn a_fifteen_puzzle_is_solved_probed_and_judged_without_any_database() {
    let dir = tempfile::tempdir().unwrap();
    let out = |args: &[&str]| {
        let ran = run(dir.path(), args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
        ran.out
    };
    assert_eq!(
        out(&["solve", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"]),
        "123456789abcde0f\t1\tR\n"
    );
    assert_eq!(out(&["solve", "--all", NEAR]), format!("{NEAR}\t2\tDR\n"));
    let json = out(&["solve", "--json", "--goal", "first", KORF_97]);
    assert!(
        json.contains("\"distance\":44") && json.contains("\"solution_count\":"),
        "{json}"
    );
    let numbers = out(&["solve", "--moves", "numbers", NEAR]);
    assert_eq!(numbers, format!("{NEAR}\t2\t11 15\n"));
    let probe = out(&["probe", NEAR]);
    let first: Vec<&str> = probe.lines().take(2).collect();
    assert_eq!(first[0], format!("{NEAR}\t2\t1"));
    assert!(
        first[1].starts_with("D\t") && first[1].ends_with("\t1"),
        "{probe}"
    );
    let ran = run_with_input(
        dir.path(),
        &["verify", "-"],
        format!("{NEAR}\tDR\n").as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("optimal"), "{ran:?}");
    let ran = run(
        dir.path(),
        &["solve", "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0"],
    );
    assert_eq!(
        (ran.code, ran.out.contains("unsolvable")),
        (Some(1), true),
        "{ran:?}"
    );
}

#[test]
fn many_boards_are_answered_in_their_order_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let lines = format!("{KORF_97}\n0123456789abcdef\n1023456789abcdef\nx\n").repeat(3);
    let answers: Vec<String> = ["1", "2"]
        .map(|threads| {
            let args = ["solve", "--goal", "first", "--threads", threads];
            let ran = run_with_input(dir.path(), &args, lines.as_bytes());
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(ran.err.contains("line 4:"), "{}", ran.err);
            ran.out
        })
        .to_vec();
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0].lines().count(), 9);
    assert!(
        answers[0].starts_with("9e578f12a4d6c0b3\t44\t"),
        "{}",
        answers[0]
    );
}

#[test]
fn a_file_of_patterns_is_built_told_proved_and_used() {
    let dir = tempfile::tempdir().unwrap();
    let build = ["build", "--shape", "3x5", "--patterns", "5-5-4"];
    let ran = run(dir.path(), &build);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("built") && ran.out.contains("3x5-patterns.pzdb"),
        "{}",
        ran.out
    );
    let again = run(dir.path(), &build);
    assert!(again.out.contains("is there and good"), "{again:?}");
    for args in [
        &["info", "--shape", "3x5", "--format", "text"][..],
        &["info", "--shape", "3x5", "--json"],
    ] {
        let ran = run(dir.path(), args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.out.contains("patterns") && ran.out.contains("5x3"),
            "{}",
            ran.out
        );
    }
    let ran = run(dir.path(), &["check", "--shape", "3x5", "--format", "text"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("is right"), "{}", ran.out);
    let board = "5 1 2 3 4 10 6 7 8 9 0 11 12 13 14";
    let solve = |args: &[&str]| {
        let all = [&["solve", "--shape", "3x5", board][..], args].concat();
        let ran = run(dir.path(), &all);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
        ran.out
    };
    let empty = tempfile::tempdir().unwrap();
    let ran = run(empty.path(), &["solve", "--shape", "3x5", board]);
    assert_eq!(solve(&[]), ran.out);
    let file = dir.path().join("3x5-patterns.pzdb");
    assert_eq!(solve(&["--db", file.to_str().unwrap()]), ran.out);
    let search = [
        "search",
        "--algorithm",
        "idastar",
        "--shape",
        "3x5",
        "--heuristic",
        "patterns:5-5-4",
    ];
    let ran = run(dir.path(), &[&search[..], &[board]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Other patterns replace it, with a message.
    let other = run(
        dir.path(),
        &["build", "--shape", "3x5", "--patterns", "1-4,5-8"],
    );
    assert_eq!(other.code, Some(0), "{other:?}");
    assert!(
        other.err.contains("replaced databases of the patterns"),
        "{}",
        other.err
    );
}

#[test]
fn a_damaged_or_foreign_file_of_patterns_is_refused_with_advice() {
    let dir = tempfile::tempdir().unwrap();
    let built = run(
        dir.path(),
        &["build", "--shape", "2x6", "--patterns", "4-4-3"],
    );
    assert_eq!(built.code, Some(0), "{built:?}");
    let path = dir.path().join("2x6-patterns.pzdb");
    let good = std::fs::read(&path).unwrap();
    let board = ["solve", "--shape", "2x6", "1 2 3 4 5 6 7 8 9 10 0 11"];
    let refused = |bytes: &[u8], why: &str| {
        std::fs::write(&path, bytes).unwrap();
        let ran = run(dir.path(), &board);
        assert_eq!(ran.code, Some(3), "{why}: {ran:?}");
        assert!(
            ran.err.contains(why) && ran.err.contains("--patterns"),
            "{}",
            ran.err
        );
    };
    for at in [30, 4_096, 4_100, 8_192, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 4;
        refused(&bytes, "is damaged");
    }
    refused(&good[..good.len() - 1], "cut short");
    refused(&[&good[..], b"x"].concat(), "too many");
    refused(b"notes", "not a puzzledb database");
    refused(b"", "is empty");
    // A table is not accepted as patterns, and patterns are not accepted as a table.
    let table = run(dir.path(), &["build", "--shape", "2x3"]);
    assert_eq!(table.code, Some(0), "{table:?}");
    let table = dir.path().join("2x3.pzdb");
    refused(&std::fs::read(&table).unwrap(), "holds a table");
    std::fs::write(&table, &good).unwrap();
    let ran = run(dir.path(), &["stats", "--shape", "2x3"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("holds pattern databases"), "{}", ran.err);
    // Neither replaces the other without force.
    let build_at = |path: &std::path::Path, options: &[&str]| {
        let before = std::fs::read(path).unwrap();
        let output = ["--output", path.to_str().unwrap()];
        let ran = run(dir.path(), &[&["build"], options, &output].concat());
        let unchanged = std::fs::read(path).unwrap() == before;
        assert_eq!((ran.code, unchanged), (Some(3), true), "{ran:?}");
        assert!(ran.err.contains("left as it is"), "{}", ran.err);
    };
    build_at(&table, &["--shape", "2x3"]);
    std::fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/v1/3x2.bit.pzdb"),
        &table,
    )
    .unwrap();
    build_at(&table, &["--shape", "2x3", "--patterns", "3-2"]);
    // A foreign file is not replaced, even by force.
    std::fs::write(&path, b"notes").unwrap();
    let build = ["build", "--shape", "2x6", "--patterns", "4-4-3"];
    for build in [&build[..], &[&build[..], &["--force"]].concat()] {
        let ran = run(dir.path(), build);
        assert_eq!(
            (ran.code, std::fs::read(&path).unwrap()),
            (Some(3), b"notes".to_vec()),
            "{ran:?}"
        );
    }
}

#[test]
fn a_builder_of_patterns_killed_at_any_moment_leaves_the_old_file_or_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("2x6-patterns.pzdb");
    let build = ["build", "--shape", "2x6", "--patterns", "4-4-3", "--force"];
    let mut expected = Vec::new();
    for i in 0..20 {
        let mut command = puzzledb(dir.path());
        command.args(build).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(i));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!path.exists() || Patterns::open(&path).is_ok());
        if i % 10 == 0 {
            assert_eq!(run(dir.path(), &build).code, Some(0));
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
            expected.push(std::fs::read(&path).unwrap());
            std::fs::remove_file(&path).unwrap();
        }
    }
    assert!(expected[0] == expected[1]);
}

/// Kills the build between two of its checkpoints. In the second round the checkpoint is then damaged.
#[test]
fn a_build_of_patterns_goes_on_from_its_last_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("2x6-patterns.pzdb");
    let checkpoint = dir.path().join(".2x6-patterns.pzdb.checkpoint");
    let build = ["build", "--shape", "2x6", "--patterns", "6-5"];
    assert_eq!(run(dir.path(), &build).code, Some(0));
    let expected = std::fs::read(&path).unwrap();
    let build = [
        &build[..],
        &["--checkpoint-above", "0", "--checkpoint-every", "0"],
    ]
    .concat();
    for is_damaged in [false, true] {
        until("a build is killed before its end", || {
            let _ = std::fs::remove_file(&path);
            let mut command = puzzledb(dir.path());
            command.args(&build).stdout(Stdio::null());
            let mut child = command.stderr(Stdio::null()).spawn().unwrap();
            until("a checkpoint or a file", || {
                checkpoint.exists() || path.exists() || child.try_wait().unwrap().is_some()
            });
            child.kill().unwrap();
            child.wait().unwrap();
            checkpoint.exists()
        });
        let _ = std::fs::remove_file(&path);
        if is_damaged {
            std::fs::write(&checkpoint, b"PZDBPCK\x01 and then nothing").unwrap();
        }
        let ran = run(dir.path(), &build);
        let told = if !is_damaged {
            "note: going on from the checkpoint at distance"
        } else {
            "warning: the checkpoint is no good"
        };
        assert!(ran.code == Some(0) && ran.err.starts_with(told), "{ran:?}");
        assert!(std::fs::read(&path).unwrap() == expected);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}

#[test]
fn patterns_that_are_none_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (patterns, why) in [
        ("7-9", "16 tiles in all, and a 4x4 board has 15"),
        ("1-8,9+10+16", "the tiles 1 to 15"),
        ("1-8,8-15", "tile 8 is named twice"),
        ("x", "names no patterns"),
        ("12", "1 to 10 tiles"),
    ] {
        let ran = run(
            dir.path(),
            &["build", "--shape", "4x4", "--patterns", patterns],
        );
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn a_program_is_graded_on_fifteen_puzzles() {
    let dir = tempfile::tempdir().unwrap();
    let boards = dir.path().join("boards.txt");
    std::fs::write(&boards, format!("{NEAR}\n123456789abcde0f\n")).unwrap();
    let ran = run(
        dir.path(),
        &[
            "grade",
            "--boards",
            boards.to_str().unwrap(),
            "--",
            "echo",
            "R",
        ],
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("2 boards of 4x4"), "{}", ran.out);
    let by_distance = [
        "grade",
        "--shape",
        "4x4",
        "--per-distance",
        "1",
        "--",
        "echo",
    ];
    let ran = run(dir.path(), &by_distance);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("--sample"), "{}", ran.err);
    let ran = run(dir.path(), &["grade", "--shape", "5x5", "--", "echo", "R"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("30 boards of 5x5"), "{}", ran.out);
}
