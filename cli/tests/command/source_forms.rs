//! Promises: boards, moves and goals in the forms of other programs, and their moves made on boards.

use crate::run::{CommandResult, run, run_with_input};
use serde_json::Value;

/// Runs a command line, its words separated by spaces, in a folder without databases.
fn puzzledb(line: &str) -> CommandResult {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &line.split(' ').collect::<Vec<_>>());
    let files = std::fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(files, 0, "{line} leaves no file");
    ran
}

#[test]
fn moves_in_every_form_lead_to_the_same_board() {
    let dir = tempfile::tempdir().unwrap();
    let boards = "120345678 102345678 142305678 142350678 142358670";
    for (moves, options) in [
        ("LDRD", ""),
        ("l d r d", ""),
        ("L1D1RD", ""),
        ("left, down, right, down", ""),
        ("['Left', 'Down', 'Right', 'Down']", ""),
        ("←↓→↓", ""),
        ("RULU", "--moves tile"),
        ("→ ↑ ← ↑", "--moves tile"),
        ("2 4 5 8", ""),
        ("[2, 4, 5, 8]", "--moves numbers"),
        (boards, ""),
        (&boards.replace(' ', " -> "), ""),
        ("1 3 4 7", "--blank 8"),
    ] {
        let start = match options {
            "--blank 8" => "018234567",
            _ => "120345678",
        };
        let mut args = vec!["apply", start, moves];
        args.extend(options.split(' ').filter(|word| !word.is_empty()));
        let ran = run(dir.path(), &args);
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (Some(0), "142358670\n", ""),
            "{moves} {options}"
        );
    }
}

#[test]
fn a_path_is_converted_to_every_notation_and_back() {
    for (written, options) in [("LDRD", "blank"), ("RULU", "tile"), ("2 4 5 8", "numbers")] {
        let from_blank = puzzledb(&format!("apply 120345678 LDRD --convert {options}"));
        assert_eq!(from_blank.out, format!("{written}\n"));
        let back = puzzledb(&format!(
            "apply 120345678 {written} --moves {options} --convert blank"
        ));
        assert_eq!(back.out, "LDRD\n");
    }
}

#[test]
fn steps_are_drawn_as_solve_draws_them_and_json_has_the_whole_path() {
    let dir = tempfile::tempdir().unwrap();
    let solved = run(dir.path(), &["solve", "123405786", "--steps"]);
    let applied = puzzledb("apply 123405786 R D --steps");
    assert_eq!((applied.code, applied.err.as_str()), (Some(0), ""));
    assert_eq!(applied.out, solved.out);
    let json = puzzledb("apply 123405786 5 6 --json").out;
    assert_eq!(
        serde_json::from_str::<Value>(&json).unwrap(),
        serde_json::json!({
            "board": "123405786", "moves": "RD", "tiles": [5, 6], "length": 2, "end": "123456780",
        })
    );
    assert_eq!(
        run(dir.path(), &["apply", "120345678", ""]).out,
        "120345678\n"
    );
}

#[test]
fn an_impossible_move_is_named_with_its_number_and_the_board() {
    for (line, code, message) in [
        (
            "apply 120345678 LDLLD",
            1,
            "move 4, L, is impossible on the board then, 142035678",
        ),
        (
            "apply 120345678 LU --moves tile",
            1,
            "move 1, L, is impossible on the board then, 120345678",
        ),
        (
            "apply 120345678 2 4 8",
            1,
            "move 3, tile 8, is impossible on the board then, 142305678",
        ),
        (
            "apply 120345678 102345678 142358670",
            1,
            "move 2, to 142358670, is impossible on the board then, 102345678",
        ),
        ("apply 120345678 LXD", 2, "cannot be read as moves of a 3x3"),
        (
            "apply 120345678 LD --moves numbers",
            2,
            "not written in the notation numbers",
        ),
        ("apply 120345677 LD", 2, "7"),
    ] {
        let ran = puzzledb(line);
        assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{line}");
        assert!(ran.err.contains(message), "{line}: {}", ran.err);
    }
}

