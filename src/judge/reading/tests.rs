mod files;
mod texts;

use super::*;
use crate::internals::{Format, Reader, Table, find_answer_by};
use crate::judge::{Answer, Claim, ClaimError};
use crate::judge::{Path, Reading, Verdict};
use crate::oracle::Oracle;
use crate::puzzle::{Board, Move, Notation, Numbering, Shape};

fn line(text: &str) -> Result<Claim, String> {
    Reader::default()
        .line(text.as_bytes())
        .map_err(|e| e.to_string())
}

/// What a reading of `text` finds, in a short form.
fn short(text: &str) -> String {
    let claim = match line(text) {
        Ok(claim) => claim,
        Err(error) => return format!("error: {error}"),
    };
    let paths: Vec<String> = claim.answer.candidates.iter().map(path_text).collect();
    let length = claim.answer.length.map_or(String::new(), |l| l.to_string());
    let none = if claim.answer.unsolvable { "none" } else { "" };
    format!("{} {length}{none} {}", claim.board, paths.join("|"))
}

fn path_text(path: &Path) -> String {
    let words: Vec<String> = match path {
        Path::Directions(moves) => return moves.iter().map(|mv| mv.letter()).collect(),
        Path::Tiles(tiles) => tiles.iter().map(u8::to_string).collect(),
        Path::Boards(boards) => boards.iter().map(Board::to_string).collect(),
    };
    words.join(",")
}

#[test]
fn moves_are_read_in_every_notation() {
    for moves in [
        "RDLLU",
        "rdlLU",
        "R D L L U",
        "R,D,L,L,U",
        "[R, D, L, L, U]",
        "['Right', 'Down', 'Left', 'Left', 'Up']",
        "[\"RIGHT\",\"DOWN\",\"LEFT\",\"LEFT\",\"UP\"]",
        "RIGHT, DOWN, LEFT, LEFT, UP",
        "Right Down Left Left Up",
        "right -> down -> left -> left -> up",
        "RDL2U",
        "R1D1L2U1",
        "R D L2 U",
        "(R;D;L;L;U)",
        "R-D-L-L-U",
        "Action.RIGHT, Action.DOWN, Action.LEFT, Action.LEFT, Action.UP",
        "MOVE_RIGHT MOVE_DOWN MOVE_LEFT MOVE_LEFT MOVE_UP",
        "→↓←←↑",
        "> v < < ^",
        "east south west west north",
        "1. Right 2. Down 3. Left 4. Left 5. Up",
    ] {
        assert_eq!(
            short(&format!("123405786\t\t{moves}")),
            "123405786  RDLLU",
            "{moves}"
        );
        assert_eq!(
            short(&format!("123405786\t5\t{moves}")),
            "123405786 5 RDLLU",
            "{moves}"
        );
        assert_eq!(
            short(&format!("123405786\t{moves}")),
            "123405786  RDLLU",
            "{moves}"
        );
        assert_eq!(
            short(&format!("123405786 {moves}")),
            "123405786  RDLLU",
            "{moves}"
        );
    }
    for tiles in ["5 6", "5,6", "[5, 6]", "['5', '6']", "5 -> 6", "(5,6)"] {
        assert_eq!(
            short(&format!("123405786\t2\t{tiles}")),
            "123405786 2 5,6",
            "{tiles}"
        );
        assert_eq!(
            short(&format!("123405786 2 {tiles}")),
            "123405786 2 5,6",
            "{tiles}"
        );
        assert_eq!(
            short(&format!("123405786 {tiles}")),
            "123405786  5,6",
            "{tiles}"
        );
    }
    assert_eq!(
        short("123405786\t2\t56"),
        "123405786 2 5,6",
        "digits without anything between"
    );
    for boards in [
        "123405786 -> 123450786 -> 123456780",
        "123405786: 123450786, 123456780",
        "[[1,2,3],[4,0,5],[7,8,6]] -> [[1,2,3],[4,5,0],[7,8,6]] -> [[1,2,3],[4,5,6],[7,8,0]]",
        "123/405/786 -> 123/450/786 -> 123/456/780",
    ] {
        assert_eq!(short(boards), "123405786  123450786,123456780", "{boards}");
    }
    let refused = short("123405786\t2 -> nothing");
    let why = "error: \"nothing\" cannot be read as moves of a 3x3 board";
    assert!(refused.starts_with(why), "{refused}");
    let all = "[[[1,2,3],[4,0,5],[7,8,6]],[[1,2,3],[4,5,0],[7,8,6]],[[1,2,3],[4,5,6],[7,8,0]]]";
    assert_eq!(short(all), "123405786  123450786,123456780");
    assert_eq!(short("123405786\tRight (5), Down (6)"), "123405786  RD|5,6");
}

