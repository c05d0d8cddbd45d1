use super::*;
use crate::oracle::{Oracle, Verdict, Way};
use crate::puzzle::{Move, Notation, Shape};

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
    let ways: Vec<String> = claim.answer.ways.iter().map(way).collect();
    let length = claim.answer.length.map_or(String::new(), |l| l.to_string());
    let none = if claim.answer.unsolvable { "none" } else { "" };
    format!("{} {length}{none} {}", claim.board, ways.join("|"))
}

fn way(way: &Way) -> String {
    let words: Vec<String> = match way {
        Way::Directions(moves) => return moves.iter().map(|mv| mv.letter()).collect(),
        Way::Tiles(tiles) => tiles.iter().map(u8::to_string).collect(),
        Way::Boards(boards) => boards.iter().map(Board::to_string).collect(),
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
        "123405786\t2 -> nothing",
    ]
    .iter()
    .take(4)
    {
        assert_eq!(short(boards), "123405786  123450786,123456780", "{boards}");
    }
    let all = "[[[1,2,3],[4,0,5],[7,8,6]],[[1,2,3],[4,5,0],[7,8,6]],[[1,2,3],[4,5,6],[7,8,0]]]";
    assert_eq!(short(all), "123405786  123405786,123450786,123456780");
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
        ("704851632\tmany\tRD", "\"many\" is no length"),
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

fn table(text: &str) -> Vec<(u64, Result<Claim, String>)> {
    let (header, rows) = text.split_once('\n').unwrap();
    let table = Table::of_header(header.as_bytes()).expect("a header");
    let mut found = Vec::new();
    table.rows(rows.as_bytes(), &Reader::default(), |line, claim| {
        found.push((line, claim.map_err(|e| e.to_string())));
    });
    found
}

#[test]
fn column_names_are_known_in_any_case() {
    for header in [
        "board,length,path",
        "Board,Length,Path",
        "initial,cost,moves",
        "INIT_STATE,PATH_LENGTH,PATH",
        "Initial State,Path Length,Solution",
        "start-state,solution-depth,solution-path",
        "puzzle,depth,actions",
        "\u{feff}state,path cost,Move List",
        "Start,number_of_moves,plan",
        "input, len, answer",
    ] {
        let found = table(&format!("{header}\n704851632,19,RDDL\n"));
        let claim = found[0].1.as_ref().expect(header);
        assert_eq!(
            (claim.answer.length, claim.answer.ways.len()),
            (Some(19), 1),
            "{header}"
        );
    }
    for header in [
        "",
        "a,b,c",
        "length,path",
        "704851632,19",
        "board",
        "board,nodes",
    ] {
        assert_eq!(Table::of_header(header.as_bytes()), None, "{header}");
    }
}

#[test]
fn fields_may_be_quoted_and_rows_may_go_over_lines() {
    let found = table(
        "id,board,goal,path,note\n1,\"7,0,4,8,5,1,6,3,2\",123456780,\"['Right', 'Down']\",\"he said \"\"hi\"\"\"\n2,\"[[7,0,4],\n[8,5,1],\n[6,3,2]]\",,RD,\n3,123,,RD,x\n4,704851632\n",
    );
    let lines: Vec<u64> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [0, 1, 4, 5]);
    for claim in [&found[0], &found[1]] {
        assert_eq!(claim.1.as_ref().unwrap().answer.ways.len(), 1);
    }
    assert!(found[2].1.as_ref().unwrap_err().contains("3 cells"));
    assert!(
        found[3]
            .1
            .as_ref()
            .unwrap_err()
            .contains("2 fields where the header names 5")
    );
    let unquoted = table("board,path\n704851632,['Right', 'Down', 'Left']\n");
    assert_eq!(
        unquoted[0].1.as_ref().unwrap().answer.ways,
        line("704851632 RDL").unwrap().answer.ways
    );
}

#[test]
fn moves_is_a_count_beside_a_path_and_a_path_alone() {
    let one = |text: &str| table(text)[0].1.clone().unwrap().answer;
    assert_eq!(one("board,moves,path\n123405786,2,RD\n").length, Some(2));
    assert_eq!(one("board,moves\n123405786,RD\n").ways.len(), 1);
    assert_eq!(one("board,moves\n123405786,2\n").length, Some(2));
    assert_eq!(
        one("board,path\n123456780,\n").ways,
        [Way::Directions(vec![])],
        "no move is needed"
    );
    assert!(one("board,length,path\n123456870,,None\n").unsolvable);
    assert!(one("board,solvable,path\n123456870,False,\n").unsolvable);
    assert_eq!(one("board,length,path\n123405786,2,\n").length, Some(2));
}

