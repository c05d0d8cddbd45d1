//! Promise: boards are drawn uniformly, from exactly those that were asked for, and the same for
//! the same seed everywhere.

use std::collections::{HashMap, HashSet};

use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::{GenerateError, Request, generate_unsolvable};
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal, generate_by_walk};

use crate::run::{built, run};

fn oracle() -> Oracle {
    Oracle::for_goal(&"123456780".parse().unwrap()).unwrap()
}

fn request(distance: u8, count: usize, seed: u64) -> Request {
    Request::new(distance..=distance, count, seed)
}

#[test]
fn every_board_is_at_the_distance_and_none_comes_twice() {
    let oracle = oracle();
    for distance in [0, 1, 7, 20, 30, 31] {
        let all = oracle.table().unwrap().header().levels()[usize::from(distance)] as usize;
        let boards = oracle
            .generate(&request(distance, all.min(500), 3))
            .unwrap();
        assert!(boards.iter().all(|b| oracle.distance(b) == Ok(distance)));
        assert_eq!(boards.iter().collect::<HashSet<_>>().len(), all.min(500));
        assert!(oracle.generate(&request(distance, all, 3)).is_ok());
        let error = oracle.generate(&request(distance, all + 1, 3)).unwrap_err();
        let (available, wanted) = (all as u64, all + 1);
        let expected = GenerateError::TooFew { available, wanted };
        assert_eq!(error.to_string(), expected.to_string());
    }
}

#[test]
fn unique_boards_have_one_solution_and_there_are_as_many_as_published() {
    let oracle = oracle();
    let request = |count| {
        let mut request = Request::new(1..=31, count, 0);
        request.unique = true;
        request
    };
    let boards = oracle.generate(&request(300)).unwrap();
    assert!(boards.iter().all(|b| oracle.count_solutions(b) == Ok(1)));
    // 78,033 with the goal, by data/3x3-heuristics-solcount.csv.
    let error = oracle.generate(&request(100_000)).unwrap_err().to_string();
    assert_eq!(error, "only 78032 boards fit, and 100000 are wanted");
}

#[test]
fn unsolvable_boards_are_unsolvable() {
    let oracle = oracle();
    let boards: Vec<Board> = generate_unsolvable(oracle.space().unwrap(), 1_000, 9).collect();
    assert!(boards.iter().all(|b| oracle.distance(b).is_err()));
    assert!(boards.iter().collect::<HashSet<_>>().len() > 950);
}

/// 221 boards are at distance 30; of 2,210 draws each should have about 10. The sum of squares
/// is within five standard deviations of what uniform draws give; the seeds are fixed.
#[test]
#[ignore = "full run"]
fn the_draw_is_uniform() {
    let oracle = oracle();
    let mut drawn = HashMap::<Board, f64>::new();
    for seed in 0..2_210 {
        let board = oracle.generate(&request(30, 1, seed)).unwrap()[0];
        *drawn.entry(board).or_default() += 1.0;
    }
    assert_eq!(drawn.len(), 221);
    let chi_squared: f64 = drawn.values().map(|n| (n - 10.0) * (n - 10.0) / 10.0).sum();
    let deviations = (chi_squared - 220.0) / (2.0 * 220.0f64).sqrt();
    assert!(
        deviations.abs() < 5.0,
        "chi squared {chi_squared} for 220 degrees of freedom"
    );
}

#[test]
fn a_seed_draws_the_same_boards_on_every_machine() {
    let dir = tempfile::tempdir().unwrap();
    let drawn = |args: &[&str]| run(dir.path(), &[&["generate"], args].concat()).out;
    assert_eq!(
        drawn(&["--distance", "20", "-n", "3", "--seed", "1"]),
        "023475618\n641703258\n236541780\n"
    );
    assert_eq!(
        drawn(&["--unsolvable", "-n", "2", "--seed", "1"]),
        "587024163\n067423581\n"
    );
    assert_eq!(
        drawn(&["--shape", "2x5", "--min", "50", "-n", "2", "--seed", "7"]),
        "9031245867\n4528109736\n"
    );
    let named = ["--distance", "25..31", "-n", "4", "--seed", "7"];
    let older = ["--min", "25", "--max", "31", "-n", "4", "--seed", "7"];
    assert_eq!(drawn(&named), drawn(&older));
    assert_eq!(
        drawn(&["--unique", "--min", "25", "--seed", "2"]),
        "814027356\n"
    );
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], reason: &str| {
        let ran = run(dir.path(), &[&["generate"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(reason), "{args:?}: {}", ran.err);
    };
    refused(&["--distance", "32"], "go up to 31");
    refused(&["--distance", "31", "-n", "3"], "only 2 boards");
    refused(
        &["--min", "9", "--max", "8"],
        "no distance is 9 or more and 8 or less",
    );
    refused(&["--unsolvable", "--distance", "3"], "cannot be used with");
}

/// Boards of a space too large to be listed come from trials or from a search. Each is at its distance,
/// none comes twice, and equal seeds draw equal boards.
#[test]
#[ignore = "full run"]
fn large_spaces_are_drawn_from_too() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &["build", "--shape", "3x4"]);
    for (distance, count) in [("53", "18"), ("52", "10"), ("36", "200"), ("1", "2")] {
        let args = [
            "generate",
            "--shape",
            "3x4",
            "--distance",
            distance,
            "-n",
            count,
            "--seed",
            "4",
        ];
        let drawn = run(dir.path(), &args);
        assert_eq!(drawn.code, Some(0), "{drawn:?}");
        assert_eq!(run(dir.path(), &args), drawn);
        let boards: HashSet<&str> = drawn.out.lines().collect();
        assert_eq!(boards.len().to_string(), count);
        let solved = crate::run::run_with_input(
            dir.path(),
            &["solve", "--shape", "3x4"],
            drawn.out.as_bytes(),
        );
        let at_distance = |line: &str| line.split('\t').nth(1) == Some(distance);
        assert!(solved.out.lines().all(at_distance), "{distance}");
    }
    let all = run(
        dir.path(),
        &["generate", "--shape", "3x4", "--distance", "53", "-n", "19"],
    );
    assert!(
        all.code == Some(2) && all.err.contains("only 18 boards"),
        "{all:?}"
    );
}

