//! Promise: a database that was once written is read by every later version.
//!
//! `tests/v1/` has files of format version 1 as the first release wrote them, `tests/v2/` those of version 2. They are
//! never written anew. A later version may write other bytes (another format version, another default
//! encoding); it may not refuse these files or answer otherwise from them.

use std::path::PathBuf;

use puzzledb::ask::DatabaseRecord;
use puzzledb::oracle::Oracle;
use puzzledb::oracle::check::check;
use puzzledb::pattern::Patterns;
use puzzledb::puzzle::letters;
use puzzledb::table::{Encoding, Table};

/// Versions of the format, each with a folder of files.
const VERSIONS: [(u32, &str); 2] = [(1, "tests/v1"), (2, "tests/v2")];

fn path(folder: &str, name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(name)
}

#[test]
fn files_of_every_version_are_read_and_proved() {
    for (name, encoding, states, max_distance) in [
        ("2x2.full.pzdb", Encoding::Full, 12, 6),
        ("2x2.bit.pzdb", Encoding::Bit, 12, 6),
        ("3x2.full.pzdb", Encoding::Full, 360, 21),
        ("3x2.bit.pzdb", Encoding::Bit, 360, 21),
        ("3x3.full.pzdb", Encoding::Full, 181_440, 31),
        ("3x3.bit.pzdb", Encoding::Bit, 181_440, 31),
    ] {
        for (version, folder) in VERSIONS {
            let table = Table::open(path(folder, name)).unwrap();
            let header = table.header();
            assert_eq!(header.version(), version, "{name}");
            assert_eq!(header.encoding(), encoding, "{name}");
            assert_eq!(header.class().states(), states, "{name}");
            assert_eq!(header.max_distance(), max_distance, "{name}");
            check(&table).unwrap();
        }
    }
    let file = path("tests/v2", "3x3.patterns.pzdb");
    let patterns = Patterns::open(file).unwrap();
    let record = DatabaseRecord::new(&patterns.clone().into(), None);
    assert_eq!(record.unwrap().format_version, Some(2));
    puzzledb::pattern::check(&patterns).unwrap();
}

#[test]
fn files_of_every_version_give_the_answers_that_they_gave() {
    let names = ["3x3.full.pzdb", "3x3.bit.pzdb"];
    for (name, (_, folder)) in names.into_iter().flat_map(|n| VERSIONS.map(|v| (n, v))) {
        let oracle = Oracle::open(path(folder, name)).unwrap();
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
