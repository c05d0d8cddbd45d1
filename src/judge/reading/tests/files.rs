//! Tables, JSON objects and texts.

use super::*;

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
            (claim.answer.length, claim.answer.candidates.len()),
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
        assert_eq!(claim.1.as_ref().unwrap().answer.candidates.len(), 1);
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
        unquoted[0].1.as_ref().unwrap().answer.candidates,
        line("704851632 RDL").unwrap().answer.candidates
    );
}

#[test]
fn moves_is_a_count_beside_a_path_and_a_path_alone() {
    let one = |text: &str| table(text)[0].1.clone().unwrap().answer;
    assert_eq!(one("board,moves,path\n123405786,2,RD\n").length, Some(2));
    assert_eq!(one("board,moves\n123405786,RD\n").candidates.len(), 1);
    assert_eq!(one("board,moves\n123405786,2\n").length, Some(2));
    assert_eq!(
        one("board,path\n123456780,\n").candidates,
        [Path::Directions(vec![])],
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
            .object(text.as_bytes(), None)
            .map_err(|e| e.to_string())
    };
    for text in [
        r#"{"board": "123405786", "length": 2, "path": "RD"}"#,
        r#"{"initial_state": [1,2,3,4,0,5,7,8,6], "cost": 2.0, "moves": ["Right", "Down"]}"#,
        r#"{"start": [[1,2,3],[4,0,5],[7,8,6]], "depth": 2, "solution": ["R","D"], "nodes": 3}"#,
        r#"{"puzzle": "1 2 3 4 0 5 7 8 6", "moves": 2, "path": "right,down"}"#,
        r#"{"board":"123405786","goal":"123456780","distance":2,"moves":"RD","tiles":[5,6],"solutions":1}"#,
        r#"{"board":"123405786","distance":2,"moves":"RD","solutions":["RD","LURD"],"all_paths":[["R","D"],["L","U"]]}"#,
        r#"{"board":"123405786","distance":2,"best_path":["RD"]}"#,
        r#"{"board":"123405786","distance":2,"best_path":[["Right"],["Down"]]}"#,
        r#"{"board":"123405786","distance":2,"best_path":[["R"],["D"]]}"#,
        r#"{"state": "123405786", "path_length": 2, "steps": [{"move": "Right"}, {"move": "Down"}]}"#,
    ] {
        let answer = object(text).expect(text).answer;
        assert_eq!(answer.length, Some(2), "{text}");
        assert_eq!(
            answer.candidates,
            [Path::Directions(vec![Move::Right, Move::Down])],
            "{text}"
        );
    }
    let trace =
        r#"{"board": "123405786", "path": [[[1,2,3],[4,5,0],[7,8,6]], [[1,2,3],[4,5,6],[7,8,0]]]}"#;
    assert_eq!(
        object(trace)
            .unwrap()
            .answer
            .candidates
            .iter()
            .map(path_text)
            .collect::<Vec<_>>(),
        ["123450786,123456780"]
    );
    let tiles = r#"{"board": "123405786", "path": [5, 6]}"#;
    assert_eq!(
        object(tiles).unwrap().answer.candidates,
        [Path::Tiles(vec![5, 6])]
    );
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
            let paths: Vec<String> = claim.answer.candidates.iter().map(path_text).collect();
            format!("{} {}", claim.board, paths.join("|"))
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
                "no answer was found in this text: line 2 looks most like an answer, but leaves a doubt: \"foo\""
                    .into()
            )
        ]
    );
    let headed = "123405786: 2 moves\n\n1 2 3\n4 . 5\n7 8 6\n\n1: blank R, tile 5\n1 2 3\n4 5 .\n7 8 6\n\n2: blank D, tile 6\n1 2 3\n4 5 6\n7 8 .\n\n\n123456708: 1 move\nR\n";
    assert_eq!(
        texts(headed),
        [
            Ok("123405786 123450786,123456780".to_owned()),
            Ok("123456708 R".to_owned())
        ]
    );
    assert!(
        texts("nothing here")[0]
            .as_ref()
            .unwrap_err()
            .contains("no board was found")
    );
}

#[test]
fn a_text_names_its_goal_and_what_it_is_about() {
    let goal_of = |text: &str| {
        let mut goals = Vec::new();
        Format::Text.read(text.as_bytes(), &Reader::default(), None, |_, claim| {
            let claim = claim.unwrap_or_else(|error| panic!("{text}: {error}"));
            goals.push((
                claim.board.to_string(),
                claim.goal.map(|goal| goal.to_string()),
            ));
        });
        goals
    };
    let asked = ("123405786".to_owned(), Some("123450786".to_owned()));
    for text in [
        "Initial state: 123405786\nGoal: 123450786\nPath: R\n",
        "Initial state:\n1 2 3\n4 0 5\n7 8 6\nGoal state:\n\n1 2 3\n4 5 0\n7 8 6\nPath: R\n",
        "Start: 123405786\nGoal state:\n123450786 <- here\nPath: R\n",
    ] {
        assert_eq!(goal_of(text), std::slice::from_ref(&asked), "{text}");
    }
    // Words between the label and a board: it is not that board's label.
    let far = "Initial state: 123405786\nGoal:\nis reached by\n1 2 3\n4 5 0\n7 8 6\nPath: RD\n";
    assert_eq!(goal_of(far), [("123405786".to_owned(), None)]);
    // Boards side by side: the first is where it begins.
    let beside = "1 2 3   1 2 3   1 2 3\n4 0 5   4 5 0   4 5 6\n7 8 6   7 8 6   7 8 0\n\nRD\n";
    let boards = "123405786 123450786,123456780";
    assert_eq!(texts(beside), [Ok(boards.to_owned())]);
}

#[test]
fn a_part_without_a_board_and_a_label_without_one_are_errors_of_their_own() {
    let told = texts("Initial state: 12340578\nPath: RD\n\nInitial state: 123450786\nPath: D\n");
    assert!(
        told[0].as_ref().unwrap_err().contains("8 cells"),
        "{told:?}"
    );
    assert_eq!(told[1], Ok("123450786 D".to_owned()));
    let told = texts("Initial state:\nis not shown\nPath: RD\n");
    assert!(told[0].as_ref().unwrap_err().contains("no board was found"));
}

/// Boards after words that do not all have a path of their own are boards on the way, and the text is
/// about the first.
#[test]
fn boards_between_words_are_not_taken_for_puzzles() {
    let text = "expanding\n1 2 3\n4 0 5\n7 8 6\nthen\n8 1 2\n0 4 3\n7 6 5\nPath: RD\n";
    assert_eq!(texts(text), [Ok("123405786 RD".to_owned())]);
}

#[test]
fn a_byte_order_mark_is_left_out() {
    let mut boards = Vec::new();
    let text = "\u{feff}{\"board\":\"123405786\",\"cost\":2}";
    Format::Objects.read(text.as_bytes(), &Reader::default(), None, |_, claim| {
        boards.push(claim.unwrap().board.to_string());
    });
    assert_eq!(boards, ["123405786"]);
    assert_eq!(short("\u{feff}123405786 2"), "123405786 2 ");
}
