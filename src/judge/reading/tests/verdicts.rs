//! What whole outputs are worth: the reader and the judge together.

use super::*;

/// Its only optimum is RD.
const BOARD: &str = "123405786";

/// The verdict on an output about `board`, or `no answer found`.
pub(super) fn verdict(board: &str, output: &str) -> String {
    let board = board.parse().unwrap();
    let Some(answer) = find_answer(output.as_bytes(), &board, EIGHT.goal()) else {
        return "no answer found".to_owned();
    };
    EIGHT
        .judge(&board, &answer, None)
        .unwrap()
        .verdict
        .to_string()
}

#[track_caller]
fn optimal(board: &str, outputs: &[&str]) {
    for output in outputs {
        assert_eq!(verdict(board, output), "optimal", "{output}");
    }
}

#[test]
fn a_length_does_not_hide_a_path_that_is_wrong_or_cannot_be_read() {
    for output in [
        "Solution: U, U (2 moves)",
        "Solution: U, L (2 moves)",
        "Moves: 2 (U, L)",
        "UL (2 moves)",
        "path: UUUU, cost: 2",
        "path=UL length=2",
        "Path: start -> UP -> LEFT -> goal\nLength: 2",
        "Path: ['', 'U', 'L']\nCost: 2",
        "Path: [None, 'U', 'L']\nCost: 2",
        "{\n  \"path\": [\n    \"start\",\n    \"UP\",\n    \"LEFT\"\n  ],\n  \"length\": 2\n}",
        "1 2 3\n4 0 5\n7 8 6\n\n1 2 3\n4 5 6\n7 8 0\n\n2 moves",
        "Solution: R, X (2 moves)",
        "Solution: X (2 moves)",
        "R, X\n2 moves",
        "RX\nLength: 2",
        "['Right', 'Dwn']\n2",
        "Path: ['Right', 'Down'\nCost: 2",
        "Right\nDwon\nDown\nX\n2 moves",
        "1. Right\n2. Dowwn\nSolved in 2 moves",
        "[5, 99]\nLength: 2",
        "{\"path\": \"UL\", \"length\": 2",
        "{\"best_path\": [\"U\", \"L\"], \"length\": 2}",
        "{\"path\": [{\"foo\": 1}], \"length\": 2}",
        "Result: {'path': ['Up', 'Left'], 'cost': 2}",
        "The moves are RX\nCost: 2",
        "123405786\n12345786\n123456780\n2 moves",
        "Moves: 2\nX",
    ] {
        assert_ne!(verdict(BOARD, output), "optimal", "{output}");
    }
}

#[test]
fn right_answers_are_right_however_they_are_written() {
    optimal(
        BOARD,
        &[
            "Solution: R, D (2 moves)",
            "Moves: 2 (R, D)",
            "RD (2 moves)",
            "path: RD, cost: 2",
            "path=RD length=2",
            "Path: start -> RIGHT -> DOWN -> goal\nLength: 2",
            "Path: ['', 'R', 'D']\nCost: 2",
            "Path: [None, 'R', 'D']\nCost: 2",
            "{\n  \"path\": [\n    \"start\",\n    \"RIGHT\",\n    \"DOWN\"\n  ],\n  \"length\": 2\n}",
            "Solution: R D in 2 moves",
            "Solution in 2 moves: R D",
            "{'path': ['Right', 'Down'], 'cost': 2}",
            "{\"result\": {\"path\": \"RD\", \"cost\": 2}}",
            "Result: {'path': ('Right', 'Down'), 'cost': 2}",
            "moves=2 nodes=17",
            "Solved in 0.002 seconds with 2 moves",
            "Solution found in: 0.02 s\nMoves: 2",
            "Explored 17 nodes, path: RD",
            "BFS: R D",
            "Solution: 5 6",
            "Path: 123405786 -> 123450786 -> 123456780",
            "123405786 -> 123456780\nPath: RD",
            "Initial state:\n1 2 3\n4 0 5\n7 8 6\nGoal state:\n1 2 3\n4 5 6\n7 8 0\nMoves: 2",
            "Minimum number of moves = 2\n3\n 1  2  3 \n 4  0  5 \n 7  8  6 \n\n3\n 1  2  3 \n 4  5  0 \n 7  8  6 \n\n3\n 1  2  3 \n 4  5  6 \n 7  8  0 \n",
            "path_to_goal: ['Right', 'Down']\ncost_of_path: 2\nnodes_expanded: 5\nsearch_depth: 2\nmax_search_depth: 3\nrunning_time: 0.0001\nmax_ram_usage: 0.07\n",
        ],
    );
}