#[test]
fn boards_in_every_form_stand_before_a_claim() {
    for board in [
        "704851632",
        "7 0 4 8 5 1 6 3 2",
        "7,0,4,8,5,1,6,3,2",
        "704/851/632",
        "704 851 632",
        "7_4851632",
        "[7,0,4,8,5,1,6,3,2]",
        "[[7,0,4],[8,5,1],[6,3,2]]",
        "((7, 0, 4), (8, 5, 1), (6, 3, 2))",
        "\"7 0 4 8 5 1 6 3 2\"",
        "'704851632'",
        "7 0 4 / 8 5 1 / 6 3 2",
        "7 . 4 8 5 1 6 3 2",
    ] {
        for (after, found) in [
            (" 19", "19 "),
            ("\t19", "19 "),
            (",19", "19 "),
            (": 19", "19 "),
            (" RDDL", " RDDL"),
            ("\t\tRDDL", " RDDL"),
            (" 19 RDDL", "19 RDDL"),
            (",19,RDDL", "19 RDDL"),
            (",RDDL,19", "19 RDDL"),
            ("\t19\t", "19 "),
            ("\tRDDL\t19", "19 RDDL"),
            (" unsolvable", "none "),
            (" -> no solution", "none "),
            ("\tNone", "none "),
            (" -1", "none "),
            ("\tunsolvable\t", "none "),
            ("\t19.0", "19 "),
        ] {
            assert_eq!(
                short(&format!("{board}{after}")),
                format!("704851632 {found}"),
                "{board}{after}"
            );
        }
    }
    assert_eq!(
        short("1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15 1"),
        "123456789abcde0f 1 "
    );
    assert_eq!(short("123456789abcde0f R"), "123456789abcde0f  R");
    assert_eq!(short("1203 R"), "1203  R");
    assert_eq!(short("123/405 1 R"), "123405 1 R", "two rows");
}

#[test]
fn a_number_before_tiles_is_their_count_or_one_of_them() {
    assert_eq!(short("123405786 2 5 6"), "123405786 2 5,6");
    assert_eq!(short("123405786 5 6"), "123405786  5,6");
    assert_eq!(short("123405786 4 4 5 6"), "123405786  4,4,5,6");
    assert_eq!(short("123405786 5"), "123405786 5 ", "alone it is a length");
    assert_eq!(short("123405786 9 5 6"), "123405786 9 5,6");
}

#[test]
fn a_goal_may_stand_beside_the_board() {
    let claim = line("704851632\t012345678\t25\tRDDL").unwrap();
    assert_eq!(claim.goal.unwrap().to_string(), "012345678");
    assert_eq!(claim.answer.length, Some(25));
}

