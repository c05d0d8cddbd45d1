//! Speed of the reader of answers. Its time has to be in proportion to the text.
//!
//! Each text is read in a size and in twice that size: the throughput must be the same.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use puzzledb::judge::reading::find_answer;
use puzzledb::puzzle::Board;

fn main() {
    divan::main();
}

/// Pieces that have been, or could be, read again and again.
const PIECES: [&str; 14] = [
    ")",
    "(",
    "[",
    "{",
    "}",
    "in 19 steps. ",
    "took 19 moves ",
    "a:=",
    "Right\n",
    "1 2 3\n",
    "BFS: RD\n",
    "Path: ",
    "[INFO] 12:00:01 expanded node 123456, depth 12, h=7\n",
    "{\"board\": \"704851632\", \"note\": \"open list\"}\n",
];

#[divan::bench(args = PIECES.iter().flat_map(|piece| [(*piece, 1 << 19), (*piece, 1 << 20)]), sample_count = 5)]
fn a_text_of(bencher: Bencher<'_, '_>, (piece, size): (&str, usize)) {
    let board: Board = "704851632".parse().unwrap();
    let goal: Board = "123456780".parse().unwrap();
    let text = format!("Path: {}", piece.repeat(size / piece.len()));
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| find_answer(black_box(text.as_bytes()), &board, &goal));
}
