//! Texts in the forms of real solvers, each with the verdict that it deserves. A right answer must never be
//! accused, a text that answers nothing never be passed; what is not beyond doubt is unread.

use super::verdicts::verdict;
use super::*;

const HARD: &str = "704851632"; // 19 moves
const RIGHT: &str = "RDDLLUURRDDLLUURRDD";
const NEAR: &str = "123405786"; // RD
const UNREAD: &str = "no answer found";

#[track_caller]
fn all(board: &str, expected: &str, outputs: &[&str]) {
    for output in outputs {
        let output = output.replace("{RIGHT}", RIGHT);
        assert_eq!(verdict(board, &output), expected, "{output}");
    }
}

#[test]
fn lengths_that_are_none_are_unread() {
    all(
        HARD,
        UNREAD,
        &[
            "Length: -19",
            "Length: 19,000",
            "Length: <19",
            "Length: >= 19",
            "Length: ~19",
            "Length: 19%",
            "Length: 19/31",
            "Length: 19 or more",
            "Length: 19 nodes",
            "could not solve in 19 moves",
            "gave up after 19 moves",
            "lower bound: 19",
            "heuristic 19",
            "Heuristic: 19",
            "after 19 expansions",
            "Correct: 19",
            "Expected length: 19",
            "Max depth: 19",
            "nodes expanded: 19",
            "at most 19 moves",
            "I think it takes more than 19 moves",
            "move 19 of 31",
            "19 boards left",
            "Time: 19",
            "f = 19",
            "h=19",
            "score 19",
            "line 19: error",
            "Depth: 1\nDepth: 2\nDepth: 19",
            "hello world",
            "",
            "[]",
            "{}",
            "...",
            "Traceback (most recent call last):\n  File \"solver.py\", line 19, in <module>\n    solve(board)\n    ^^^^^^^^^^^^\nKeyError: 19",
            "Legal moves: Up, Down\nthinking",
            "up down left right",
            "Usage: solve BOARD [--depth 19]",
        ],
    );
}

#[test]
fn lengths_beyond_doubt_count() {
    all(
        HARD,
        "optimal",
        &[
            "19",
            "Length: 19",
            "length = 19",
            "Path length: 19",
            "Solution length: 19",
            "Cost: 19.0",
            "Total cost: 19",
            "Total moves: 19",
            "Moves: 19",
            "Number of moves: 19",
            "Minimum number of moves = 19",
            "Solution depth: 19",
            "Solution Depth : 19\nNodes: 5000",
            "Solved in 19 moves",
            "Solved in 19 moves!",
            "Puzzle solved in 19 steps.",
            "Found a solution of length 19",
            "Found solution with 19 moves in 0.3 seconds",
            "Optimal solution: 19 moves",
            "A* found the goal in 19 moves",
            "Steps: 19\nTime: 0.2s",
            "The shortest path has 19 moves",
            "{\"moves\": 19}",
            "searching...\n19 moves\n",
        ],
    );
    all(HARD, "suboptimal +2", &["Length: 21", "Solved in 21 moves"]);
    all(HARD, "impossible: wrong parity", &["Length: 20"]);
    all(
        HARD,
        "impossible: shorter than optimal",
        &["Solution length: 3"],
    );
}

#[test]
fn a_right_path_is_right_wherever_it_stands() {
    all(
        HARD,
        "optimal",
        &[
            "{RIGHT}",
            "{RIGHT} 19",
            "19 {RIGHT}",
            "{RIGHT} (19)",
            "It is impossible to do better: {RIGHT}",
            "I tried UDLR and URDL first, but the answer is {RIGHT}",
            "Legal moves: UD\nanswer {RIGHT}",
            "moves: {RIGHT}\n[done]",
            "\u{1b}[1m{RIGHT}\u{1b}[0m",
            "path -> {RIGHT}",
            "**{RIGHT}**",
            "`{RIGHT}`",
            "Final path: \"{RIGHT}\"",
            "UP DOWN\n{RIGHT}\nbye",
            "No solution at depth 18\nsolution at depth 19: {RIGHT}",
            "path = {RIGHT};",
        ],
    );
    all(
        NEAR,
        "optimal",
        &[
            "→ ↓",
            "→↓",
            "Moves: → ↓",
            "⬇ is down, ➡ is right\nPath: ➡⬇",
            "derecha, abajo",
            "Pasos: derecha abajo",
            "rechts, unten",
            "droite bas",
            "右下",
            "вправо вниз",
            "Solution: Right, Down.",
            "R, D",
            "Path taken: [\"right\", \"down\"]",
            "(R D)",
            "1 2 3\r\n4 0 5\r\n7 8 6\r\n\r\nright\r\ndown\r\n",
        ],
    );
}