#[test]
fn what_cannot_be_read_says_why() {
    for (text, why) in [
        ("704851632", "nothing is claimed here"),
        ("704851632\t\t", "nothing is claimed here"),
        ("70485163 19", "8 cells"),
        ("704851633 19", "tile 3 is there twice"),
        (
            "704851632 hello",
            "\"hello\" cannot be read as moves of a 3x3 board",
        ),
        ("704851632\t19\tRDXX", "\"RDXX\" cannot be read as moves"),
        (
            "704851632\tmany\tRD",
            "\"many\\tRD\" cannot be read as moves",
        ),
        ("704851632\t19.5", "cannot be read as moves"),
        ("", "no board here"),
    ] {
        let error = line(text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert!(
        line(&format!("704851632 {}", "x".repeat(100_000)))
            .unwrap_err()
            .len()
            < 300
    );
}

#[test]
fn counts_cannot_fill_the_memory() {
    assert!(line("704851632 R999999999999").is_err());
    assert!(line(&format!("704851632 {}", "R1000000".repeat(1000))).is_err());
}

#[test]
fn another_number_may_stand_for_the_blank() {
    let read = |blank, text: &str| {
        let reader = Reader {
            numbering: Numbering { shape: None, blank },
            ..Reader::default()
        };
        let claim = reader.line(text.as_bytes()).unwrap();
        (
            claim.board.to_string(),
            path_text(&claim.answer.candidates[0]),
        )
    };
    let expected = ("123405786".to_owned(), "5,6".to_owned());
    assert_eq!(read(9, "123495786\t5 6"), expected);
    assert_eq!(
        read(8, "0 1 2 3 8 4 6 7 5\t4 5"),
        expected,
        "tiles are raised by one"
    );
    let boards = read(9, "123495786 -> 123459786 -> 123456789");
    assert_eq!(boards.1, "123450786,123456780");
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes: Vec<u8>, blank: u8, rows in 2usize..6) {
        let reader = Reader {
            numbering: Numbering { shape: Shape::new(rows, 2).ok(), blank },
            ..Reader::default()
        };
        let _ = reader.line(&bytes);
        let _ = reader.object(&bytes, None);
        for format in [Format::Lines, Format::Objects, Format::Text] {
            format.read(&bytes, &reader, None, |_, _| {});
        }
        if let Some(table) = Table::of_header(&bytes) {
            table.rows(&bytes, &reader, |_, _| {});
        }
    }

    #[test]
    fn near_misses_never_panic(text in "(123405786|[0-9UDLR ,\t\n\\[\\]\"':;{}/>-]|path|board|None|\\PC){0,40}") {
        let reader = Reader::default();
        for format in [Format::Lines, Format::Objects, Format::Text] {
            format.read(text.as_bytes(), &reader, None, |_, _| {});
        }
        if let Some(table) = Table::of_header(b"board,length,path") {
            table.rows(text.as_bytes(), &reader, |_, _| {});
        }
    }

    #[test]
    fn every_notation_reads_back_and_is_judged_right(index in 0u64..181_440) {
        let oracle = &*EIGHT;
        let board = oracle.space().unwrap().unrank(crate::space::StateIndex(index));
        let moves = oracle.solve(&board).unwrap();
        for notation in [Notation::Blank, Notation::Tile, Notation::Numbers] {
            let path = notation.text(&board, &moves);
            let claim = Reader::default().line(format!("{board}\t{}\t{path}", moves.len()).as_bytes()).unwrap();
            let judged = oracle.judge(&board, &claim.answer, None).unwrap();
            proptest::prop_assert_eq!(judged.verdict, Verdict::Optimal);
        }
        let mut now = board;
        let mut boards = vec![now.to_string()];
        for &mv in &moves {
            now = now.slide(mv).unwrap();
            boards.push(now.to_string());
        }
        if moves.is_empty() {
            return Ok(());
        }
        let claim = Reader::default().line(boards.join(" -> ").as_bytes()).unwrap();
        let judged = oracle.judge(&board, &claim.answer, None).unwrap();
        proptest::prop_assert_eq!(judged.verdict, Verdict::Optimal);
    }
}

static EIGHT: std::sync::LazyLock<Oracle> =
    std::sync::LazyLock::new(|| Oracle::for_goal(&"123456780".parse().unwrap()).unwrap());
