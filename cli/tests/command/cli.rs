//! Promise: the command line answers as its help says, in text and in JSON, with the exit codes
//! of the design.

use serde_json::{Value, json};

#[cfg(unix)]
use crate::run::puzzledb;
use crate::run::{CommandResult, built, run, run_with_input};

pub fn json_of(ran: &CommandResult) -> Value {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn probe_lists_the_moves_best_first() {
    let dir = built();
    let ran = run(dir.path(), &["probe", "704851632"]);
    assert_eq!(
        ran.out,
        "704851632\t19\t1\nR\t4\t740851632\t18\nD\t5\t754801632\t20\nL\t7\t074851632\t20\n"
    );
    let probe = json_of(&run(
        dir.path(),
        &["probe", "--json", "7 0 4", "8 5 1", "6 3 2"],
    ));
    assert_eq!(
        probe,
        json!({"board": "704851632", "goal": "123456780", "distance": 19, "solution_count": 1, "steps": [
            {"move": "R", "tile": 4, "board": "740851632", "distance": 18},
            {"move": "D", "tile": 5, "board": "754801632", "distance": 20},
            {"move": "L", "tile": 7, "board": "074851632", "distance": 20},
        ]})
    );
}

#[test]
fn stats_json_has_what_was_promised() {
    let dir = built();
    let stats = json_of(&run(dir.path(), &["stats", "--json"]));
    assert_eq!(stats["shape"], "3x3");
    assert_eq!(stats["goal"], "123456780");
    assert_eq!(stats["states"], 181_440);
    assert_eq!(stats["max_distance"], 31);
    assert!((stats["mean_distance"].as_f64().unwrap() - 21.972_398_589).abs() < 1e-9);
    assert_eq!(
        stats["optimal_solutions"],
        json!({"total": 500_880, "min": 1, "max": 64})
    );
    assert_eq!(stats["hardest"], json!(["647850321", "867254301"]));
    let histogram = stats["histogram"].as_array().unwrap();
    assert_eq!(histogram.len(), 32);
    assert_eq!(histogram[24]["distance"], 24);
    assert_eq!(histogram[24]["states"], 24_047);
    assert_eq!(histogram[24]["solutions"], 71_268);
}

#[test]
fn stats_csv_and_text_agree_with_json() {
    let dir = built();
    let csv = run(dir.path(), &["stats", "--csv"]).out;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 33);
    assert!(rows[0].starts_with("distance,states,solutions,"));
    assert!(
        rows[25].starts_with("24,24047,71268,1,17,4843,0,4879,"),
        "{}",
        rows[25]
    );
    let text = run(dir.path(), &["stats", "--format", "text"]).out;
    for part in [
        "24   24047",
        "mean distance      21.972399",
        "867254301, optimal solutions 40",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn the_histogram_is_well_formed_and_the_same_each_time() {
    let dir = built();
    let file = dir.path().join("histogram.svg");
    let name = file.to_str().unwrap();
    assert_eq!(run(dir.path(), &["stats", "--svg", name]).code, Some(0));
    let svg = std::fs::read_to_string(&file).unwrap();
    assert_eq!(svg.matches("<rect").count(), 1 + 32);
    assert!(svg.contains("distance 24: 24,047 boards"));
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    run(dir.path(), &["stats", "--svg", name]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), svg);
    let nowhere = run(dir.path(), &["stats", "--svg", "/no/such/folder/x.svg"]);
    assert_eq!(nowhere.code, Some(2));
}

#[test]
fn check_says_what_it_proved() {
    let dir = built();
    let ran = run(dir.path(), &["check", "--format", "text"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("of 181440 states") && ran.out.contains("each of 483840 moves"));
    let file = dir.path().join("3x3.pzdb");
    let named = ["check", file.to_str().unwrap(), "--format", "text"];
    assert_eq!(run(dir.path(), &named), ran);
}

#[test]
fn build_and_info_tell_the_same_digest() {
    let dir = tempfile::tempdir().unwrap();
    let built = json_of(&run(dir.path(), &["build", "--json", "--shape", "2x4"]));
    for key in [
        "path",
        "shape",
        "goal",
        "encoding",
        "states",
        "max_distance",
        "bytes",
        "digest",
    ] {
        assert!(!built[key].is_null(), "{key}");
    }
    assert_eq!(built["states"], 20_160);
    let info = json_of(&run(dir.path(), &["info", "--json", "--shape", "2x4"]));
    assert_eq!(info["digest"], built["digest"]);
    assert_eq!(info["bytes"], built["bytes"]);
    let again = json_of(&run(dir.path(), &["build", "--json", "--shape", "2x4"]));
    assert_eq!(again, built);
}

#[test]
fn a_shape_serves_its_transposed_shape_from_the_same_file() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &["build", "--shape", "2x4"]);
    let tall = run(dir.path(), &["solve", "--shape", "4x2", "12345607"]);
    assert_eq!(
        (tall.code, tall.err.as_str()),
        (Some(0), ""),
        "no note: it was found"
    );
    let misfit = dir.path().join("2x4.pzdb");
    let ran = run(
        dir.path(),
        &["solve", "704851632", "--db", misfit.to_str().unwrap()],
    );
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("does not fit"), "{}", ran.err);
    let advice = "--shape 2x4 asks about its boards";
    assert!(ran.err.contains(advice), "{}", ran.err);
    assert!(!ran.err.contains("build"), "{}", ran.err); // it is a good table
    let file = misfit.to_str().unwrap();
    let quick = json_of(&run(dir.path(), &["check", "--quick", "--json", file]));
    assert_eq!(
        (&quick["shape"], &quick["goal"]),
        (&json!("2x4"), &json!("12345670"))
    );
}