#[test]
fn boards_that_are_printed_for_other_reasons_accuse_nobody() {
    all(
        NEAR,
        "optimal",
        &[
            // The source's own best-first trace: every expanded board with its children and scores.
            "Score: 2\n1 2 3\n4 0 5\n7 8 6\nchild 4: 103425786\nchild 3: 123485706\nchild 4: 123045786\nchild 2: 123450786\nqueue 4, closed 1\nScore: 2\n1 2 3\n4 5 0\n7 8 6\nchild 5: 120453786\nchild 2: 123456780\nFound a solution at 2 in 2 tries\n",
            "Start State:\n1 2 3\n4 0 5\n7 8 6\n\nGoal State:\n1 2 3\n4 5 6\n7 8 0\n\nSolved in 2 moves",
            "1-2-3\n4-e-5\n7-8-6\nMove number 1\n1-2-3\n4-5-e\n7-8-6\nMove number 2\n1-2-3\n4-5-6\n7-8-e\n",
            "1 2 3\n4   5\n7 8 6\n\n1 2 3\n4 5  \n7 8 6\n\n1 2 3\n4 5 6\n7 8  \n",
            "[1, 2, 3]\n[4, 0, 5]\n[7, 8, 6]\n--\n[1, 2, 3]\n[4, 5, 0]\n[7, 8, 6]\n--\n[1, 2, 3]\n[4, 5, 6]\n[7, 8, 0]\n",
            "[[1 2 3]\n [4 0 5]\n [7 8 6]]\n[[1 2 3]\n [4 5 0]\n [7 8 6]]\n[[1 2 3]\n [4 5 6]\n [7 8 0]]\n",
            "1 2 3\n4 _ 5\n7 8 6\n ↓\n1 2 3\n4 5 _\n7 8 6\n ↓\n1 2 3\n4 5 6\n7 8 _\n",
            "123405786 <- Start State\n123450786\n123456780\nSolution depth : 2",
        ],
    );
    let three = "103426758";
    all(
        three,
        "optimal",
        &[
            "1 0 3\n4 2 6\n7 5 8\n\n1 2 3\n4 5 6\n7 8 0\n\nSolved in 3 moves",
            "Initial Config:\n1 0 3\n4 2 6\n7 5 8\nDepth: 1 Heuristic:4\nDepth: 2 Heuristic:3\n1 2 3\n4 5 6\n7 8 0\nSolution Depth: 3",
        ],
    );
    all(
        three,
        UNREAD,
        &[
            "1 0 3\n4 2 6\n7 5 8\n\n1 2 3\n4 5 6\n7 8 0\n",
            "Expanding 103426758\nExpanding 123406758",
        ],
    );
}

#[test]
fn a_path_is_accused_only_if_it_is_unmistakable() {
    for output in [
        "UUUU",
        "Path: UUUU",
        "Solution: L, L, L",
        "{\"path\": \"UUU\"}",
        "Moves: U U U\nLength: 2",
    ] {
        let verdict = verdict(NEAR, output);
        assert!(verdict.starts_with("illegal"), "{output}: {verdict}");
    }
    for output in ["Path: UD", "moves = L R", "Right\nLeft"] {
        assert_eq!(verdict(NEAR, output), "does not reach the goal", "{output}");
    }
    all(
        NEAR,
        UNREAD,
        &[
            "exploring\nUUUU\nstill exploring",
            "Path: R, X, D",
            "trying Up\nthen I gave up",
            "Order: UDLR\nSearching",
            "keys: Up Down Left Right\nwaiting",
            "Path: R D D ...",
        ],
    );
    all(
        NEAR,
        "wrong length: claims 3, path has 2",
        &["Path: RD\nLength: 3"],
    );
}

