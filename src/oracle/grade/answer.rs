//! TEMPORARY until `claims` is there.

use crate::oracle::{Answer, Way};
use crate::puzzle::{Board, Move};

pub(super) fn find_answer(output: &[u8], board: &Board) -> Option<Answer> {
    let text = String::from_utf8_lossy(output);
    let mut answer = Answer::default();
    let mut found = false;
    for word in text.split_whitespace() {
        if word == board.to_string() {
        } else if word == "unsolvable" {
            answer.unsolvable = true;
            found = true;
        } else if let Ok(n) = word.parse() {
            answer.length = Some(n);
            found = true;
        } else if let Some(moves) = word
            .chars()
            .map(Move::from_letter)
            .collect::<Option<Vec<_>>>()
        {
            answer.ways.push(Way::Directions(moves));
            found = true;
        }
    }
    found.then_some(answer)
}