#[test]
fn shapes_too_large_and_shapes_that_are_none_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (shape, reason) in [
        ("4x4", "10461394944000 states"),
        ("3x5", "653837184000 states, whose search needs 162.5 GiB"),
        ("5x5", "at most 16 cells"),
        ("9x9", "at most 64 cells"),
        ("1x9", "must be 2 or more"),
        ("3", "is not a shape"),
    ] {
        let ran = run(dir.path(), &["build", "--shape", shape]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(reason), "{shape}: {}", ran.err);
    }
    let goal = "123456789abcdefghijklmno0";
    let ran = run(dir.path(), &["probe", goal]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("16 cells"), "{}", ran.err);
    // The other boards of a file are answered.
    let input = format!("{goal}\n123456708\n");
    let ran = run_with_input(dir.path(), &["solve", "--all"], input.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), "123456708\t1\tR\n"));
    assert!(ran.err.contains("line 1: "), "{}", ran.err);
}

#[test]
fn colours_are_only_where_they_were_asked_for() {
    let dir = built();
    let err = |args: &[&str]| run(dir.path(), args).err;
    assert!(!err(&["solve", "x"]).contains('\x1b'));
    assert!(err(&["solve", "x", "--color", "always"]).contains('\x1b'));
    assert!(!err(&["solve", "x", "--color", "never"]).contains('\x1b'));
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(dir.path(), &["completions", shell]);
        assert!(
            ran.code == Some(0) && ran.out.contains("puzzledb"),
            "{shell}"
        );
    }
    let pages = run(dir.path(), &["man"]).out;
    for command in [
        "puzzledb",
        "puzzledb-solve",
        "puzzledb-verify",
        "puzzledb-man",
    ] {
        assert!(pages.contains(&format!(".TH {command} 1")), "{command}");
    }
    assert!(run(dir.path(), &["man", "solve"]).out.contains("animate"));
    let examples = run(dir.path(), &["man", "grade"]).out;
    assert!(
        examples.contains("EXAMPLES") && examples.contains("{board}"),
        "{examples}"
    );
    assert_eq!(run(dir.path(), &["man", "nothing"]).code, Some(2));
}

#[test]
fn values_complete_in_shells() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = run(dir.path(), &["completions", shell]).out;
        for value in ["idastar", "walking-distance", "spiral", "3x4", "columbia"] {
            assert!(script.contains(value), "{shell}: {value}");
        }
    }
}