#[test]
fn moves_are_made_on_boards_of_every_shape_without_a_table() {
    for (rows, cols) in [(2, 2), (2, 5), (3, 4), (4, 4), (5, 5), (5, 8), (8, 8)] {
        let cells = rows * cols;
        let numbers: Vec<String> = (1..cells).chain([0]).map(|n| n.to_string()).collect();
        let dir = tempfile::tempdir().unwrap();
        let (goal, shape) = (numbers.join(" "), format!("{rows}x{cols}"));
        let apply = |moves: &str, options: &[&str]| {
            let args = ["apply", &goal, moves, "--shape", &shape];
            run(dir.path(), &[&args[..], options].concat())
        };
        let tiles = format!("{} {}", cells - cols, cells - cols - 1);
        let named = apply("UL", &["--convert", "numbers"]);
        assert_eq!(
            (named.out, named.err),
            (format!("{tiles}\n"), String::new())
        );
        let end = apply("U L", &[]).out;
        assert_eq!(apply(&tiles, &[]).out, end, "{shape}");
        assert_eq!(apply("ULRD", &[]).out, apply("", &[]).out, "{shape}");
        assert_ne!(apply("", &[]).out, end);
    }
}

#[test]
fn every_command_reads_boards_with_another_number_for_the_blank() {
    let dir = tempfile::tempdir().unwrap();
    let out = |args: &str, input: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        let ran = run_with_input(dir.path(), &args, input.as_bytes());
        assert_eq!(ran.code, Some(0), "{args:?} {ran:?}");
        ran.out
    };
    let numbers = "0 1 2 3 4 5 6 8 7";
    for (board, blank) in [(numbers, "8"), ("1 2 3 4 5 6 7 9 8", "9")] {
        let options = format!("--blank {blank}");
        assert_eq!(
            out(&format!("solve {board} {options}"), ""),
            "123456708\t1\tR\n"
        );
        let word = board.replace(' ', "");
        assert_eq!(
            out(&format!("solve - {options}"), &format!("{word}\n{word}\n")),
            "123456708\t1\tR\n".repeat(2)
        );
        assert_eq!(
            out(&format!("solve - {options}"), &board.replace(' ', "\n")),
            "123456708\t1\tR\n"
        );
        assert!(out(&format!("probe {board} {options}"), "").starts_with("123456708\t1\t1\n"));
        assert!(out(&format!("search {board} --json {options}"), "").contains("\"length\":1,"));
        let compared = format!("compare --boards - --algorithms astar --format json {options}");
        assert!(out(&compared, &word).contains("\"board\":\"123456708\""));
        // The last board read in the same numbering is the goal, so there is nothing to do.
        assert_eq!(
            out(&format!("solve {word} {options} --goal {word}"), ""),
            "123456708\t0\t\n"
        );
        assert_eq!(
            out(&format!("solve {word} {options} --goal last"), ""),
            "123456708\t1\tR\n"
        );
        assert_eq!(
            out(&format!("verify - {options}"), &format!("{word} 1\n")),
            "123456708\toptimal\t1\t1\t\t\n"
        );
    }
}

#[test]
fn a_board_that_does_not_fit_the_number_of_the_blank_is_refused() {
    for (line, message) in [
        ("solve 123456780 --blank 9", "each number from 1 to 9 once"),
        ("probe 123456789 --blank 8", "each number from 0 to 8 once"),
        ("solve 123456789 --blank 9 --goal 123456780", "--goal"),
        (
            "search 123456780 --blank 10",
            "10 for the blank is not a number",
        ),
    ] {
        let ran = puzzledb(line);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{line}");
        assert!(ran.err.contains(message), "{line}: {}", ran.err);
    }
}

/// Advised commands read boards with 0 for the blank.
#[test]
fn advice_names_a_goal_with_0_for_the_blank() {
    let ran = puzzledb("solve 129345678 --blank 9 --goal 912345678");
    assert_eq!(ran.out, "120345678\t2\tLL\n");
    assert!(ran.err.contains("--goal 012345678"), "{}", ran.err);
}

