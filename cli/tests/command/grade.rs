//! Promise: a program is run on every board under limits, its answer is judged, and whatever it
//! does, nothing that it started is left.
#![cfg(target_os = "linux")]

use std::path::Path;

use crate::run::{CommandResult, built, graded, puzzledb, run, run_with_input};

/// Boards: one move from the goal, and one without a solution.
pub(crate) const NEAR: &str = "123456708";
pub(crate) const UNSOLVABLE: &str = "123456870";

/// Outcome of a shell script on one board, and the exit code of `grade`.
pub(crate) fn outcome(
    dir: &Path,
    options: &[&str],
    board: &str,
    script: &str,
) -> (String, Option<i32>) {
    let ran = graded(
        dir,
        &[options, &["--report", "json"]].concat(),
        board,
        script,
    );
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
    let outcome = report["boards"][0]["outcome"].as_str().unwrap();
    (outcome.to_owned(), ran.code)
}

#[test]
fn our_own_solver_is_right_on_every_board() {
    let dir = built();
    let solver = env!("CARGO_BIN_EXE_puzzledb");
    let places = [
        "{board}",
        "{board:spaced}",
        "{board:rows}",
        "{board:commas}",
    ];
    for place in crate::full::sample(&places, 1) {
        let options = [
            "grade",
            "--per-distance",
            "1",
            "--with-unsolvable=2",
            "--report",
            "csv",
        ];
        let ran = run(
            dir.path(),
            &[&options[..], &["--", solver, "solve", place]].concat(),
        );
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{place}");
        let lines: Vec<&str> = ran.out.lines().collect();
        assert_eq!(lines.len(), 1 + 32 + 2);
        for (distance, line) in lines[1..33].iter().enumerate() {
            let cells: Vec<&str> = line.split(',').collect();
            let distance = distance.to_string();
            assert_eq!(
                cells[1..6],
                [&distance, "optimal", "true", &distance, "0"],
                "{line}"
            );
        }
        for line in &lines[33..] {
            assert!(
                line[9..].starts_with(",,unsolvable (rightly said),true,"),
                "{line}"
            );
        }
    }
    // On standard input, in the tile's directions, to another goal.
    let goal = [
        "grade", "--sample", "5", "--goal", "spiral", "--moves", "tile", "--",
    ];
    let solve = [solver, "solve", "--goal", "spiral", "--moves", "tile"];
    assert_eq!(run(dir.path(), &[&goal[..], &solve].concat()).code, Some(0));
    let place = [solver, "solve", "--goal", "{goal}", "--moves", "tile"];
    assert_eq!(run(dir.path(), &[&goal[..], &place].concat()).code, Some(0));
}

#[test]
fn every_way_to_be_wrong_has_its_name() {
    let dir = built();
    for (script, expected) in [
        ("echo R", "optimal"),
        ("echo $1; echo Moves: RIGHT", "optimal"),
        ("echo R; exit 1", "optimal"),
        ("echo LRR", "suboptimal +2"),
        (
            "echo 'moves: R'; echo 'cost: 3'",
            "wrong length: claims 3, path has 1",
        ),
        ("echo UUU", "illegal at move 3"),
        ("echo UU", "does not reach the goal"),
        ("echo unsolvable", "wrongly said unsolvable"),
        ("echo unsolvable; exit 1", "wrongly said unsolvable"),
        ("exit 3", "crash (exit code 3)"),
        ("echo length: 1; exit 3", "crash (exit code 3)"),
        ("kill -SEGV $$", "crash (signal 11, SIGSEGV)"),
        ("echo R; kill -KILL $$", "crash (signal 9, SIGKILL)"),
        (":", "no answer found"),
        ("echo R >&2", "no answer found"),
        ("exec >&-; echo R", "crash (exit code 1)"),
        (
            "printf '\\377\\376\\000\\033[2J<b>&garbage\\001'",
            "no answer found",
        ),
    ] {
        let code = if expected == "optimal" { 0 } else { 1 };
        let found = outcome(dir.path(), &[], NEAR, script);
        assert_eq!(found, (expected.to_owned(), Some(code)), "{script}");
    }
    let numbers = ["--moves", "numbers"];
    assert_eq!(
        outcome(dir.path(), &numbers, NEAR, "echo R").0,
        "no answer found"
    );
    assert_eq!(
        outcome(dir.path(), &numbers, NEAR, "echo Path: [8]").0,
        "optimal"
    );
    for (script, expected) in [
        ("echo 'Solution: U, U… (1 moves)'", "no answer found"),
        ("echo 1. Right; echo 1 move", "optimal"),
    ] {
        assert_eq!(
            outcome(dir.path(), &[], NEAR, script).0,
            expected,
            "{script}"
        );
    }
    for (script, expected) in [
        ("echo -1", "unsolvable (rightly said)"),
        ("echo None", "unsolvable (rightly said)"),
        ("echo FileNotFoundError: no path given", "no answer found"),
        ("echo No solution", "unsolvable (rightly said)"),
        ("echo unsolvable; exit 1", "unsolvable (rightly said)"),
        ("echo R", "does not reach the goal"),
        ("echo length: 20", "impossible: the board is unsolvable"),
    ] {
        assert_eq!(
            outcome(dir.path(), &[], UNSOLVABLE, script).0,
            expected,
            "{script}"
        );
    }
}

