//! What is found in whole outputs.

use super::*;

const START: &str = "123405786";
const GOAL: &str = "123456780";

fn found(output: &str) -> Option<Answer> {
    find_answer(
        output.as_bytes(),
        &START.parse().unwrap(),
        &GOAL.parse().unwrap(),
    )
}

fn directions(text: &str) -> Vec<Path> {
    let moves = text.chars().map(|c| Move::from_letter(c).unwrap());
    vec![Path::Directions(moves.collect())]
}

#[track_caller]
fn path(output: &str, length: Option<u64>, moves: &str) {
    let answer = found(output).expect("an answer");
    assert_eq!(
        (answer.length, answer.unsolvable),
        (length, false),
        "{output}"
    );
    assert_eq!(answer.candidates, directions(moves), "{output}");
}

#[test]
fn labelled_paths_are_found() {
    path(
        "path_to_goal: ['Right', 'Down']\n\ncost_of_path: 2\nnodes_expanded: 5\nsearch_depth: 2\nmax_search_depth: 3\n",
        Some(2),
        "RD",
    );
    path(
        "Path to goal: ['Right', 'Down']\nCost to the path: 26\nNumber of visited nodes at the end: 171711\n",
        Some(26),
        "RD",
    );
    path(
        "BFS found a path of 2 moves: ['right', 'down']\nAfter 1 move: right\n",
        Some(2),
        "RD",
    );
    path("Solution (2 moves): RD\n", Some(2), "RD");
    path(
        "Solution: R D\nLength: 2\nTime: 0.01\nNodes expanded: 17",
        Some(2),
        "RD",
    );
    path("Solved in 2 moves\nMoves: RIGHT, DOWN\n", None, "RD");
    path("Moves = R,D\nNumber of moves = 2\n", Some(2), "RD");
    path("The solution is RD.", None, "RD");
    path("path: [Action.RIGHT,\n  Action.DOWN]\n", None, "RD");
    path("solution found! ['R', 'D']\n", None, "RD");
    path("\u{1b}[32mPath: \u{1b}[1mRD\u{1b}[0m\n", None, "RD");
}

#[test]
fn unlabelled_paths_are_found() {
    path("RD\n", None, "RD");
    path("searching\n['Right', 'Down']\n", None, "RD");
    path(
        "Step 1: Right\nStep 2: Down\nDone after 2 steps\n",
        Some(2),
        "RD",
    );
    path("Right\nDown\n", None, "RD");
    path("123405786 2 RD", Some(2), "RD");
    path("123405786\t2\tRD\n", Some(2), "RD");
    path("→ ↓\n", None, "RD");
    path(
        "{\"board\": \"123405786\", \"path\": [\"Right\", \"Down\"], \"cost\": 2}",
        Some(2),
        "RD",
    );
    path("log\n{\"moves\": \"RD\", \"nodes\": 7}\n", None, "RD");
}

#[test]
fn of_several_answers_the_last_counts() {
    path("path: RDLLU\npath: RD\n", None, "RD");
    path("DFS depth: 40\nSolution: RD\n", None, "RD");
}

#[test]
fn lengths_alone_are_found() {
    let length = |output: &str| {
        let answer = found(output).expect(output);
        assert!(
            answer.candidates.is_empty() && !answer.unsolvable,
            "{output}: {answer:?}"
        );
        answer.length
    };
    assert_eq!(length("19\n"), Some(19));
    assert_eq!(length("solved in 19 moves, 4711 nodes"), Some(19));
    assert_eq!(length("Optimal solution of length 19 found"), Some(19));
    assert_eq!(
        length("Solved!\nmax depth: 31\nDepth: 19\nnodes: 7\n"),
        Some(19)
    );
    assert_eq!(
        length("1 2 3\n4 0 5\n7 8 6\n\nMinimum number of moves = 19\n"),
        Some(19)
    );
    assert_eq!(length("123405786 19"), Some(19));
    assert_eq!(
        length("No solution at depth limit 18\nSolved in 19 moves\n"),
        Some(19)
    );
    assert_eq!(length("unsolvable: False\nmoves: 19\n"), Some(19));
    assert_eq!(length("10%\r50%\rlength: 19\n"), Some(19));
}

#[test]
fn no_solution_is_an_answer() {
    for output in [
        "unsolvable",
        "The puzzle is not solvable.",
        "No solution found!\nnodes: 181440",
        "path: None\n",
        "cost: -1",
        "123405786\tunsolvable\t",
        "This board cannot be solved",
        "No solution\npath_to_goal: []\ncost_of_path: 0\n",
        "solvable: False",
    ] {
        let answer = found(output).expect(output);
        assert!(answer.unsolvable, "{output}: {answer:?}");
    }
}

#[test]
fn boards_on_the_way_are_found() {
    let trace =
        "Start:\n1 2 3\n4 0 5\n7 8 6\n\nMove 1\n1 2 3\n4 5 0\n7 8 6\n\n1 2 3\n4 5 6\n7 8 0\nDone\n";
    let drawn = "+---+---+---+\n| 1 | 2 | 3 |\n| 4 |   | 5 |\n| 7 | 8 | 6 |\n+---+---+---+\n\
                 | 1 | 2 | 3 |\n| 4 | 5 |   |\n| 7 | 8 | 6 |\n+---+---+---+\n\
                 | 1 | 2 | 3 |\n| 4 | 5 | 6 |\n| 7 | 8 |   |\n+---+---+---+\n";
    let words = "123405786\n123450786\n123456780\n";
    let goal_first = format!("Goal state:\n1 2 3\n4 5 6\n7 8 0\n{trace}");
    let lists = "[[1, 2, 3], [4, 0, 5], [7, 8, 6]]\n[[1, 2, 3], [4, 5, 0], [7, 8, 6]]\n[[1, 2, 3], [4, 5, 6], [7, 8, 0]]";
    let boards = ["123450786", "123456780"].map(|b| b.parse().unwrap());
    for output in [trace, drawn, words, &goal_first, lists] {
        let answer = found(output).expect(output);
        assert_eq!(
            answer.candidates,
            [Path::Boards(boards.to_vec())],
            "{output}"
        );
    }
}

#[test]
fn tables_are_found() {
    let table = "ALGORITHM, INIT_STATE, GOAL_STATE, PATH_LENGTH, STATE_EXPANSIONS, MAX_QLENGTH, RUNNING_TIME, DELETIONS_MIDDLE_HEAP, LOCAL_LOOPS_AVOIDED, ATTEMPTED_REEXPANSIONS, PATH\n\
        uniform cost, 704851632, 123456780, 19, 1, 1, 0.1, 0, 0, 0, RDDL\n\
        uniform cost, 123405786, 123456780, 2, 9, 9, 0.1, 0, 0, 0, RD\n";
    path(table, Some(2), "RD");
}

#[test]
fn what_holds_no_answer_gives_none() {
    for output in [
        "",
        "hello\n",
        "Goal: 123456780",
        "123405786",
        "1 2 3\n4 0 5\n7 8 6\n",
        "nodes: 12\ntime: 3\n",
        "Traceback (most recent call last):\n  File \"solver.py\", line 3\n",
    ] {
        assert_eq!(found(output), None, "{output}");
    }
}

proptest::proptest! {
    #[test]
    fn no_output_makes_the_search_panic(bytes: Vec<u8>) {
        let _ = find_answer(&bytes, &START.parse().unwrap(), &GOAL.parse().unwrap());
    }

    #[test]
    fn near_misses_never_panic(text in "([UDLRudlr0-9\\[\\]:= ,|\n]|path|moves|Up|Step ){0,60}") {
        let _ = found(&text);
    }
}