#[test]
fn effort_and_audit_read_another_number_for_the_blank() {
    // Tiles from 0 and the blank as 8: the board is 123405786.
    let other = puzzledb("effort --blank 8 0 1 2 3 8 4 6 7 5 --json");
    let ours = puzzledb("effort 123405786 --json");
    assert_eq!((other.code, other.out), (Some(0), ours.out));
    // Boards of 2x2 with 4 for the blank in place of `0`.
    let dir = tempfile::tempdir().unwrap();
    let graph = [
        ("1 2 3 4", 0),
        ("1 4 3 2", 1),
        ("1 2 4 3", 1),
        ("4 1 3 2", 2),
        ("4 2 1 3", 2),
        ("3 1 4 2", 3),
        ("2 4 1 3", 3),
        ("3 1 2 4", 4),
        ("2 3 1 4", 4),
        ("3 4 2 1", 5),
        ("2 3 4 1", 5),
        ("4 3 2 1", 6),
    ];
    let table = |over: u32| -> String {
        graph
            .iter()
            .map(|(board, distance)| format!("\"{board}\",{}\n", distance + over))
            .collect()
    };
    let audit = |text: &str| {
        let args = [
            "audit", "--shape", "2x2", "--blank", "4", "--table", "-", "--json",
        ];
        run_with_input(dir.path(), &args, text.as_bytes())
    };
    let right = audit(&table(0));
    assert_eq!(right.code, Some(0), "{}{}", right.out, right.err);
    assert!(right.out.contains(r#""admissible":true"#), "{}", right.out);
    let wrong = audit(&table(1));
    assert_eq!(wrong.code, Some(1), "{}{}", wrong.out, wrong.err);
}

#[test]
fn directions_over_the_edge_leave_the_board_as_it_is_where_that_is_asked_for() {
    for (moves, end) in [
        ("RRD", "123456780"),
        ("RRRRR", "123450786"),
        ("UUUUR", "120453786"),
        ("LLU --moves tile", "123456780"),
    ] {
        let line = format!("apply 123450786 {moves} --edges stay");
        assert_eq!(puzzledb(&line).out, format!("{end}\n"), "{line}");
    }
    let over = puzzledb("apply 123450786 RRD");
    assert_eq!(over.code, Some(1), "an error without it");
    let numbers = puzzledb("apply 123450786 6 --edges stay");
    assert_eq!(numbers.code, Some(2), "tiles have no edge");
}

#[test]
fn a_board_and_its_goal_are_read_from_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pair.txt");
    for text in [
        "Start:\n1 2 3\n4 5 6\n7 0 8\n\nGoal state (3x3):\n1 2 3\n4 5 6\n7 8 0\n",
        "3\n1 2 3\n4 5 6\n7 0 8\n1 2 3\n4 5 6\n7 8 0\n",
        "start = [[1,2,3],[4,5,6],[7,0,8]]\ngoal = [[1,2,3],[4,5,6],[7,8,0]]\n",
        "123456708\n123456780\n",
    ] {
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        for (command, out) in [
            ("solve", "123456708\t1\tR\n"),
            ("probe", "123456708\t1\t1\n"),
        ] {
            let ran = run(dir.path(), &[command, "--pair", path, "--format", "tsv"]);
            assert!(ran.out.starts_with(out), "{text:?} {ran:?}");
            let arguments = [command, "--pair", "-", "--format", "tsv"];
            let ran = run_with_input(dir.path(), &arguments, text.as_bytes());
            assert!(ran.out.starts_with(out), "{text:?} {ran:?}");
        }
    }
    std::fs::write(&path, "1 2 3 4 5 6 7 8 0\n8 0 7 6 5 4 3 2 1\n").unwrap();
    let ran = run(
        dir.path(),
        &["effort", "--pair", path.to_str().unwrap(), "--json"],
    );
    assert!(ran.out.contains("\"board\":\"123456780\""), "{ran:?}");
    std::fs::write(&path, "nothing\n").unwrap();
    let ran = run(dir.path(), &["solve", "--pair", path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("has no board and goal"), "{}", ran.err);
}

#[test]
fn lines_of_programs_and_matrices_are_boards() {
    let dir = tempfile::tempdir().unwrap();
    let lines = "int board[3][3] = {{1,2,3},{4,5,6},{7,0,8}}; // one move\n\
                 board = [[1, 2, 3], [4, 5, 6], [7, 0, 8]]  # the same\n\
                 \\begin{bmatrix} 1 & 2 & 3 \\\\ 4 & 5 & 6 \\\\ 7 & 0 & 8 \\end{bmatrix}\n";
    let ran = run_with_input(dir.path(), &["solve", "-"], lines.as_bytes());
    assert_eq!(ran.out, "123456708\t1\tR\n".repeat(3), "{}", ran.err);
    for line in lines.lines() {
        let ran = run(dir.path(), &["solve", line, "--format", "tsv"]);
        assert_eq!(ran.out, "123456708\t1\tR\n", "{}", ran.err);
    }
}
