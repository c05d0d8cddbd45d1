//! No text makes the reader of answers panic or hang, and every answer that it reads can be judged.

use std::sync::LazyLock;

use puzzledb::internals::{Format, Reader, find_answer_by};
use puzzledb::oracle::Oracle;

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::for_goal(&"123456780".parse().unwrap()).unwrap());

pub fn ask(text: &[u8]) {
    let (oracle, reader) = (&*ORACLE, Reader::default());
    let board = "704851632".parse().unwrap();
    if let Ok(answer) = find_answer_by(text, &board, oracle.goal(), &reader) {
        oracle.judge(&board, &answer, None).unwrap();
    }
    let (format, begin) = Format::of_text(text, &reader);
    format.read(&text[begin..], &reader, None, |_, claim| {
        if let Ok(claim) = claim
            && claim.board.shape() == oracle.shape()
        {
            oracle.judge(&claim.board, &claim.answer, None).unwrap();
        }
    });
}
