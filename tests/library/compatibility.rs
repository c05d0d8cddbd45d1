//! Promise: a database that was once written is read by every later version.
//!
//! `tests/v1/` has files of format version 1 as the first release wrote them. They are never
//! written anew. A later version may write other bytes (another format version, another default
//! encoding); it may not refuse these files or answer otherwise from them.

use std::path::PathBuf;

use puzzledb::oracle::Oracle;
use puzzledb::oracle::check::check;
use puzzledb::puzzle::letters;
use puzzledb::table::{Encoding, Table};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/v1")
        .join(name)
}

#[test]
fn files_of_the_first_release_are_read_and_proved() {
    for (name, encoding, states, max_distance) in [
        ("2x2.full.pzdb", Encoding::Full, 12, 6),
        ("2x2.bit.pzdb", Encoding::Bit, 12, 6),
        ("3x2.full.pzdb", Encoding::Full, 360, 21),
        ("3x2.bit.pzdb", Encoding::Bit, 360, 21),
        ("3x3.full.pzdb", Encoding::Full, 181_440, 31),
        ("3x3.bit.pzdb", Encoding::Bit, 181_440, 31),
    ] {
        let table = Table::open(path(name)).unwrap();
        let header = table.header();
        assert_eq!(header.encoding(), encoding, "{name}");
        assert_eq!(header.class().states(), states, "{name}");
        assert_eq!(header.max_distance(), max_distance, "{name}");
        check(&table).unwrap();
    }
}

#[test]
fn files_of_the_first_release_give_the_answers_that_they_gave() {
    for name in ["3x3.full.pzdb", "3x3.bit.pzdb"] {
        let oracle = Oracle::open(path(name)).unwrap();
        for (board, distance, solution) in [
            ("704851632", 19, "RDDLLUURRDDLLUURRDD"),
            ("867254301", 31, "UULDDRRUULDLDRRUULDLDRRUULLDDRR"),
        ] {
            let board = board.parse().unwrap();
            assert_eq!(oracle.distance(&board).unwrap(), distance);
            assert_eq!(letters(&oracle.solve(&board).unwrap()), solution, "{name}");
        }
    }
}