#[test]
fn the_words_for_no_solution_count_in_their_wrappings() {
    let unsolvable = "704851623";
    all(
        unsolvable,
        "unsolvable (rightly said)",
        &[
            "Error: Unsolvable",
            "ValueError: The puzzle has no solution",
            "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    main()\n    ^^^^^^\nValueError: The puzzle has no solution",
            "not solvable",
            "Search failed",
            "Goal not found",
            "{\"success\": false}",
            "\"success\": false",
            "Success: False",
            "solved = false",
            "Exception in thread \"main\" java.lang.RuntimeException: Puzzle is unsolvable",
            "thread 'main' panicked at src/main.rs:4:5:\nno solution",
            "terminate called after throwing an instance of 'std::runtime_error'\n  what():  unsolvable puzzle",
            "No solution found after 181440 expansions",
            "Este tablero no tiene solución",
            "aucune solution",
            "Path: None",
            "Solution: null",
        ],
    );
    all(
        HARD,
        "wrongly said unsolvable",
        &["Error: Unsolvable", "Goal not found"],
    );
    all(
        unsolvable,
        UNREAD,
        &[
            "Is it unsolvable?",
            "no solution within 10 s",
            "Checking if the puzzle is unsolvable",
            "search took too long: no solution yet",
        ],
    );
}

#[test]
fn two_algorithms_give_two_answers() {
    let board = NEAR.parse().unwrap();
    let goal = EIGHT.goal();
    let verdicts = |text: &str| -> Vec<String> {
        let answers = find_answers(text.as_bytes(), &board, goal, &Reader::default()).unwrap();
        let judge = |answer: &Answer| EIGHT.judge(&board, answer, None).unwrap().verdict;
        answers
            .iter()
            .map(|answer| judge(answer).to_string())
            .collect()
    };
    for text in [
        "BFS: RD\nGreedy: LRRD",
        "BFS path: R D\nGreedy path: L R R D",
        "=== BFS ===\nPath: RD\nCost: 2\n=== Greedy ===\nPath: LRRD\nCost: 4\n",
    ] {
        assert_eq!(verdicts(text), ["optimal", "suboptimal +2"], "{text}");
    }
    assert_eq!(verdicts("path: RDLLU\npath: RD"), ["optimal"]);
}

#[test]
fn the_first_board_of_a_text_is_its_subject() {
    let mut found = Vec::new();
    let text = "123405786 <- Start State\n123450786\n123456780\nSolution depth : 2\n";
    let reader = Reader::default();
    assert_eq!(Format::of_text(text.as_bytes(), &reader).0, Format::Text);
    Format::Text.read(text.as_bytes(), &reader, None, |_, claim| {
        let claim = claim.unwrap();
        let judged = EIGHT.judge(&claim.board, &claim.answer, None).unwrap();
        found.push((claim.board.to_string(), judged.verdict.to_string()));
    });
    assert_eq!(found, [(NEAR.to_owned(), "optimal".to_owned())]);
}

#[test]
fn shape_and_goal_columns_are_read() {
    let table = Table::of_header(b"shape,board,goal,length").unwrap();
    let mut found = Vec::new();
    let rows = b"2x3,123405,123450,1\n4x4,123456789abcdef0,last,0\n3x3,123405786,first,20\n";
    table.rows(rows, &Reader::default(), |_, claim| {
        let claim = claim.unwrap();
        let goal = claim.goal.unwrap();
        found.push(format!("{} {} {goal}", claim.board.shape(), claim.board));
    });
    assert_eq!(
        found,
        [
            "2x3 123405 123450",
            "4x4 123456789abcdef0 123456789abcdef0",
            "3x3 123405786 012345678"
        ]
    );
}

/// Reading takes time in proportion to the text. Eight times the text takes eight times as long, and a reader
/// that is not linear sixty-four times; one quiet moment in five is enough to see that.
#[test]
fn reading_is_linear() {
    for piece in [
        ")",
        "(",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "'",
        ":",
        "=",
        "in 19 steps. ",
        "took 19 moves ",
        "a:=",
        "R999999 ",
        "Path: ",
        "path: R ",
        "Right\n",
        "1 2 3\n",
        "123405786\n",
        "BFS: RD\n",
        "^",
        "\r",
        "\u{1b}[",
        "a,b,c\n",
        "123405786 -> ",
        "1. Right\n",
        "Path: )\n",
        "{\"path\": ",
        "None ",
        "(2 moves) ",
        "|",
        "| 1 ",
        "-",
    ] {
        let time = |size: usize| {
            let text = format!("Path: {}", piece.repeat(size / piece.len()));
            let begun = std::time::Instant::now();
            let _ = find_answer(text.as_bytes(), &NEAR.parse().unwrap(), EIGHT.goal());
            let _ = find_answer(&text.as_bytes()[6..], &NEAR.parse().unwrap(), EIGHT.goal());
            begun.elapsed()
        };
        let is_linear = || time(1 << 18) < 32 * time(1 << 15);
        assert!((0..5).any(|_| is_linear()), "{piece:?}");
    }
}