#[test]
fn numbered_steps_are_steps() {
    optimal(
        BOARD,
        &[
            "1. Right\n2. Down",
            "1) Right\n2) Down",
            "1: Right\n2: Down",
            "[1] Right\n[2] Down",
            "0 Right\n1 Down",
            "Right 1\nDown 2",
            "Step 1 - Right\nStep 2 - Down",
            "Step 1: Right\nStep 2: Down\nTotal moves: 2",
            "Move 5 Left\nMove 6 Up",
            "Move tile 5 left\nMove tile 6 up",
            "1. Move tile 5 to the left\n2. Move tile 6 to the up",
            "Solution:\n  1. R\n  2. D\nDone.",
            "1: Right 2: Down",
        ],
    );
    for (only, path) in [(Reading::Tile, "LU"), (Reading::Numbers, "5,6")] {
        let reader = Reader {
            only: Some(only),
            ..Reader::default()
        };
        let board = BOARD.parse().unwrap();
        let found = find_answers(b"Move 5 Left\nMove 6 Up", &board, EIGHT.goal(), &reader);
        let candidates = &found.unwrap()[0].candidates;
        assert_eq!(candidates.iter().map(path_text).collect::<Vec<_>>(), [path]);
    }
    assert_eq!(
        verdict(
            "123450786",
            "After 1 move: down\nFound a path of 1 moves: ['Down']"
        ),
        "optimal"
    );
    // The number of a step is no tile.
    let first = Oracle::for_goal(&"012345678".parse().unwrap()).unwrap();
    let board = "102345678".parse().unwrap();
    let answer = find_answer(b"1. Up", &board, first.goal()).unwrap();
    assert_ne!(
        first.judge(&board, &answer, None).unwrap().verdict,
        Verdict::Optimal
    );
}

#[test]
fn what_failed_before_or_elsewhere_is_not_the_answer() {
    optimal(
        BOARD,
        &[
            "No solution at depth 1\nSolved! RD",
            "no solution with threshold 1\nRight\nDown",
            "Depth limit 1: no solution\nDepth limit 2: solution R D",
            "Cost: 2\nImpossible heuristics were pruned",
        ],
    );
    let unsolvable = "704851623";
    for output in [
        "FileNotFoundError: no path given",
        "Usage: solve BOARD; it is impossible to run without arguments",
    ] {
        assert_eq!(verdict(unsolvable, output), "no answer found", "{output}");
    }
    for output in [
        "-1",
        "None",
        "No solution possible",
        "7 0 4\n8 5 1\n6 2 3\n\n1 2 3\n4 5 6\n7 8 0\nThis is unsolvable",
        "Path: N/A - unsolvable",
    ] {
        assert_eq!(
            verdict(unsolvable, output),
            "unsolvable (rightly said)",
            "{output}"
        );
    }
}

#[test]
fn one_number_in_the_place_of_a_path_is_a_length_or_a_tile() {
    for (board, number, expected) in [
        ("123450786", "6", "optimal"),
        ("123450786", "1", "illegal at move 1"),
        ("123450786", "5", "suboptimal +4"),
        ("120483765", "6", "optimal"),
        ("120483765", "8", "suboptimal +2"),
    ] {
        for text in [
            format!("Path: {number}"),
            format!("Solution: {number}"),
            format!("{{\"board\": \"{board}\", \"solution\": \"{number}\"}}"),
            format!("{{\"board\": \"{board}\", \"path\": {number}}}"),
        ] {
            assert_eq!(verdict(board, &text), expected, "{text}");
        }
    }
    assert_eq!(verdict("123450786", "Moves: 6"), "impossible: wrong parity");
}

#[test]
fn one_board_behind_another_is_a_way() {
    assert_eq!(short("123456708 -> 123456780"), "123456708  123456780");
    assert_eq!(short("123456708 123456780"), "123456708  123456780");
    assert_eq!(short("123456708\t123456780"), "123456708  123456780");
    assert_eq!(
        short("1 2 3 4 5 6 7 0 8 -> 1 2 3 4 5 6 7 8 0"),
        "123456708  123456780"
    );
    assert_eq!(
        short("1 2 3 4 0 5 7 8 6 -> 1 2 3 4 5 0 7 8 6 -> 1 2 3 4 5 6 7 8 0"),
        "123405786  123450786,123456780"
    );
    let table = Table::of_header(b"board,path").unwrap();
    table.rows(
        b"123450786,123456780\n123450786,6\n",
        &Reader::default(),
        |_, claim| {
            let claim = claim.unwrap();
            let judged = EIGHT.judge(&claim.board, &claim.answer, None).unwrap();
            assert_eq!(judged.verdict, Verdict::Optimal, "{claim:?}");
        },
    );
}

#[test]
fn moves_in_another_notation_than_was_asked_for_are_refused() {
    let read = |only, line: &str| {
        let reader = Reader {
            only: Some(only),
            ..Reader::default()
        };
        reader.line(line.as_bytes()).map_err(|e| e.to_string())
    };
    for (only, good, bad) in [
        (Reading::Numbers, "123405786 5 6", "123405786 RD"),
        (Reading::Blank, "123405786 RD", "123405786 [5, 6]"),
        (Reading::Tile, "123405786\t2\tLU", "123405786\t2\t5 6"),
    ] {
        assert!(read(only, good).is_ok(), "{good}");
        let error = read(only, bad).unwrap_err();
        assert!(error.contains(&format!("the notation {only}")), "{error}");
        // In the library too.
        let claim = Reader::default().line(bad.as_bytes()).unwrap();
        let judged = EIGHT
            .judge(&claim.board, &claim.answer, Some(only))
            .unwrap();
        assert_eq!(judged.verdict, Verdict::IllegalMove { at: 1 });
    }
    assert!(read(Reading::Numbers, "123456780\t0\t[]").is_ok());
    assert!(read(Reading::Tile, "123456708 -> 123456780").is_ok());
}
