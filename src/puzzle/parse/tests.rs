use proptest::prelude::*;
use proptest::sample::Index;

use super::super::goal::UsualGoal;
use super::*;

fn read(text: &str) -> Result<String, String> {
    parse_board(text.as_bytes(), None)
        .map(|b| format!("{} {b}", b.shape()))
        .map_err(|e| e.to_string())
}

fn read_as(shape: &str, text: &str) -> Result<String, String> {
    parse_board(text.as_bytes(), Some(shape.parse().unwrap()))
        .map(|b| b.to_string())
        .map_err(|e| e.to_string())
}

#[test]
fn a_board_is_made_from_cells_and_from_json() {
    let cells = [7, 0, 4, 8, 5, 1, 6, 3, 2];
    let board = Board::try_from(cells).unwrap();
    assert_eq!(board.to_string(), "704851632");
    let json = serde_json::to_string(&board).unwrap();
    assert_eq!(serde_json::from_str::<Board>(&json).unwrap(), board);
    assert!(Board::try_from([1, 0]).is_err() && Board::try_from([1, 1, 2, 0]).is_err());
}

#[test]
fn every_way_of_writing_a_board_reads_the_same() {
    for text in [
        "704851632",
        "  704851632\r\n",
        "7 0 4 8 5 1 6 3 2",
        "7,0,4,8,5,1,6,3,2",
        "7, 0, 4; 8, 5, 1; 6, 3, 2",
        "704/851/632",
        "7 0 4 / 8 5 1 / 6 3 2",
        "704 851 632",
        "[7,0,4,8,5,1,6,3,2]",
        "[[7,0,4],[8,5,1],[6,3,2]]",
        "[[7, 0, 4],\n [8, 5, 1],\n [6, 3, 2]]",
        "((7, 0, 4), (8, 5, 1), (6, 3, 2))",
        "['7','_','4','8','5','1','6','3','2']",
        "[\"7\", \"blank\", \"4\", 8, 5, 1, 6, 3, 2]",
        "7_4851632",
        "7.4851632",
        "7x4851632",
        "7X4851632",
        "7*4851632",
        "7 Blank 4 8 5 1 6 3 2",
        "7 . 4\n8 5 1\n6 3 2",
        "3\n 7  0  4 \n 8  5  1 \n 6  3  2 \n",
        "3 704851632",
        "7\n0\n4\n8\n5\n1\n6\n3\n2\n",
        "\u{feff}704851632",
        "3 704/851/632",
        "3 3\n7 0 4\n8 5 1\n6 3 2\n",
        "3 3\n7 0 4 8 5 1 6 3 2\n",
        "{{7,0,4},{8,5,1},{6,3,2}}",
        "int board[3][3] = {{7,0,4},{8,5,1},{6,3,2}};",
        "  const int start[9] = { 7, 0, 4, 8, 5, 1, 6, 3, 2 }; // a board of 3x3",
        "board = [[7, 0, 4], [8, 5, 1], [6, 3, 2]]  # 19 moves",
        "start: tuple[int, ...] = (7, 0, 4, 8, 5, 1, 6, 3, 2)",
        "state = np.array([[7, 0, 4], [8, 5, 1], [6, 3, 2]], dtype=int)",
        "\\begin{bmatrix} 7 & 0 & 4 \\\\ 8 & 5 & 1 \\\\ 6 & 3 & 2 \\end{bmatrix}",
        "$\\begin{pmatrix}7&\\square&4\\\\8&5&1\\\\6&3&2\\\\\\end{pmatrix}$",
    ] {
        assert_eq!(read(text), Ok("3x3 704851632".into()), "{text:?}");
    }
}