#[test]
fn what_was_probably_meant_is_said() {
    let dir = tempfile::tempdir().unwrap();
    for (line, advice) in [
        (
            "search 704851632 --algorithm idstar",
            "did you mean idastar?",
        ),
        (
            "search 704851632 --heuristic manhatan",
            "did you mean manhattan?",
        ),
        ("man solv", "'solve'"),
        ("slove 704851632", "'solve'"),
        ("704851632", "`puzzledb solve 704851632`"),
        ("solve hello", "as 704851632"),
    ] {
        let ran = run(dir.path(), &line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{line}");
        assert!(ran.err.contains(advice), "{line}: {}", ran.err);
    }
    let file = dir.path().join("boards.txt");
    std::fs::write(&file, "704851632").unwrap();
    let ran = run(dir.path(), &["solve", file.to_str().unwrap()]);
    assert!(
        ran.code == Some(2) && ran.err.contains("solve --boards"),
        "{ran:?}"
    );
    let ran = run(dir.path(), &["solve", "704851632", "hello"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.starts_with("704851632\t19\t"), "{ran:?}");
    assert!(ran.err.contains("\"hello\": no board"), "{ran:?}");
    for alias in ["a*", "A-Star", "a_star", "ida*", "dijkstra", "bi-bfs"] {
        let ran = run(
            dir.path(),
            &["search", "704851632", "--json", "--algorithm", alias],
        );
        assert!(
            ran.code == Some(0) && ran.out.contains("\"length\":19"),
            "{alias}: {ran:?}"
        );
    }
}

#[test]
fn alone_it_shows_how_to_begin() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("puzzledb solve 704851632") && ran.out.contains("--help"));
}

#[test]
fn a_quiet_build_says_nothing_and_force_is_no_surprise() {
    let dir = tempfile::tempdir().unwrap();
    let build = |options: &[&str]| {
        run(
            dir.path(),
            &[&["build", "--shape", "2x3"], options].concat(),
        )
    };
    let quiet = build(&["--quiet"]);
    assert_eq!(
        (quiet.code, quiet.out.as_str(), quiet.err.as_str()),
        (Some(0), "", "")
    );
    let again = build(&["--force"]);
    assert!(
        again.code == Some(0) && again.out.contains("built"),
        "{again:?}"
    );
    assert_eq!(again.err, "");
}

#[test]
fn any_goal_by_name_or_as_a_board() {
    let dir = tempfile::tempdir().unwrap();
    let solve = |goal: &str| run(dir.path(), &["solve", "--goal", goal, "123456870"]);
    for goal in ["spiral", "123804765", "[[1,2,3],[8,0,4],[7,6,5]]"] {
        let ran = solve(goal);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let moves = ran.out.trim_end().rsplit('\t').next().unwrap();
        let moves: Vec<_> = moves
            .chars()
            .map(|c| puzzledb::puzzle::Move::from_letter(c).unwrap())
            .collect();
        let board: puzzledb::puzzle::Board = "123456870".parse().unwrap();
        assert_eq!(board.replay(&moves).unwrap().to_string(), "123804765");
    }
    assert_eq!(solve("first").code, Some(1), "of the other parity");
    let bad = solve("middle");
    assert!(
        bad.code == Some(2) && bad.err.contains("last, first or spiral"),
        "{bad:?}"
    );
    let stats = json_of(&run(dir.path(), &["stats", "--json", "--goal", "spiral"]));
    assert_eq!(
        (&stats["goal"], &stats["max_distance"]),
        (&json!("123804765"), &json!(30))
    );
}

#[test]
fn three_files_serve_every_goal_of_the_eight_puzzle() {
    let dir = tempfile::tempdir().unwrap();
    let all = ["build", "--goal", "all"];
    let one = run(dir.path(), &[&all[..], &["-o", "one.pzdb"]].concat());
    assert_eq!(one.code, Some(2), "{one:?}");
    assert_eq!(run(dir.path(), &all).code, Some(0));
    let older = run(dir.path(), &["build", "--all-goals"]);
    assert_eq!(older.out.matches("is there and good").count(), 3);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    for goal in [
        "last",
        "first",
        "spiral",
        "102345678",
        "867254301",
        "123456708",
    ] {
        let ran = run(dir.path(), &["probe", "--goal", goal, "647850321"]);
        let unsolvable = run(dir.path(), &["probe", "--goal", goal, "647850312"]);
        assert!(
            ran.err.is_empty() || unsolvable.err.is_empty(),
            "a note of no file: {goal}"
        );
        assert_ne!(ran.code, unsolvable.code, "{goal}");
        let check = run(dir.path(), &["check", "--goal", goal]);
        assert_eq!((check.code, check.err.as_str()), (Some(0), ""), "{goal}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_names_all_the_same() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(std::ffi::OsStr::from_bytes(b"\xff.pzdb"));
    let output = puzzledb(dir.path())
        .args(["build", "--json", "--output"])
        .arg(&path)
        .output();
    let ran: CommandResult = output.unwrap().into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(path.exists());
}
