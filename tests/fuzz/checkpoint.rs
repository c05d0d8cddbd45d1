//! Searches that resume from a checkpoint with a right checksum end without a panic, whatever it contains.
//!
//! The input is a checkpoint without the checksum at its end.

use std::io::Cursor;
use std::sync::Arc;

use puzzledb::bfs::{Alone, Search, go_on};
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;

pub fn ask(input: &[u8]) {
    let checkpoint = [input, &crc32fast::hash(input).to_le_bytes()].concat();
    for (rows, cols) in [(2, 2), (3, 2), (3, 3)] {
        let shape = Shape::new(rows, cols).expect("a small shape");
        let class = GoalClass::new(shape, shape.cells() - 1).expect("its last cell");
        let mut checkpoint = Cursor::new(&checkpoint);
        let search = Search::resume(class, 1, Arc::new(Alone), &mut checkpoint);
        if let Ok(mut search) = search.expect("there is memory for a small search") {
            let Ok(()) = search.run(&mut go_on);
            assert!(search.levels().len() <= 256);
        }
    }
}