#[test]
fn larger_shapes_take_letters_and_numbers() {
    let fifteen = Ok("4x4 123456789abcdef0".to_owned());
    assert_eq!(read("123456789abcdef0"), fifteen);
    assert_eq!(read("1234/5678/9ABC/DEFx"), fifteen);
    assert_eq!(read("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"), fifteen);
    assert_eq!(read("4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0"), fifteen);
    assert_eq!(
        read("4 4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0"),
        fifteen
    );
    assert_eq!(read("2 3\n1 2 3\n4 5 0\n"), Ok("2x3 123450".into()));
    assert_eq!(
        read("2 3\n0 1\n4 5\n6 7\n"),
        Ok("4x2 23014567".into()),
        "no header"
    );
    assert_eq!(read_as("2x5", "0937154826"), Ok("0937154826".into()));
    assert_eq!(
        read_as("5x2", "0 9 3 7 1 5 4 8 2 6"),
        Ok("0937154826".into())
    );
    assert_eq!(
        read_as("3x4", "1 2 3 4 5 6 7 8 9 10 11 0"),
        Ok("123456789ab0".into())
    );
}

#[test]
fn boards_of_more_cells_than_letters_are_numbers() {
    for shape in ["2x13", "13x2", "5x6", "6x6", "7x8", "8x8"] {
        let shape: Shape = shape.parse().unwrap();
        for goal in UsualGoal::ALL {
            let board = goal.board(shape);
            let rows = board.to_string();
            assert_eq!(parse_board(rows.as_bytes(), None), Ok(board), "{rows}");
            for apart in [" ", ", "] {
                let text = rows.replace(['/', ','], apart);
                assert_eq!(
                    parse_board(text.as_bytes(), Some(shape)),
                    Ok(board),
                    "{text}"
                );
            }
        }
    }
    let eight = UsualGoal::Last.board(Shape::new(8, 8).unwrap());
    let sized = format!("8\n{}", eight.grid().replace('.', "0"));
    assert_eq!(sized.parse(), Ok(eight));
    let wrong = read(&eight.to_string().replace("63", "64")).unwrap_err();
    assert!(
        wrong.starts_with("64 in cell 63 is not a tile of a 8x8"),
        "{wrong}"
    );
}

#[test]
fn rows_of_equal_length_tell_the_shape() {
    assert_eq!(read("123/450"), Ok("2x3 123450".into()));
    assert_eq!(read("[[1,2],[3,4],[5,0]]"), Ok("3x2 123450".into()));
    assert_eq!(read("12345\n67890"), Ok("2x5 1234567890".into()));
}

#[test]
fn what_is_wrong_is_said() {
    let wrong = |text: &str| read(text).unwrap_err();
    assert!(wrong("").starts_with("no board here"));
    assert!(wrong(" ,;\n").starts_with("no board here"));
    assert!(wrong("70485163").starts_with("8 cells: square boards"));
    assert!(wrong("7048516321").starts_with("10 cells: square boards"));
    assert!(wrong("3704851632").starts_with("10 cells: square boards"));
    assert!(wrong("7 0 4 8 5 1 6 3").starts_with("8 cells: square boards"));
    assert!(wrong("7").starts_with("1 cell: square boards"));
    assert!(
        wrong("03 70485162").starts_with("10 cells"),
        "no side length"
    );
    assert!(wrong("704851z32").starts_with("\"z\" in cell 7 is not a tile"));
    assert!(wrong("7 0 4 8 5 1 None 3 2").starts_with("\"None\" in cell 7 is not a tile"));
    assert!(wrong("7 0 4 8 5 1 -6 3 2").starts_with("\"-6\" in cell 7 is not a tile"));
    assert!(wrong("704851é32").starts_with("\"é\" in cell 7 is not a tile"));
    assert!(wrong("704851692").starts_with("9 in cell 8 is not a tile of a 3x3"));
    assert!(wrong("704851a32").starts_with("10 in cell 7 is not a tile of a 3x3"));
    assert!(wrong("7 0 4 8 5 1 99999999999 3 2").starts_with("\"99999999999\" in cell 7"));
    assert!(wrong("704851633").starts_with("tile 3 is there twice (cells 8 and 9)"));
    assert!(wrong("714851632").starts_with("tile 1 is there twice (cells 2 and 6)"));
    assert!(wrong("7 0 4 8/5 1/6 3 2").starts_with("the rows have 4, 2, 3 cells"));
    let tall = read_as("2x3", "[[1,2],[3,4],[5,0]]").unwrap_err();
    assert_eq!(
        tall,
        "the rows have 2, 2, 2 cells, and a 2x3 board has 2 rows of 3"
    );
    let as_2x5 = read_as("2x5", "704851632").unwrap_err();
    assert_eq!(as_2x5, "9 cells where a 2x5 board has 10");
}

