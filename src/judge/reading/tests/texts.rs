//! What is found in texts for people. Their verdicts are in `tests/corpus`.

use std::time::Duration;

use super::*;
use crate::basics::Cancel;
use crate::judge::reading::lex::WORK;
use crate::puzzle::parse_board;

const NEAR: &str = "123405786"; // RD

fn found(output: &str) -> Option<Answer> {
    find_answer(output.as_bytes(), &NEAR.parse().unwrap(), EIGHT.goal())
}

/// The verdict on an output about `board`, or `no answer found`.
fn verdict(board: &str, output: &str) -> String {
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

#[test]
fn a_path_is_found_in_its_notation_with_the_length_beside_it() {
    let directions = |text: &str| {
        Path::Directions(
            text.chars()
                .map(|c| Move::from_letter(c).unwrap())
                .collect(),
        )
    };
    let boards = ["123450786", "123456780"].map(|board| board.parse().unwrap());
    for (output, length, path) in [
        (
            "path_to_goal: ['Right', 'Down']\ncost_of_path: 2\n",
            Some(2),
            directions("RD"),
        ),
        (
            "Path to goal: ['Right', 'Down']\nCost to the path: 26\n",
            Some(26),
            directions("RD"),
        ),
        ("Solution: left up", None, directions("LU")),
        ("Solution: 5 6", None, Path::Tiles(vec![5, 6])),
        (
            "123405786\n123450786\n123456780\n",
            None,
            Path::Boards(boards.to_vec()),
        ),
    ] {
        let answer = found(output).expect(output);
        assert_eq!(
            (answer.length, answer.unsolvable),
            (length, false),
            "{output}"
        );
        assert_eq!(answer.candidates, [path], "{output}");
    }
}

#[test]
fn a_list_that_is_not_read_to_its_ends_is_no_answer() {
    for (board, output) in [
        ("013426758", "Path: [14, 1, 2, 5, 8]\nCost: 4"),
        ("013426758", "Path: [1, 2, 5, 8, 14]\nCost: 4"),
        ("013425786", "Path: [1, 2, 5, 6, , 6]\nCost: 4"),
        ("123576408", "Path: [7, 5, 4, 8, 8]\nCost: 5"),
    ] {
        assert_eq!(verdict(board, output), "no answer found", "{output}");
    }
    // The names of lines are no moves, however many there are.
    let memory = "Solution: D\nLength: 1\nTime: 0.013 seconds\nMemory: 11.5 MB\nMemory: 11.5 MB";
    assert_eq!(verdict("123450786", memory), "optimal");
}

#[test]
fn a_line_that_begins_with_the_board_is_a_record_of_its_shape() {
    let shape = "2x3".parse().unwrap();
    let board = parse_board(b"134250", Some(shape)).unwrap();
    let goal = parse_board(b"123450", Some(shape)).unwrap();
    let found = find_answer(b"134250\t16\tLLURRDLULDRRULDR\n", &board, &goal).unwrap();
    assert_eq!(found.length, Some(16));
    assert_eq!(path_text(&found.candidates[0]), "LLURRDLULDRRULDR");
}

#[test]
fn the_notation_that_is_known_decides_between_two() {
    for (only, path) in [(Reading::Tile, "LU"), (Reading::Numbers, "5,6")] {
        let reader = Reader {
            only: Some(only),
            ..Reader::default()
        };
        let board = NEAR.parse().unwrap();
        let found = find_answer_by(b"Move 5 Left\nMove 6 Up", &board, EIGHT.goal(), &reader);
        let candidates = &found.unwrap().candidates;
        assert_eq!(candidates.iter().map(path_text).collect::<Vec<_>>(), [path]);
    }
}

proptest::proptest! {
    #[test]
    fn no_output_makes_the_search_panic(bytes: Vec<u8>) {
        let _ = find_answer(&bytes, &NEAR.parse().unwrap(), EIGHT.goal());
    }

    #[test]
    fn no_outputs_of_solvers_in_pieces_make_it_panic(text in "([UDLRudlr0-9\\[\\]{}():=<>/\"', |\n\t-]|path|moves|Up|Step |→|左|no solution|cost|BFS|123405786|1 2 3\n|\\PC){0,60}") {
        let _ = found(&text);
    }
}

#[test]
fn of_two_algorithms_the_last_answers() {
    for text in [
        "BFS: RD\nGreedy: LRRD",
        "BFS path: R D\nGreedy path: L R R D",
        "=== BFS ===\nPath: RD\nCost: 2\n=== Greedy ===\nPath: LRRD\nCost: 4\n",
    ] {
        assert_eq!(verdict(NEAR, text), "suboptimal +2", "{text}");
    }
    // A length that does not agree may be that of the algorithm without a path.
    for text in [
        "BFS\nPath: RD\nCost: 2\nDFS\nCost: 30\n",
        "DFS\nCost: 30\nBFS\nPath: RD\n",
        "Cost: 30\nBFS\nPath: RD\n",
    ] {
        assert_eq!(verdict(NEAR, text), "no answer found", "{text}");
    }
    assert_eq!(verdict(NEAR, "path: RDLLU\npath: RD"), "optimal");
    let wrong = "BFS path: RD\nBFS cost: 5\n";
    assert_eq!(verdict(NEAR, wrong), "wrong length: claims 5, path has 2");
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

#[test]
fn reading_ends_when_it_is_cancelled_or_its_time_is_over() {
    let (board, text) = (NEAR.parse().unwrap(), "a line of words\n".repeat(10_000));
    let read = |cancel: &Cancel| {
        let reader = Reader {
            cancel: cancel.clone(),
            ..Reader::default()
        };
        find_answer_by(text.as_bytes(), &board, EIGHT.goal(), &reader).unwrap_err()
    };
    let flag = Cancel::new();
    assert_eq!(read(&flag.within(Duration::ZERO)), ClaimError::Cancelled);
    let later = read(&flag.within(Duration::from_secs(600)));
    assert!(matches!(later, ClaimError::NoAnswer { .. }), "{later:?}");
    flag.cancel();
    assert_eq!(read(&flag), ClaimError::Cancelled);
}

#[test]
fn a_line_of_megabytes_is_not_read_and_hides_no_other() {
    let long = "Right, ".repeat(800_000);
    for (text, expected) in [
        (format!("Path: {long}\n"), "no answer found"),
        (format!("Path: {long}\nCost: 2\n"), "no answer found"),
        (format!("Explored: {long}\nPath: RD\n"), "optimal"),
    ] {
        assert_eq!(verdict(NEAR, &text), expected);
    }
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

/// Reading takes work in proportion to the text: of eight times the text eight times the tokens are read, and by a reader
/// that is not linear sixty-four times as many.
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
        let work = |size: usize| {
            let text = format!("Path: {}", piece.repeat(size / piece.len()));
            WORK.set(0);
            let _ = find_answer(text.as_bytes(), &NEAR.parse().unwrap(), EIGHT.goal());
            let _ = find_answer(&text.as_bytes()[6..], &NEAR.parse().unwrap(), EIGHT.goal());
            WORK.get()
        };
        let many = if crate::full::is_full() { 16 } else { 14 };
        let (few, many) = (work(1 << (many - 3)), work(1 << many));
        assert!(many <= 9 * few + 100, "{piece:?} {few} {many}");
    }
}

proptest::proptest! {
    /// However often a piece is repeated, the work is in proportion to it: a text is cut into tokens at most four times,
    /// to find its boards, those of its part, its answer, and the readings of its last lines; clauses and lists of them
    /// are read some times more, and a short last line in each way in which a value may be written.
    #[test]
    fn work_is_in_proportion_to_the_text(piece in "[()\\[\\]{}:=RLa1 ,.\n-]{1,4}|board |Path: RD\n|\\PC", size in 1usize..1 << 12) {
        let lexed = |text: &str| {
            WORK.set(0);
            Format::Text.read(text.as_bytes(), &Reader::default(), None, |_, _| {});
            let alone = WORK.get();
            let board = NEAR.parse().unwrap();
            Format::Text.read(text.as_bytes(), &Reader::default(), Some(&board), |_, _| {});
            (alone.max(WORK.get() - alone), text.chars().count())
        };
        let (tokens, characters) = lexed(&piece.repeat(size));
        proptest::prop_assert!(tokens <= 32 * characters + 64, "{piece:?} {tokens} {characters}");
    }
}

/// A line of any length takes no more work than its end, which is read twice for the boards in it.
#[test]
fn of_a_long_line_the_end_is_read() {
    for piece in crate::full::sample(&["(a", "1 ", ")", "[["], 2) {
        WORK.set(0);
        let text = piece.repeat((4 << 20) / piece.len());
        Format::Text.read(text.as_bytes(), &Reader::default(), None, |_, _| {});
        assert!(WORK.get() <= 2 << 20, "{piece:?} {}", WORK.get());
    }
}
