//! No text makes the reader of boards panic or hang, and a board that it reads is the same after writing and reading.

use puzzledb::puzzle::{Numbering, Shape, parse_board, parse_goal};

pub fn ask(text: &[u8]) {
    for shape in [
        None,
        Some(Shape::EIGHT_PUZZLE),
        "2x5".parse().ok(),
        "8x8".parse().ok(),
    ] {
        for blank in [0, 9] {
            let numbering = Numbering { shape, blank };
            let _ = numbering.board(text);
            let _ = numbering.boards(text);
        }
        let Ok(board) = parse_board(text, shape) else {
            continue;
        };
        let written = board.to_string();
        assert_eq!(
            parse_board(written.as_bytes(), Some(board.shape())),
            Ok(board)
        );
    }
    if let Ok(text) = std::str::from_utf8(text) {
        let _ = parse_goal(text, Shape::EIGHT_PUZZLE);
        let _ = text.parse::<Shape>();
    }
}