/// Walks never take back a move, so the boards of short walks are as far away as the walk is long. At
/// every step each way is equally likely.
#[test]
fn a_walk_never_turns_back_and_takes_every_way_equally_often() {
    let oracle = oracle();
    let goal = *oracle.goal();
    // The shortest cycle has 12 moves, so two walks of up to 5 moves end on different boards.
    for moves in 0..=5 {
        let mut boards = generate_by_walk(&goal, moves, 300, 4);
        assert!(boards.all(|b| oracle.distance(&b) == Ok(moves as u8)));
    }
    let mut counts: HashMap<String, u32> = HashMap::new();
    for board in generate_by_walk(&goal, 3, 3_600, 5) {
        *counts.entry(board.to_string()).or_default() += 1;
    }
    // Up or left (2 ways), then on along the edge or into the centre (2 ways), then 1 or 3 ways.
    let level = oracle.table().unwrap().header().levels()[3] as usize;
    assert_eq!(counts.len(), level);
    let mut counts: Vec<u32> = counts.into_values().collect();
    counts.sort_unstable();
    let (thirds, corners) = counts.split_at(6);
    assert!(
        thirds.iter().all(|n| (300 - 80..300 + 80).contains(n)),
        "{thirds:?}"
    );
    assert!(
        corners.iter().all(|n| (900 - 130..900 + 130).contains(n)),
        "{corners:?}"
    );
}

#[test]
fn boards_of_any_distance_are_drawn_for_every_shape_without_a_database() {
    let dir = tempfile::tempdir().unwrap();
    for shape in ["3x4", "4x4", "6x6", "8x8"] {
        let args = ["generate", "--shape", shape, "--count", "20", "--seed", "3"];
        let solvable = run(dir.path(), &args);
        let unsolvable = run(dir.path(), &[&args[..], &["--unsolvable"]].concat());
        let shape: Shape = shape.parse().unwrap();
        let goal = UsualGoal::Last.board(shape);
        for (ran, solved) in [(solvable, true), (unsolvable, false)] {
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shape}");
            let mut lines: Vec<&str> = ran.out.lines().collect();
            for line in &lines {
                let board = puzzledb::puzzle::parse_board(line.as_bytes(), Some(shape)).unwrap();
                assert_eq!(board.is_solvable_to(&goal), solved, "{line}");
            }
            lines.dedup();
            assert_eq!(lines.len(), 20);
        }
    }
}

