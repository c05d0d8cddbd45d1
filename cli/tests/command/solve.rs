//! Promise: `solve` answers each board with a shortest solution, in every form, or says why there is none.

use serde_json::{Value, json};

use crate::cli::json_of;
use crate::run::{built, run, run_with_input};

#[test]
fn solve_needs_no_build() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &["solve", "704851632"]);
    assert_eq!(ran.out, "704851632\t19\tRDDLLUURRDDLLUURRDD\n");
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.err.lines().count(), 1, "one line says how: {}", ran.err);
    let wide = run(dir.path(), &["solve", "--shape", "2x5", "0937154826"]);
    assert!(wide.out.starts_with("0937154826\t55\t"), "{wide:?}");
}

#[test]
fn solve_answers_each_board_on_a_line_in_order() {
    let dir = built();
    let boards = [
        "120483765",
        "208135467",
        "704851632",
        "536407182",
        "638541720",
        "123456780",
    ];
    let ran = run(dir.path(), &[&["solve"][..], &boards].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lengths: Vec<(&str, &str)> = ran
        .out
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells[1], cells[2].len().to_string());
            (cells[0], cells[1])
        })
        .collect();
    assert_eq!(
        lengths,
        std::iter::zip(boards, ["6", "15", "19", "22", "28", "0"]).collect::<Vec<_>>()
    );
}

#[test]
fn solve_writes_moves_in_each_notation() {
    let dir = built();
    let moves = |how: &str| {
        let ran = run(dir.path(), &["solve", "123405786", "--moves", how]);
        ran.out.trim_end().rsplit('\t').next().unwrap().to_owned()
    };
    assert_eq!(moves("blank"), "RD");
    assert_eq!(moves("tile"), "LU");
    assert_eq!(moves("numbers"), "5 6");
}

#[test]
fn solve_all_lists_every_optimal_solution() {
    let dir = built();
    let ran = run(dir.path(), &["solve", "--all", "638541720", "647850321"]);
    let of = |board: &str| ran.out.lines().filter(|l| l.starts_with(board)).count();
    assert_eq!((of("638541720\t28\t"), of("647850321\t31\t")), (13, 40));
    let mut lines: Vec<&str> = ran.out.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 53, "all different");
}

#[test]
fn solve_steps_draws_every_board() {
    let dir = built();
    let ran = run(dir.path(), &["solve", "--steps", "123405786"]);
    let expected = "123405786: 2 moves\n\n1 2 3\n4 . 5\n7 8 6\n\n\
                    1: blank R, tile 5\n1 2 3\n4 5 .\n7 8 6\n\n\
                    2: blank D, tile 6\n1 2 3\n4 5 6\n7 8 .\n\n";
    assert_eq!(ran.out, expected);
}

#[test]
fn solve_json_has_what_was_promised() {
    let dir = built();
    let solved = json_of(&run(dir.path(), &["solve", "--json", "208135467"]));
    assert_eq!(solved["board"], "208135467");
    assert_eq!(solved["goal"], "123456780");
    assert_eq!(solved["distance"], 15);
    assert_eq!(solved["solution_count"], 3);
    assert_eq!(solved["moves"].as_str().unwrap().len(), 15);
    assert_eq!(solved["tiles"].as_array().unwrap().len(), 15);
    let all = json_of(&run(dir.path(), &["solve", "--json", "--all", "208135467"]));
    assert_eq!(all["solutions"].as_array().unwrap().len(), 3);
    let none = run(dir.path(), &["solve", "--json", "123456870"]);
    assert_eq!(none.code, Some(1));
    let none: Value = serde_json::from_str(&none.out).unwrap();
    assert_eq!(
        (&none["distance"], &none["solution_count"]),
        (&Value::Null, &json!(0))
    );
    // From a stream the counts come from a table of all counts.
    let streamed = run_with_input(dir.path(), &["solve", "--json"], b"208135467\n");
    assert_eq!(json_of(&streamed), solved);
}

#[test]
fn an_unsolvable_board_says_why_and_names_a_goal_that_fits() {
    let dir = built();
    let ran = run(dir.path(), &["solve", "123456870"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(1), "123456870\tunsolvable\t\n")
    );
    assert!(
        ran.err.contains("parity") && ran.err.contains("1 2 3 / 8 0 4 / 7 6 5 (--goal spiral)"),
        "{}",
        ran.err
    );
    let probed = run(dir.path(), &["probe", "123456870"]);
    assert_eq!((probed.code, probed.out.as_str()), (Some(1), ""));
    assert!(probed.err.contains("parity"), "{}", probed.err);
}

#[test]
fn bad_boards_are_refused_with_the_reason_and_exit_code_2() {
    let dir = built();
    for (board, reason) in [
        (
            "704851633",
            "tile 3 is there twice (cells 8 and 9) and tile 2 is missing",
        ),
        ("704851634", "tile 4 is there twice"),
        (
            "704851682",
            "tile 8 is there twice (cells 4 and 8) and tile 3 is missing",
        ),
        ("70485163z", "\"z\" in cell 9 is not a tile"),
        ("70485163", "8 cells"),
        ("7048516321", "10 cells"),
        ("", "no board here"),
        ("   ", "no board here"),
        ("704851639", "9 in cell 9 is not a tile of a 3x3 board"),
    ] {
        for command in ["solve", "probe"] {
            let ran = run(dir.path(), &[command, board]);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{board:?}");
            assert!(ran.err.contains(reason), "{board:?}: {}", ran.err);
        }
    }
}

#[test]
fn the_picture_slides_each_tile_to_its_place_in_the_goal() {
    let dir = built();
    let file = dir.path().join("solve.svg");
    let name = file.to_str().unwrap();
    let solved = |board: &str| {
        let ran = run(dir.path(), &["solve", board, "--svg", name]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
        std::fs::read_to_string(&file).unwrap()
    };
    let svg = solved("536407182");
    let document = roxmltree::Document::parse(&svg).unwrap();
    let count = |class: &str| {
        let classes = document
            .descendants()
            .filter_map(|node| node.attribute("class"));
        classes
            .filter(|classes| classes.split(' ').any(|one| one == class))
            .count()
    };
    assert_eq!((count("tile"), count("bar"), count("now")), (8, 32, 23));
    for tile in 1..9 {
        let cell = tile - 1;
        let place = format!(
            "translate({}px,{}px)",
            24 + cell % 3 * 72,
            24 + cell / 3 * 72
        );
        let frames = svg
            .lines()
            .find(|line| line.starts_with(&format!("@keyframes t{tile}{{")));
        assert!(
            frames
                .unwrap()
                .ends_with(&format!("100.00%{{transform:{place}}}}}")),
            "{tile}"
        );
    }
    // No table knows how many 15-puzzles there are at each distance.
    let large = solved("123456789abcde0f");
    assert!(large.matches("class=\"tile").count() == 15 && !large.contains("class=\"bar"));
    let unsolvable = run(dir.path(), &["solve", "213456780", "--svg", name]);
    assert_eq!(unsolvable.code, Some(1));
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        large,
        "what is there stays"
    );
}
