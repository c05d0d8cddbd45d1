//! Searches that resume from a checkpoint with right checksums end without a panic, whatever it contains.
//!
//! The first byte of the input is a number of levels; the others change the bytes of a checkpoint after so many.

use std::io::Cursor;

use puzzledb::internals::{Search, SearchOptions, go_on};
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;

pub fn ask(input: &[u8]) {
    let Some((&levels, changes)) = input.split_first() else {
        return;
    };
    for (rows, cols) in [(2, 2), (3, 2), (3, 3)] {
        let shape = Shape::new(rows, cols).expect("a small shape");
        let class = GoalClass::new(shape, shape.cells() - 1).expect("its last cell");
        let mut search = Search::new(class, 1).expect("there is memory for a small search");
        for _ in 0..=levels % 32 {
            search.advance(&mut go_on).unwrap();
        }
        let mut saved = Cursor::new(Vec::new());
        search.save(&mut saved).expect("memory takes everything");
        let mut bytes = saved.into_inner();
        // Behind the class and the levels there is one record: its length, its bytes, the CRC-32.
        let record = 13 + 8 * search.levels().len();
        let end = bytes.len() - 4;
        let code = bytes[record + 8..end].iter_mut();
        code.zip(changes).for_each(|(byte, change)| *byte ^= change);
        let checked = [&bytes[..record], &bytes[record + 8..end]].concat();
        bytes[end..].copy_from_slice(&crc32fast::hash(&checked).to_le_bytes());
        let resumed = Search::resume(class, &SearchOptions::threads(1), &mut Cursor::new(&bytes));
        if let Ok(mut search) = resumed.expect("there is memory for a small search") {
            search.run(&mut go_on).unwrap();
            assert!(search.levels().len() <= 256);
        }
    }
}