#[test]
fn nothing_printed_at_the_goal_is_a_shortest_solution() {
    const GOAL: &str = "123456780";
    let dir = built();
    for (options, script, expected) in [
        (&[][..], ":", "optimal"),
        (&[], "echo", "optimal"),
        (&["--moves", "numbers"], "echo; echo ' '", "optimal"),
        (&["--answer", "way:(.*)"], "echo", "optimal"),
        (&["--answer", "way:(.*)"], "echo way:; echo 31", "optimal"),
        (&[], "exit 1", "crash (exit code 1)"),
        (&[], "echo garbage", "no answer found"),
    ] {
        let (at_goal, _) = outcome(dir.path(), options, GOAL, script);
        assert_eq!(at_goal, expected, "{script}");
    }
    for board in [NEAR, UNSOLVABLE] {
        assert_eq!(outcome(dir.path(), &[], board, "echo").0, "no answer found");
    }
}

#[test]
fn an_answer_in_a_file_that_is_not_read_is_hinted_at() {
    let dir = built();
    let boards = dir.path().join("boards.txt");
    std::fs::write(&boards, NEAR).unwrap();
    let graded = |options: &[&str], script: &str| -> CommandResult {
        let mut command = puzzledb(dir.path());
        command
            .current_dir(dir.path())
            .args(["grade", "--boards", "boards.txt"]);
        command.args(options).args(["--", "sh", "-c", script]);
        command.output().unwrap().into()
    };
    let hint = "the program writes output.txt: --preset columbia reads its answer there";
    let writes = "sleep 0.05; echo \"path_to_goal: ['Right']\" > output.txt";
    for _ in 0..2 {
        // In the second run the file exists before.
        let ran = graded(&[], writes);
        assert!(ran.err.contains(hint), "{ran:?}");
        let why = "it printed nothing; it wrote output.txt, which was not read";
        assert!(ran.out.contains(why), "{ran:?}");
    }
    for (options, script) in [
        (&[][..], "true"), // the file is there, and the program does not write it
        (&[], &format!("{writes}; echo R")),
        (&["--preset", "columbia"], writes),
    ] {
        let ran = graded(options, script);
        assert!(!ran.err.contains("output.txt"), "{script} {ran:?}");
    }
}

#[test]
fn an_answer_can_be_in_the_file_that_the_columbia_course_asks_for() {
    let dir = built();
    let solver = dir.path().join("driver.sh");
    let script = "[ -e output.txt ] && exit 9\n[ $1 $2 = bfs1,2,3,4,5,6,7,0,8 ] || exit 8\n\
                  printf \"path_to_goal: ['Right']\\ncost_of_path: 1\\nnodes_expanded: 5\\n\" > output.txt\n";
    std::fs::write(&solver, script.replace("$1 $2", "$1$2")).unwrap();
    let boards = dir.path().join("boards.txt");
    std::fs::write(&boards, format!("{NEAR}\n{NEAR}\n")).unwrap();
    let mut command = puzzledb(dir.path());
    command.current_dir(dir.path()).args([
        "grade",
        "--preset",
        "columbia",
        "--boards",
        "boards.txt",
    ]);
    command.args(["--", "sh", "driver.sh", "bfs", "{board:commas}"]);
    let ran: CommandResult = command.output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let jobs = ["grade", "--preset", "columbia", "--jobs", "2", "--", "true"];
    assert_eq!(run(dir.path(), &jobs).code, Some(2));
}

#[test]
fn a_pattern_says_where_the_answer_is() {
    let dir = tempfile::tempdir().unwrap();
    let answer = ["--answer", "way: (.*)"];
    for (board, script, expected) in [
        (
            NEAR,
            "echo path: UL; echo way: L; echo way: R; echo 31",
            "optimal",
        ),
        (NEAR, "echo way: U", "does not reach the goal"),
        (NEAR, "echo R", "no answer found"),
        (
            UNSOLVABLE,
            "echo path: UL; echo no solution",
            "unsolvable (rightly said)",
        ),
    ] {
        let (told, _) = outcome(dir.path(), &answer, board, script);
        assert_eq!(told, expected, "{script}");
    }
}

