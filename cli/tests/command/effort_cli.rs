//! Promise: `effort` judges reported numbers of expansions.

use crate::run::{built, run, run_with_input};
use crate::search_cli::json;

#[test]
fn effort_judges_the_published_log() {
    let dir = built();
    let args = ["effort", "638541720", "--expanded", "3010477", "--json"];
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(1));
    let effort = json(&ran.out);
    assert_eq!(
        (&effort["certain"], &effort["most"]),
        (&3902.into(), &9788.into())
    );
    assert_eq!(effort["possible"], false);
    assert!(
        effort["why"]
            .as_str()
            .unwrap()
            .contains("only 181440 states exist")
    );
    let text = run(
        dir.path(),
        &[
            "effort",
            "638541720",
            "--expanded",
            "5000",
            "--format",
            "text",
        ],
    );
    assert_eq!(text.code, Some(0));
    assert!(text.out.contains("\npossible   yes\n"), "{}", text.out);
}

#[test]
fn effort_gives_the_reason_of_each_algorithm() {
    let dir = built();
    for (args, words) in [
        (["536407182", "astar", "1507"], "counts the goal"),
        (
            ["536407182", "astar", "581"],
            "the way to the goal needs 6 more",
        ),
        (["536407182", "ucs", "200000"], "only 181440 states exist"),
        (
            ["536407182", "idastar", "1000000"],
            "trees hold no more ways",
        ),
        (
            ["536407182", "bfs", "1"],
            "nearer than the last before the goal",
        ),
        (
            ["123456708", "bfs", "100"],
            "it stops when it meets the goal",
        ),
    ] {
        let [board, algorithm, expanded] = args;
        let args = [
            "effort",
            board,
            "--algorithm",
            algorithm,
            "--expanded",
            expanded,
        ];
        let ran = run(dir.path(), &args);
        assert_eq!(ran.code, Some(1), "{args:?}");
        assert!(ran.out.contains(words), "{args:?} {}", ran.out);
    }
}

#[test]
fn effort_bounds_both_goal_tests_and_names_the_one_that_fits() {
    let dir = built();
    let args = ["effort", "536407182", "--algorithm", "bfs", "--json"];
    let bounds = |goal_test: &str| {
        let ran = run(
            dir.path(),
            &[&args[..], &["--goal-test", goal_test]].concat(),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        json(&ran.out)
    };
    let (early, late) = (bounds("early"), bounds("late"));
    assert_eq!(json(&run(dir.path(), &args).out), early);
    assert_eq!(
        (&early["goal_test"], &late["goal_test"]),
        (&"early".into(), &"late".into())
    );
    assert_eq!(late["certain"], late["least"]);
    let reported = late["most"].to_string();
    let args = [
        "effort",
        "536407182",
        "--algorithm",
        "bfs",
        "--expanded",
        &reported,
        "--format",
        "text",
    ];
    let judged = run(dir.path(), &args);
    assert_eq!(judged.code, Some(1));
    let words = "; possible if the goal is tested late, when a board is taken from the queue: ";
    assert!(judged.out.contains(words), "{}", judged.out);
    let judged = run(dir.path(), &[&args[..], &["--goal-test", "late"]].concat());
    assert_eq!(judged.code, Some(0), "{judged:?}");
    assert!(judged.out.contains("\ngoal test  late\n"), "{}", judged.out);
    let refused = run(dir.path(), &[&args[..], &["--goal-test", "now"]].concat());
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("there are early, late"),
        "{}",
        refused.err
    );
}

#[test]
fn the_bounds_of_all_searches_stand_in_columns() {
    let dir = built();
    let boards = "536407182\n123456780\n638541720\n";
    let args = ["effort", "--all", "--format", "csv", "-"];
    let ran = run_with_input(dir.path(), &args, boards.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows: Vec<Vec<&str>> = ran
        .out
        .lines()
        .map(|row| row.split(',').collect())
        .collect();
    assert_eq!((rows.len(), rows[0].len()), (4, 18));
    assert_eq!(rows[2][1..], ["0"; 17]);
    for (board, row) in boards.lines().zip(&rows[1..]) {
        assert_eq!(row[0], board);
        for algorithm in ["ucs", "bfs", "astar", "idastar"] {
            for test in ["late", "early"] {
                let one = [
                    "effort",
                    board,
                    "--algorithm",
                    algorithm,
                    "--goal-test",
                    test,
                ];
                let one = json(&run(dir.path(), &[&one[..], &["--json"]].concat()).out);
                for bound in ["least", "most"] {
                    let name = format!("{algorithm}_{test}_{bound}");
                    let column = rows[0].iter().position(|column| *column == name).unwrap();
                    assert_eq!(row[column], one[bound].to_string(), "{board} {name}");
                }
            }
        }
    }
    let refused = run(
        dir.path(),
        &["effort", "536407182", "--all", "--algorithm", "bfs"],
    );
    assert_eq!(refused.code, Some(2));
}