#[test]
fn boards_at_a_distance_need_no_table() {
    let dir = tempfile::tempdir().unwrap();
    for (shape, options) in [("4x4", ["--distance", "24"]), ("3x5", ["--min", "20"])] {
        let args = [
            "generate", "--shape", shape, options[0], options[1], "--seed", "5", "-n", "4",
        ];
        let ran = run(dir.path(), &args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shape}");
        assert_eq!(run(dir.path(), &args).out, ran.out);
        let boards: Vec<&str> = ran.out.lines().collect();
        assert_eq!(boards.len(), 4);
        for board in boards {
            let probed = run(dir.path(), &["probe", "--shape", shape, "--json", board]);
            let probed: serde_json::Value = serde_json::from_str(&probed.out).unwrap();
            let distance = probed["distance"].as_u64().unwrap();
            assert!(
                distance == 24 || shape == "3x5" && distance >= 20,
                "{board}: {distance}"
            );
        }
    }
    for (distance, why) in [
        ("1", "only 2 boards fit, and 3 are wanted"),
        (
            "81",
            "no 4x4 board is more than 80 moves away from this goal",
        ),
    ] {
        let args = ["--distance", distance, "-n", "3", "--seed", "1"];
        let ran = run(
            dir.path(),
            &[&["generate", "--shape", "4x4"], &args[..]].concat(),
        );
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn walks_serve_every_shape_and_goal_without_a_database() {
    for (shape, goal) in [
        ("2x2", "first"),
        ("3x4", "last"),
        ("4x4", "spiral"),
        ("5x5", "last"),
        ("8x8", "first"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let args = ["generate", "--walk", "75", "--shape", shape, "--goal", goal];
        let ran = run(
            dir.path(),
            &[&args[..], &["--count", "20", "--seed", "3"]].concat(),
        );
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shape}");
        assert_eq!(ran.out.lines().count(), 20);
        let shape: Shape = shape.parse().unwrap();
        let target = UsualGoal::ALL.into_iter().find(|g| g.to_string() == goal);
        let target = target.unwrap().board(shape);
        let blank_is_odd =
            |board: &Board| (board.blank() / shape.cols() + board.blank() % shape.cols()) % 2;
        for line in ran.out.lines() {
            let board = puzzledb::puzzle::parse_board(line.as_bytes(), Some(shape)).unwrap();
            assert!(board.is_solvable_to(&target), "{line}");
            assert_ne!(
                blank_is_odd(&board),
                blank_is_odd(&target),
                "75 moves are odd"
            );
        }
        let again = run(
            dir.path(),
            &[&args[..], &["-n", "20", "--seed", "3"]].concat(),
        );
        assert_eq!(again.out, ran.out);
        let other = run(
            dir.path(),
            &[&args[..], &["-n", "20", "--seed", "4"]].concat(),
        );
        assert_ne!(other.out, ran.out);
        let unnamed = run(dir.path(), &args);
        assert!(
            unnamed.err.contains("draws the same again"),
            "{}",
            unnamed.err
        );
    }
    let dir = tempfile::tempdir().unwrap();
    let both = run(dir.path(), &["generate", "--walk", "9", "--distance", "3"]);
    assert_eq!(both.code, Some(2));
}

#[test]
fn json_has_the_distances_and_errors_come_without_notes() {
    let dir = tempfile::tempdir().unwrap();
    for (shape, distances) in [("3x3", 0..=31), ("2x3", 5..=9)] {
        let (least, most) = (distances.start().to_string(), distances.end().to_string());
        let bounds = [
            "--min", &least, "--max", &most, "--count", "20", "--seed", "7",
        ];
        let args = [&["generate", "--shape", shape], &bounds[..]].concat();
        let plain = run(dir.path(), &args).out;
        let drawn = run(dir.path(), &[&args[..], &["--json"]].concat()).out;
        for (line, board) in drawn.lines().zip(plain.lines()) {
            let drawn: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(
                (&drawn["board"], &drawn["seed"]),
                (&board.into(), &7.into())
            );
            let solved = run(dir.path(), &["solve", "--shape", shape, board]).out;
            let length = solved.split('\t').nth(1).unwrap();
            assert_eq!(drawn["distance"].to_string(), length);
            assert!(distances.contains(&length.parse().unwrap()));
        }
        assert_eq!(drawn.lines().count(), 20);
    }
    let walk = run(
        dir.path(),
        &["generate", "--walk", "9", "--json", "--seed", "1"],
    );
    assert!(walk.out.contains("\"distance\":null"), "{walk:?}");
    let wrong = run(dir.path(), &["generate", "--distance", "40"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.starts_with("error: "), "{}", wrong.err);
}

/// By a count of its own of what each move seems to do and does.
#[test]
fn ratings_are_those_of_the_moves_on_the_way() {
    let dir = built();
    let args = [
        "generate", "--count", "40", "--seed", "2", "--rate", "--json",
    ];
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let looks = |board: &Board| -> usize {
        let tiles = board
            .tiles()
            .iter()
            .enumerate()
            .filter(|(_, tile)| **tile > 0);
        let far = |(cell, &tile): (usize, &u8)| {
            let home = usize::from(tile) - 1;
            (cell / 3).abs_diff(home / 3) + (cell % 3).abs_diff(home % 3)
        };
        tiles.map(far).sum()
    };
    let far = |board: &Board| oracle.distance(board).unwrap();
    let walk = ["generate", "--walk", "9", "--seed", "2", "--rate", "--json"];
    let walked = run(dir.path(), &walk);
    assert_eq!(walked.code, Some(0), "{}", walked.err);
    for line in ran.out.lines().chain(walked.out.lines()) {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let board: Board = record["board"].as_str().unwrap().parse().unwrap();
        let distance = far(&board);
        let (mut now, mut traps, mut detours) = (board, 0, 0);
        for mv in oracle.solve(&board).unwrap() {
            let neighbours = Move::ALL.into_iter().filter_map(|mv| now.slide(mv));
            let misleads = |next: &Board| looks(next) < looks(&now) && far(next) > far(&now);
            traps += neighbours.filter(misleads).count();
            let next = now.slide(mv).unwrap();
            detours += usize::from(looks(&next) > looks(&now));
            now = next;
        }
        assert_eq!(record["traps"], traps, "{line}");
        assert_eq!(record["detours"], detours, "{line}");
        assert_eq!(
            record["difficulty"],
            usize::from(distance) + detours,
            "{line}"
        );
        assert_eq!(
            record["solution_count"],
            oracle.count_solutions(&board).unwrap(),
            "{line}"
        );
    }
    assert_eq!(ran.out.lines().count(), 40);
}