#[test]
fn json_objects_are_read_by_their_keys() {
    let object = |text: &str| {
        Reader::default()
            .object(text.as_bytes())
            .map_err(|e| e.to_string())
    };
    for text in [
        r#"{"board": "123405786", "length": 2, "path": "RD"}"#,
        r#"{"initial_state": [1,2,3,4,0,5,7,8,6], "cost": 2.0, "moves": ["Right", "Down"]}"#,
        r#"{"start": [[1,2,3],[4,0,5],[7,8,6]], "depth": 2, "solution": ["R","D"], "nodes": 3}"#,
        r#"{"puzzle": "1 2 3 4 0 5 7 8 6", "moves": 2, "path": "right,down"}"#,
        r#"{"board":"123405786","goal":"123456780","distance":2,"moves":"RD","tiles":[5,6],"solutions":1}"#,
        r#"{"state": "123405786", "path_length": 2, "steps": [{"move": "Right"}, {"move": "Down"}]}"#,
    ] {
        let answer = object(text).expect(text).answer;
        assert_eq!(answer.length, Some(2), "{text}");
        assert_eq!(
            answer.ways,
            [Way::Directions(vec![Move::Right, Move::Down])],
            "{text}"
        );
    }
    let trace =
        r#"{"board": "123405786", "path": [[[1,2,3],[4,5,0],[7,8,6]], [[1,2,3],[4,5,6],[7,8,0]]]}"#;
    assert_eq!(
        object(trace)
            .unwrap()
            .answer
            .ways
            .iter()
            .map(way)
            .collect::<Vec<_>>(),
        ["123450786,123456780"]
    );
    let tiles = r#"{"board": "123405786", "path": [5, 6]}"#;
    assert_eq!(object(tiles).unwrap().answer.ways, [Way::Tiles(vec![5, 6])]);
    for none in [
        r#"{"board":"123456870","distance":null,"moves":null,"tiles":null,"solutions":0,"reason":"x"}"#,
        r#"{"board":"123456870","solvable":false}"#,
        r#"{"board":"123456870","solution":"no solution"}"#,
    ] {
        assert!(object(none).expect(none).answer.unsolvable, "{none}");
    }
    assert!(
        object(r#"{"length": 2}"#)
            .unwrap_err()
            .contains("there is no board")
    );
    assert!(
        object(r#"{"board": "123405786"}"#)
            .unwrap_err()
            .contains("nothing is claimed")
    );
    assert!(
        object(r#"{"board": "#)
            .unwrap_err()
            .contains("no JSON object")
    );
}

#[test]
fn another_number_may_stand_for_the_blank() {
    let read = |blank, text: &str| {
        let reader = Reader {
            numbering: Numbering { shape: None, blank },
            only: None,
        };
        let claim = reader.line(text.as_bytes()).unwrap();
        (claim.board.to_string(), way(&claim.answer.ways[0]))
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

#[test]
fn the_first_line_tells_the_format() {
    let of = |text: &str| Format::of_line(text.as_bytes(), &Reader::default());
    assert_eq!(of("704851632 19"), Some(Format::Lines));
    assert_eq!(of("[[7,0,4],[8,5,1],[6,3,2]] 19"), Some(Format::Lines));
    assert_eq!(of("{\"board\": 1"), Some(Format::Objects));
    assert_eq!(of("[ {"), Some(Format::Objects));
    assert_eq!(of("["), Some(Format::Objects));
    assert!(matches!(of("id;Board;Path"), Some(Format::Table(_))));
    assert!(matches!(of("board\tlength"), Some(Format::Table(_))));
    assert_eq!(of("path_to_goal: ['Up']"), None);
    assert_eq!(of("hello"), None);
    assert_eq!(of("# 704851632 19"), None);
}

fn texts(text: &str) -> Vec<Result<String, String>> {
    let mut found = Vec::new();
    Format::Text.read(text.as_bytes(), &Reader::default(), None, |_, claim| {
        found.push(claim.map_err(|e| e.to_string()).map(|claim| {
            let ways: Vec<String> = claim.answer.ways.iter().map(way).collect();
            format!("{} {}", claim.board, ways.join("|"))
        }));
    });
    found
}

#[test]
fn a_text_about_several_boards_is_cut_at_each() {
    let labelled = "Initial state: 123405786\nSolution: RD\n\nInitial state:\n1 2 3\n4 5 0\n7 8 6\nmoves: D\n\nInitial state: 123456780\nfoo\n";
    assert_eq!(
        texts(labelled),
        [
            Ok("123405786 RD".into()),
            Ok("123450786 D".into()),
            Err(
                "no answer was found in this text: no path, no length, no word that there is none"
                    .into()
            )
        ]
    );
    let bare = "1 2 3\n4 0 5\n7 8 6\n\nRight\nDown\n\n1 2 3\n4 5 6\n7 0 8\n\nRight\n";
    assert_eq!(
        texts(bare),
        [Ok("123405786 RD".to_owned()), Ok("123456708 R".to_owned())]
    );
    assert!(
        texts("nothing here")[0]
            .as_ref()
            .unwrap_err()
            .contains("--board")
    );
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes: Vec<u8>, blank: u8, rows in 2usize..6) {
        let reader = Reader {
            numbering: Numbering { shape: Shape::new(rows, 2).ok(), blank },
            only: None,
        };
        let _ = reader.line(&bytes);
        let _ = reader.object(&bytes);
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
        let board = oracle.unrank(crate::space::StateIndex(index));
        let moves = oracle.solve(&board).unwrap();
        for notation in [Notation::Blank, Notation::Tile, Notation::Numbers] {
            let mut path = String::new();
            notation.write(&board, &moves, &mut path).unwrap();
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
    std::sync::LazyLock::new(|| Oracle::in_memory(&"123456780".parse().unwrap()).unwrap());