#[test]
fn a_program_can_number_the_blank_otherwise() {
    let script = r#"test "$0/$1" = "012384675/0 1 2 3 4 5 6 7 8" && echo 4 5"#;
    let arguments = [
        "--boards",
        "-",
        "--",
        "sh",
        "-c",
        script,
        "{board}",
        "{goal:spaced}",
    ];
    let dir = tempfile::tempdir().unwrap();
    let ran = run_with_input(
        dir.path(),
        &[&["grade", "--blank", "8"], &arguments[..]].concat(),
        b"0 1 2 3 8 4 6 7 5\n",
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

/// Programs that read the board from a file or from standard input, and print it back with its lines
/// joined by `|` and its words by `-`. Their output is not read as an answer, and is in the report.
#[test]
fn a_board_can_be_in_a_file_or_on_standard_input_in_several_forms() {
    let dir = built();
    let temporary = dir.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let show = "cat $1 | tr '\\n ' '|-' | sed 's/^/saw:/'; case $1 in /*) [ -f $1 ];; esac";
    for (options, place, seen) in [
        (&[][..], "{board:file}", "saw:123456708|"),
        (&[], "{board:file:spaced}", "saw:1-2-3-4-5-6-7-0-8|"),
        (&[], "{board:file:rows}", "saw:1-2-3|4-5-6|7-0-8|"),
        (&[], "{board:file:size-first}", "saw:3|1-2-3|4-5-6|7-0-8|"),
        (&[], "{goal:file:rows}", "saw:1-2-3|4-5-6|7-8-0|"),
        (&["--stdin", "plain"], "-", "saw:123456708|"),
        (&["--stdin", "commas"], "-", "saw:1,2,3,4,5,6,7,0,8|"),
        (&["--stdin", "rows"], "-", "saw:1-2-3|4-5-6|7-0-8|"),
        (&["--stdin", "size-first"], "-", "saw:3|1-2-3|4-5-6|7-0-8|"),
        (
            &["--stdin", "xy"],
            "-",
            "saw:1,2|0,0|1,0|2,0|0,1|1,1|2,1|0,2|2,2|",
        ),
        (
            &["--stdin", r"2\n{rows}\n3\n"],
            "-",
            "saw:2|1-2-3|4-5-6|7-0-8|3|",
        ),
        (
            &["--stdin", r"\\n{goal:commas} "],
            "-",
            r"saw:\n1,2,3,4,5,6,7,8,0-",
        ),
    ] {
        let boards = dir.path().join("boards.txt");
        std::fs::write(&boards, NEAR).unwrap();
        let mut command = puzzledb(dir.path());
        command.args(["grade", "--report", "json", "--boards"]);
        command.arg(boards).args(options);
        // With the board in an argument, standard input has it only with `--stdin`.
        command.args(["--", "sh", "-c", show, "solver", place, "{board}"]);
        let ran: CommandResult = command.env("TMPDIR", &temporary).output().unwrap().into();
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
        let said = report["boards"][0]["said"].as_str().unwrap();
        assert_eq!(said, seen, "{options:?} {place} {ran:?}");
        let left = std::fs::read_dir(&temporary).unwrap().count();
        assert_eq!(left, 0, "{place}");
    }
    let refused = run(dir.path(), &["grade", "--stdin", "row", "--", "true"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("the program does not get the board"),
        "{}",
        refused.err
    );
}

#[test]
fn a_program_that_asks_for_more_input_is_hinted_at() {
    let dir = built();
    let hint = "the program seems to ask for input that it does not get: --stdin TEXT gives it";
    for (options, script, is_hinted) in [
        (&[][..], "printf 'Board: '; read board || exit 1", true),
        (&["--time", "300ms"], "printf 'Board? '; sleep 60", true),
        (
            &["--stdin", "{board}"],
            "echo EOFError: EOF when reading a line >&2; exit 1",
            true,
        ),
        (&[], "echo Board:", false),
        (&[], "printf 'Board: '; echo R", false),
    ] {
        let ran = graded(dir.path(), options, NEAR, script);
        assert_eq!(ran.err.contains(hint), is_hinted, "{script}: {ran:?}");
        let why = "it seems to ask for input";
        assert_eq!(ran.out.contains(why), is_hinted, "{script}: {ran:?}");
    }
    let asks = "printf 'Board: '; read board; printf 'Method: '; read method; [ $method = 3 ] && printf 'Path: R'";
    let ran = graded(
        dir.path(),
        &["--stdin", r"{board}\n3\n"],
        NEAR,
        &format!("{asks} || exit 1"),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
}

#[test]
fn bad_usage_is_told_before_anything_runs() {
    let dir = built();
    for (args, message) in [
        (
            &["--", "no-such-solver"][..],
            "cannot start no-such-solver: No such file",
        ),
        (&["--", "/"], "cannot start /: Permission denied"),
        (
            &["--", "echo", "{board:tiles}"],
            "there is no {board:tiles}",
        ),
        (
            &["--timeout", "soon", "--", "true"],
            "\"soon\" is not a time",
        ),
        (&["--cpu", "0", "--", "true"], "\"0\" is too little"),
        (&["--memory", "0", "--", "true"], "\"0\" is too little"),
        (
            &["--boards", "/no/such/file", "--", "true"],
            "cannot read /no/such/file",
        ),
        (
            &["--boards", "/dev/zero", "--", "true"],
            "/dev/zero is larger than",
        ),
        (
            &["--sample", "200000", "--", "true"],
            "only 181440 boards fit",
        ),
        (
            &["--output", "/no/such/folder/x", "--", "true"],
            "cannot write /no/such/folder/x",
        ),
        (&["--sample", "3"], "<CMD>"),
        (&["--each", "true {board}", "src"], "has no {submission}"),
        (&["--each", "'{submission}", "src"], "is not closed"),
        (
            &["--each", "{submission}", "/no/folder"],
            "cannot read /no/folder",
        ),
        (
            &["--each", "no-such {submission}", "src"],
            "cannot start no-such",
        ),
        (
            &["--each", "{submission}", "src", "--", "true"],
            "cannot be used with",
        ),
    ] {
        let ran = run(dir.path(), &[&["grade"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
    let bad = run_with_input(
        dir.path(),
        &["grade", "--boards", "-", "--", "true"],
        b"123456780\nx\n",
    );
    assert!(
        bad.code == Some(2) && bad.err.contains("-: line 2: "),
        "{}",
        bad.err
    );
}

#[test]
fn boards_too_large_for_an_optimum_are_judged_by_the_rules_alone() {
    let dir = tempfile::tempdir().unwrap();
    let goal = (1..25)
        .map(|tile| tile.to_string())
        .collect::<Vec<_>>()
        .join(" ");
    let near = goal.replace(" 24", " 0 24");
    let odd = format!("{} 0", goal.replace("23 24", "24 23"));
    let boards = format!("{near}\n{odd}\n");
    let graded = |script: &str, report: &str| {
        let options = [
            "grade", "--shape", "5x5", "--boards", "-", "--report", report,
        ];
        let command = ["--", "sh", "-c", script, "{board:spaced}"];
        let arguments = [&options[..], &command].concat();
        run_with_input(dir.path(), &arguments, boards.as_bytes())
    };
    let solver = r#"case "$0" in *"0 24") echo R;; *) echo unsolvable;; esac"#;
    let right = graded(solver, "text");
    assert_eq!(right.code, Some(0), "{}{}", right.out, right.err);
    for line in ["unsolvable       1       1", "unknown       1       1"] {
        assert!(right.out.contains(line), "{}", right.out);
    }
    assert!(right.out.contains("1 reaches the goal (optimum unknown)"));
    let json: serde_json::Value = serde_json::from_str(&graded(solver, "json").out).unwrap();
    let optima = json["summary"]["by_distance"].as_array().unwrap().iter();
    let optima: Vec<_> = optima.map(|row| row["optimum"].as_str().unwrap()).collect();
    assert_eq!(optima, ["unsolvable", "unknown"]);
    for (report, group) in [("junit", r#"classname="unknown""#), ("html", ">?</text>")] {
        let ran = graded(solver, report);
        assert!(ran.out.contains(group), "{}", ran.out);
    }
    // A path that misses the goal is wrong, and a length alone proves nothing.
    let wrong = graded(r#"case "$0" in *"0 24") echo U;; *) echo 7;; esac"#, "text");
    assert_eq!(wrong.code, Some(1));
    for outcome in [
        "1 does not reach the goal",
        "1 impossible: the board is unsolvable",
    ] {
        assert!(wrong.out.contains(outcome), "{}", wrong.out);
    }
    let length = graded("echo length: 1", "csv");
    assert!(
        length
            .out
            .contains("possible length (optimum unknown),false"),
        "{}",
        length.out
    );
}