#[test]
fn bytes_that_are_no_text_say_where() {
    let error = parse_board(b"7048\xff1632", None).unwrap_err();
    assert_eq!(error, ParseError::NotUtf8 { at: 4 });
}

#[test]
fn a_long_text_is_an_error_with_a_short_message() {
    for text in [
        "7".repeat(1 << 20),
        "7 ".repeat(1 << 20),
        "é".repeat(1 << 20),
    ] {
        assert!(read(&text).unwrap_err().len() < 200);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_parser_panic(bytes: Vec<u8>, rows in 2usize..9, cols in 2usize..9) {
        let _ = parse_board(&bytes, None);
        let _ = parse_board(&bytes, Shape::new(rows, cols).ok());
    }

    #[test]
    fn near_misses_never_panic_and_boards_read_back(text in "[0-9a-f ,/_x\\[\\]\n]{0,40}") {
        if let Ok(board) = parse_board(text.as_bytes(), None) {
            let again = parse_board(board.to_string().as_bytes(), Some(board.shape()));
            prop_assert_eq!(again, Ok(board));
        }
    }

    /// The fast reader of words, its plain twin and the reader of all forms.
    #[test]
    fn a_word_is_read_as_its_cells_one_by_one(
        (shape, word) in nearly_a_word(), bytes: Vec<u8>,
    ) {
        for (text, shape) in [(&word, Some(shape)), (&word, None), (&bytes, Some(shape))] {
            let fast = parse_word(text, shape);
            prop_assert_eq!(fast, read_cell_by_cell(text, shape));
            if let Some(board) = fast {
                let numbering = Numbering { shape, blank: 0 };
                prop_assert_eq!(parse_as(text, numbering), Ok(board));
            }
        }
    }
}

/// One cell a character, without tables and bit sets.
fn read_cell_by_cell(text: &[u8], shape: Option<Shape>) -> Option<Board> {
    let text = std::str::from_utf8(text).ok()?;
    let word = text.trim_matches([' ', '\t', '\n', '\r', '\x0c']);
    let cell = |c: char| match c {
        '_' | '.' | 'x' | 'X' | '*' => Some(0),
        _ => c.to_digit(25).map(|number| number as u8),
    };
    let cells: Option<Vec<u8>> = word.chars().map(cell).collect();
    let cells = cells?;
    Board::new(shape.or(Shape::square_of(cells.len()))?, &cells).ok()
}

/// A board of any shape in one word, and up to two changes that may spoil it.
fn nearly_a_word() -> impl Strategy<Value = (Shape, Vec<u8>)> {
    const SPOILERS: &[u8] = b"0123456789aAoOpP/:@`{_.xX*+- ,\x00\x0b\x1f\x7f\x80\xff";
    let shape = (2..=12usize, 2..=12usize);
    let shape = shape.prop_filter_map("too large", |(r, c)| {
        Shape::new(r, c)
            .ok()
            .filter(|shape| shape.cells() <= WORD_CELLS)
    });
    let word = shape.prop_flat_map(|shape| {
        let tiles: Vec<u32> = (0..shape.cells() as u32).collect();
        (Just(shape), Just(tiles).prop_shuffle())
    });
    let change = (any::<Index>(), prop::sample::select(SPOILERS), 0..3u8);
    let changes = prop::collection::vec(change, 0..3);
    (word, 0..6usize, any::<bool>(), any::<bool>(), changes).prop_map(
        |((shape, tiles), blank, capitals, padded, changes)| {
            let cell = |&tile: &u32| match std::char::from_digit(tile, 25).unwrap() {
                '0' => b"0_.xX*"[blank],
                c if capitals => c.to_ascii_uppercase() as u8,
                c => c as u8,
            };
            let mut word: Vec<u8> = tiles.iter().map(cell).collect();
            for (at, byte, kind) in changes {
                let at = at.index(word.len());
                match kind {
                    0 => word[at] = byte,
                    1 => word.insert(at, byte),
                    _ => drop(word.remove(at)),
                }
            }
            if padded {
                word.splice(0..0, *b" \t\x0c");
                word.extend(b"\r\n");
            }
            (shape, word)
        },
    )
}
