//! Promise: a large file is copied while there is memory, and else read by position: its answers are those of memory, and
//! any change of the file is an error, never a wrong answer and never a signal.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use puzzledb::internals::COPIED;
use puzzledb::oracle::{Limits, Oracle, QueryError};
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::{Board, UsualGoal};
use puzzledb::space::StateIndex;
use puzzledb::table::{Bytes, Encoding, FormatError, Table};

use crate::bytes::database;

/// Database of 3x4, and its file.
fn large() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let (dir, bytes) = (tempfile::tempdir().unwrap(), database(4, 3, Encoding::Bit));
    let path = dir.path().join("3x4.pzdb");
    fs::write(&path, &bytes).unwrap();
    assert!(bytes.len() as u64 > COPIED);
    (dir, path, bytes)
}

/// Oracle of a file that is read by position, whatever the memory.
fn opened_by_position(path: &Path) -> Oracle {
    let goal = UsualGoal::Last.board("3x4".parse().unwrap());
    let table = Table::open_by(path, Bytes::by_position).unwrap();
    Oracle::from_database(table, &goal).unwrap()
}

#[test]
fn a_file_read_by_position_answers_as_one_in_memory() {
    let (_dir, path, bytes) = large();
    let goal = UsualGoal::Last.board("3x4".parse().unwrap());
    let by_position = opened_by_position(&path);
    assert!(by_position.table().unwrap().bytes().whole().is_none());
    by_position.table().unwrap().verify().unwrap();
    let memory = Oracle::from_database(Table::from_bytes(bytes).unwrap(), &goal).unwrap();
    for number in (0..239_500_800).step_by(1_000_003).map(StateIndex) {
        let board = memory.space().unwrap().unrank(number);
        assert_eq!(by_position.distance(&board), memory.distance(&board));
        assert_eq!(by_position.solve(&board), memory.solve(&board));
        assert_eq!(
            by_position.optimal_moves(&board),
            memory.optimal_moves(&board)
        );
    }
}

/// Boards whose solutions look the damaged chunk up have no answer; the first error is kept.
#[test]
fn damage_of_a_file_read_by_position_is_an_error() {
    let (_dir, path, mut bytes) = large();
    let good = Table::from_bytes(bytes.clone()).unwrap();
    let goal = UsualGoal::Last.board("3x4".parse().unwrap());
    let good = Oracle::from_database(good, &goal).unwrap();
    let (number, offset) = (StateIndex(100_000_000), 4096);
    let at = offset + number.0 as usize / 8;
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    let named = Oracle::open(&path).unwrap_err().to_string(); // copied, and verified at once
    assert!(named.contains("is damaged: chunk"), "{named}");
    let oracle = opened_by_position(&path);
    assert_eq!(oracle.distance(&goal), Ok(0));
    let board = good.space().unwrap().unrank(number);
    let chunks = vec![(at - offset) / 16_384];
    let part = "bit section";
    let expected = oracle.solve(&board).unwrap_err();
    let QueryError::Damaged(damage) = &expected else {
        panic!("{expected}");
    };
    assert_eq!(damage.path, std::path::absolute(&path).unwrap());
    assert_eq!(damage.cause, FormatError::Chunks { part, chunks });
    for answer in [
        oracle.distance(&goal).map(drop),
        oracle.count_solutions(&goal).map(drop),
        oracle.optimal_moves(&goal).map(drop),
        oracle.probe(&goal).map(drop),
    ] {
        assert_eq!(answer, Err(expected.clone()));
    }
}

#[test]
fn a_file_that_is_cut_short_while_it_is_read_by_position_is_an_error() {
    let (_dir, path, _) = large();
    let copied = Oracle::open(&path).unwrap();
    let oracle = opened_by_position(&path);
    let goal = *oracle.goal();
    assert_eq!(oracle.distance(&goal), Ok(0));
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(4096).unwrap();
    let board = oracle.space().unwrap().unrank(StateIndex(100_000_000));
    assert!(copied.distance(&board).is_ok());
    assert!(matches!(
        oracle.distance(&board),
        Err(QueryError::Damaged(damage)) if matches!(damage.cause, FormatError::Unreadable(_))
    ));
    assert!(oracle.table().unwrap().file().unwrap().has_changed());
}

/// Bytes change between two rounds of questions, at chunks that were verified in the first and at others.
#[test]
fn no_distance_is_wrong_after_bytes_of_the_file_have_changed() {
    let (_dir, path, mut bytes) = large();
    let memory = Table::from_bytes(bytes.clone()).unwrap();
    let goal = UsualGoal::Last.board("3x4".parse().unwrap());
    let memory = Oracle::from_database(memory, &goal).unwrap();
    let (copied, by_position) = (Oracle::open(&path).unwrap(), opened_by_position(&path));
    let space = memory.space().unwrap();
    let boards: Vec<Board> = (0..3_000u64)
        .map(|i| space.unrank(StateIndex(i * 79_823 + 17)))
        .collect();
    let right: Vec<_> = boards.iter().map(|board| memory.distance(board)).collect();
    for (board, right) in boards.iter().zip(&right) {
        assert_eq!(by_position.distance(board), *right);
    }
    for i in 0..200_000 {
        let at = 4096 + (i * 2_654_435_761usize) % (bytes.len() - 65_536);
        bytes[at] ^= 0x55;
    }
    fs::write(&path, &bytes).unwrap();
    let mut answered = 0;
    for (board, right) in boards.iter().zip(&right) {
        assert_eq!(copied.distance(board), *right);
        match by_position.distance(board) {
            Err(QueryError::Damaged(_)) => {}
            answer => {
                assert_eq!(answer, *right);
                answered += 1;
            }
        }
    }
    // All chunks that the boards look up may be in the cache; a new oracle meets the damage.
    assert!(answered > 0 || by_position.table().unwrap().damage().is_some());
    assert!(Oracle::open(&path).is_err());
}

#[test]
#[ignore = "full run"]
fn damaged_patterns_read_by_position_solve_nothing() {
    let goal = UsualGoal::Last.board("4x4".parse().unwrap());
    let partition = Partition::new(&goal, &"7-6".parse().unwrap()).unwrap();
    let patterns = Patterns::build(&partition).unwrap();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    patterns.write(&mut file).unwrap();
    let solve = |patterns: Patterns, board| {
        let oracle = Oracle::from_database(patterns, &goal).unwrap();
        let larger_patterns = false;
        let limits = Limits {
            larger_patterns,
            ..Limits::DEFAULT
        };
        oracle.with_limits(limits).distance(board)
    };
    let board = "fda721639b0c548e".parse().unwrap();
    let right = Patterns::open_by(file.path(), Bytes::by_position).unwrap();
    let right = solve(right, &board);
    assert!(right.is_ok());
    let length = file.path().metadata().unwrap().len();
    assert!(length > COPIED);
    let (mut refused, bytes) = (0, fs::read(file.path()).unwrap());
    for at in (8192..length - 65_536).step_by(1_500_007) {
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&[0x55; 65_536]).unwrap();
        assert!(Patterns::open(file.path()).is_err()); // copied, and verified at once
        match solve(
            Patterns::open_by(file.path(), Bytes::by_position).unwrap(),
            &board,
        ) {
            Err(QueryError::Damaged(_)) => refused += 1,
            answer => assert_eq!(answer, right),
        }
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&bytes[at as usize..][..65_536]).unwrap();
    }
    assert!(refused > 3, "{refused}");
}
