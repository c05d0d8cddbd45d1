//! Promise: a damaged or foreign file is never taken for a database. It is refused with a message
//! that helps and exit code 3; nothing panics, hangs or takes much memory.

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::process::{Command, Stdio};

use puzzledb::Oracle;
use puzzledb::oracle::check::check;
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::{Shape, UsualGoal};
use puzzledb::space::StateIndex;
use puzzledb::table::{Encoding, FormatError, Table};

use crate::bytes::{database, layout, mend_checksums, mend_header};
use crate::run::run;

/// Runs `refused` over a range on two threads, each with its own copy of the bytes.
fn everywhere(
    bytes: &[u8],
    range: Range<usize>,
    refused: impl Fn(&mut Vec<u8>, usize) -> bool + Sync,
) {
    let middle = range.start.midpoint(range.end);
    std::thread::scope(|scope| {
        for part in [range.start..middle, middle..range.end] {
            let (mut copy, refused) = (bytes.to_vec(), &refused);
            scope.spawn(move || {
                for at in part {
                    assert!(refused(&mut copy, at), "accepted with damage at {at}");
                }
            });
        }
    });
}

/// Databases of 2x2, 2x3 and 3x3 in each encoding.
fn databases() -> Vec<Vec<u8>> {
    let shapes = [(2, 2), (3, 2), (3, 3)];
    let all =
        shapes.map(|(rows, cols)| [Encoding::Full, Encoding::Bit].map(|e| database(rows, cols, e)));
    all.into_iter().flatten().collect()
}

#[test]
#[ignore = "full run"]
fn every_single_changed_byte_is_noticed() {
    for bytes in databases() {
        assert!(Table::from_bytes(&bytes[..]).is_ok());
        everywhere(&bytes, 0..bytes.len(), |copy, at| {
            let change = (at * 31 % 255 + 1) as u8; // never 0
            copy[at] ^= change;
            let refused = Table::from_bytes(&copy[..]).is_err();
            copy[at] ^= change;
            refused
        });
    }
}

/// Bytes of a file of patterns for 2x3.
fn patterns() -> Vec<u8> {
    let goal = UsualGoal::Last.board(Shape::new(2, 3).unwrap());
    let partition = Partition::new(&goal, &"3-2".parse().unwrap()).unwrap();
    let mut file = std::io::Cursor::new(Vec::new());
    let patterns = Patterns::build(&partition).unwrap();
    patterns.write(&mut file).unwrap();
    file.into_inner()
}

#[test]
fn every_changed_byte_and_every_truncation_of_patterns_is_noticed() {
    let open = |bytes: &[u8]| Patterns::from_bytes(bytes);
    let bytes = patterns();
    assert!(open(&bytes).is_ok() && open(&[&bytes[..], &[0]].concat()).is_err());
    everywhere(&bytes, 0..bytes.len(), |copy, at| {
        let change = (at * 31 % 255 + 1) as u8; // never 0
        copy[at] ^= change;
        let refused = open(copy).is_err() && open(&copy[..at]).is_err();
        copy[at] ^= change;
        refused
    });
}

#[test]
fn every_single_changed_bit_of_the_header_is_noticed() {
    let bytes = database(3, 3, Encoding::Bit);
    everywhere(&bytes, 0..4096 * 8, |copy, at| {
        copy[at / 8] ^= 1 << (at % 8);
        let refused = Table::from_bytes(&copy[..]).is_err();
        copy[at / 8] ^= 1 << (at % 8);
        refused
    });
}

#[test]
fn every_truncation_and_any_extra_bytes_are_noticed() {
    for bytes in databases() {
        everywhere(&bytes, 0..bytes.len(), |copy, length| {
            Table::from_bytes(&copy[..length]).is_err()
        });
        for extra in [1, 2, 4095, 4096, 100_000] {
            let mut longer = bytes.clone();
            longer.resize(bytes.len() + extra, 0);
            let error = Table::from_bytes(longer).unwrap_err();
            assert!(matches!(error, FormatError::Length { .. }), "{error}");
        }
    }
}

/// Bytes of a good file after a change, with all checksums right again.
fn crafted(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = database(3, 3, Encoding::Bit);
    change(&mut bytes);
    mend_checksums(&mut bytes);
    bytes
}

#[test]
fn a_header_that_lies_is_refused_even_if_its_checksum_is_right() {
    type Change = Box<dyn Fn(&mut Vec<u8>)>;
    let set = |at: usize, value: u8| -> Change { Box::new(move |bytes| bytes[at] = value) };
    let set_u64 = |at: fn(&crate::bytes::Layout) -> usize, value: u64| -> Change {
        Box::new(move |bytes| {
            let at = at(&layout(bytes));
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        })
    };
    let lies: Vec<(&str, Change)> = vec![
        ("version 0", set(8, 0)),
        ("version 1, and checksums of chunks", set(8, 1)),
        (
            "a section of chunks with a checksum of its own",
            Box::new(|bytes| {
                let at = layout(bytes).sections;
                bytes[at + 17] = 1;
            }),
        ),
        ("16 rows", set(16, 16)),
        ("0 rows", set(16, 0)),
        ("5x5", Box::new(|bytes| bytes[16..18].fill(5))),
        (
            "wide",
            Box::new(|bytes| bytes[16..18].copy_from_slice(&[2, 3])),
        ),
        ("another shape", set(16, 4)),
        ("another metric", set(18, 2)),
        ("a goal that is not canonical", set(19, 0)),
        ("no such cell", set(19, 200)),
        ("the other encoding", set(20, 1)),
        ("an unknown encoding", set(20, 9)),
        (
            "2^60 states at a distance",
            set_u64(|l| l.levels + 80, 1 << 60),
        ),
        ("levels that overflow", set_u64(|l| l.levels + 80, u64::MAX)),
        ("a state too many", set_u64(|l| l.levels, 2)),
        (
            "one level with all states",
            Box::new(|bytes| {
                let sections = bytes[layout(bytes).section_count..4092].to_vec();
                bytes[21..29].copy_from_slice(&1u64.to_le_bytes());
                bytes[29..37].copy_from_slice(&181_440u64.to_le_bytes());
                let end = 37 + sections.len().min(4092 - 37);
                bytes[37..end].copy_from_slice(&sections[..end - 37]);
                bytes[12..16].copy_from_slice(&50u32.to_le_bytes());
            }),
        ),
        ("2^60 sections", set_u64(|l| l.section_count, 1 << 60)),
        ("no sections", set_u64(|l| l.section_count, 0)),
        ("a section far away", set_u64(|l| l.sections + 1, 1 << 60)),
        ("a section in the header", set_u64(|l| l.sections + 1, 0)),
        ("an endless section", set_u64(|l| l.sections + 9, u64::MAX)),
        (
            "a section of another kind",
            Box::new(|bytes| {
                let at = layout(bytes).sections;
                bytes[at] = 1;
            }),
        ),
        ("a shorter header", set(12, 20)),
        ("something behind the fields", set(4091, 1)),
        (
            "a header longer than the page",
            Box::new(|bytes| bytes[12..16].fill(255)),
        ),
    ];
    for (what, lie) in lies {
        let error = Table::from_bytes(crafted(lie)).expect_err(what);
        assert!(
            !matches!(error, FormatError::Checksum { .. }),
            "{what}: {error}"
        );
    }
    // Made apart from the others: the test's own reader of headers cannot read this one.
    let mut bytes = database(3, 3, Encoding::Bit);
    bytes[21..29].copy_from_slice(&(1u64 << 60).to_le_bytes());
    mend_header(&mut bytes);
    assert!(matches!(
        Table::from_bytes(bytes),
        Err(FormatError::InvalidHeader { .. })
    ));
}

#[test]
fn bytes_between_the_sections_are_checked_too() {
    let mut bytes = database(3, 3, Encoding::Full);
    let distances_end = 4096 + 113_400;
    bytes[distances_end + 1] = 1;
    mend_checksums(&mut bytes);
    let error = Table::from_bytes(bytes).unwrap_err();
    assert!(
        error.to_string().contains("space between sections"),
        "{error}"
    );
}

#[test]
fn each_bad_file_has_its_message_and_exit_code_3() {
    let dir = tempfile::tempdir().unwrap();
    let good = database(3, 3, Encoding::Full);
    let newer = crafted(|bytes| bytes[8] = 3);
    let mut text_mode = good.clone();
    text_mode.remove(5); // CR LF has become LF
    let mut flipped = good.clone();
    flipped[70_000] ^= 4;
    let cases: [(&str, &[u8], &str); 8] = [
        ("empty", b"", "is empty"),
        ("short", &good[..3], "was cut short"),
        ("cut", &good[..100_000], "was cut short"),
        ("long", &[&good[..], b"x"].concat(), "has bytes too many"),
        (
            "other",
            b"\x7fELF and more of some other program",
            "is not a puzzledb database",
        ),
        ("newer", &newer, "newer than this puzzledb reads"),
        ("text", &text_mode, "text mode"),
        (
            "flipped",
            &flipped,
            "is damaged: chunk 4 of the distances section",
        ),
    ];
    for (name, bytes, message) in cases {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let path = path.to_str().unwrap();
        for args in [
            &["solve", "704851632", "--db", path][..],
            &["probe", "704851632", "--db", path],
            &["stats", "--db", path],
            &["check", path],
            &["info", path],
            &["generate", "--db", path],
        ] {
            let ran = run(dir.path(), args);
            assert_eq!(
                (ran.code, ran.out.as_str()),
                (Some(3), ""),
                "{name} {args:?}"
            );
            for part in [message, path, "puzzledb build"] {
                assert!(ran.err.contains(part), "{name}: no {part:?} in {}", ran.err);
            }
        }
    }
    let folder = run(dir.path(), &["info", dir.path().to_str().unwrap()]);
    assert_eq!(folder.code, Some(3), "{folder:?}");
    let missing = run(dir.path(), &["info", "/no/such/file"]);
    assert_eq!(missing.code, Some(3), "{missing:?}");
    assert!(missing.err.contains("/no/such/file"));
}

/// Flips every bit of 2x2 and 2x3, and one in 49,937 of 3x3. Only the proof can detect the flip. A flip that the
/// proof accepts changes no answer: bits behind the last state, and a parent move that is as good as the other.
#[test]
#[ignore = "full run"]
fn a_changed_bit_with_right_checksums_fails_the_proof_or_changes_no_answer() {
    let distances = |table: &Table| -> Vec<(Option<u8>, usize)> {
        let states = (0..table.header().states()).map(StateIndex);
        let states = states.map(|index| table.ranking().state(index));
        let ask = |state| (table.distance(state), table.walk(state).count());
        states.map(ask).collect()
    };
    for bytes in databases() {
        let right = distances(&Table::from_bytes(bytes.clone()).unwrap());
        let (begin, step) = (4096 * 8, if bytes.len() < 20_000 { 1 } else { 49_937 });
        let (mut flips, mut passed) = (0, 0);
        for bit in (begin..bytes.len() * 8).step_by(step) {
            let mut wrong = bytes.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            mend_checksums(&mut wrong);
            flips += 1;
            if let Ok(table) = Table::from_bytes(wrong)
                && check(&table).is_ok()
            {
                assert!(distances(&table) == right, "bit {bit}");
                passed += 1;
            }
        }
        assert!(passed * 3 < flips, "{passed} of {flips}");
    }
}

#[test]
fn a_table_with_right_checksums_and_wrong_contents_fails_the_proof() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wrong.pzdb");
    let check = |bytes: &mut Vec<u8>| {
        mend_checksums(bytes);
        std::fs::write(&path, bytes).unwrap();
        run(dir.path(), &["check", path.to_str().unwrap()])
    };
    for (encoding, bit) in [
        (Encoding::Full, 4096 * 8 + 5 * 77_777),     // a distance
        (Encoding::Full, 4096 * 8 + 5 * 161_280),    // the goal's distance
        (Encoding::Full, 118_784 * 8 + 2 * 100_000), // a parent move
        (Encoding::Bit, 4096 * 8 + 50_000),
        (Encoding::Bit, 4096 * 8 + 161_280), // the goal's bit
    ] {
        let mut bytes = database(3, 3, encoding);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let ran = check(&mut bytes);
        assert_eq!(ran.code, Some(3), "{encoding} bit {bit}: {ran:?}");
        assert!(ran.err.contains("is wrong at state"), "{}", ran.err);
    }
    let mut bytes = database(3, 3, Encoding::Bit);
    bytes[19] = 7; // the edge class: a valid header of another table
    let ran = check(&mut bytes);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let mut bytes = database(3, 3, Encoding::Full);
    let levels = layout(&bytes).levels;
    bytes[levels + 8] += 1; // one state more at distance 1, one fewer at 2
    bytes[levels + 16] -= 1;
    let ran = check(&mut bytes);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.err.contains("3 states have distance 1, but 2 have"),
        "{}",
        ran.err
    );
}

/// Tables whose checksums are right and whose contents contradict themselves: every command ends, and a command
/// that meets the contradiction gives no answer.
#[test]
fn a_wrong_table_never_makes_a_question_hang_or_lie() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wrong.pzdb");
    let name = path.to_str().unwrap();
    type Ruin = fn(&mut [u8]);
    let ruins: [(Encoding, Ruin); 5] = [
        (Encoding::Bit, |section| section.fill(0)),
        (Encoding::Bit, |section| section.fill(255)),
        (Encoding::Bit, |section| {
            section.iter_mut().for_each(|b| *b = b.rotate_left(3))
        }),
        (Encoding::Full, |section| section.fill(255)),
        (Encoding::Full, |section| section.fill(0)),
    ];
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    for (encoding, ruin) in ruins {
        let mut bytes = database(3, 3, encoding);
        ruin(&mut bytes[4096..]);
        if encoding == Encoding::Full {
            bytes[4096 + 113_400..118_784].fill(0); // the space between the sections
        }
        mend_checksums(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        for args in [
            &["solve", "867254301", "--db", name][..],
            &["solve", "867254301", "--all", "--db", name],
            &["solve", "867254301", "--json", "--db", name],
            &["probe", "867254301", "--db", name],
            &["stats", "--db", name],
            &["check", name],
        ] {
            let ran = run(dir.path(), args);
            assert_eq!(
                (ran.code, ran.out.as_str()),
                (Some(3), ""),
                "{encoding} {args:?}"
            );
            assert!(ran.err.contains("build"), "{}", ran.err);
        }
        // Boards are drawn by a search of the space, whose levels alone are compared with the table's.
        let drawn = run(dir.path(), &["generate", "--distance", "20", "--db", name]);
        match drawn.code {
            Some(0) => assert_eq!(oracle.distance(&drawn.out.trim().parse().unwrap()), Ok(20)),
            code => assert_eq!((code, drawn.out.as_str()), (Some(3), ""), "{encoding}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_database_and_is_not_replaced_by_one() {
    use std::os::unix::fs::FileTypeExt;
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let name = pipe.to_str().unwrap();
    for args in [
        &["info", name][..],
        &["build", "--output", name],
        &["build", "--output", name, "--force"],
    ] {
        let ran = run(dir.path(), args);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.err.contains("pipe"), "{}", ran.err);
    }
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn what_happens_to_the_file_later_changes_no_answer_of_a_process_that_lives_on() {
    let dir = crate::run::built();
    let file = dir.path().join("3x3.pzdb");
    let zeros = vec![0; std::fs::metadata(&file).unwrap().len() as usize];
    let mut solving = Command::new(env!("CARGO_BIN_EXE_puzzledb"))
        .args(["solve", "-"])
        .env("PUZZLEDB_DIR", dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut boards, answers) = (
        solving.stdin.take().unwrap(),
        solving.stdout.take().unwrap(),
    );
    let mut answers = BufReader::new(answers).lines();
    let mut solve = |board: &str| {
        writeln!(boards, "{board}").unwrap();
        answers.next().unwrap().unwrap()
    };
    let solution = solve("704851632");
    assert!(solution.starts_with("704851632\t19\t"), "{solution}");
    // Overwritten in place, as `cp` does, then cut short.
    let mut there = std::fs::File::options().write(true).open(&file).unwrap();
    there.write_all(&zeros).unwrap();
    assert_eq!(solve("704851632"), solution);
    there.set_len(0).unwrap();
    assert_eq!(solve("704851632"), solution);
    drop(boards);
    assert!(solving.wait().unwrap().success());
}

#[test]
fn the_command_in_the_message_mends_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let good = database(2, 4, Encoding::Full);
    let mut flipped = good.clone();
    flipped[9_000] ^= 1;
    let path = dir.path().join("2x4.pzdb");
    for bad in [&flipped[..], &good[..5_000], b"", b"somebody else's file"] {
        std::fs::write(&path, bad).unwrap();
        let ran = run(dir.path(), &["probe", "--shape", "2x4", "12345607"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let command = ran
            .err
            .split('`')
            .nth(1)
            .unwrap_or_else(|| panic!("{}", ran.err));
        if ran.err.contains("move it away") {
            std::fs::remove_file(&path).unwrap();
        }
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        assert_eq!(run(dir.path(), &args).code, Some(0), "{command}");
        assert_eq!(std::fs::read(&path).unwrap(), good, "{command}");
    }
}

#[test]
fn a_table_of_another_shape_does_not_fit_whatever_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("2x5.pzdb");
    std::fs::write(&path, database(3, 3, Encoding::Full)).unwrap();
    for args in [
        &["check", "--shape", "2x5"][..],
        &["info", "--shape", "2x5"],
        &["stats", "--shape", "2x5"],
        &["probe", "--shape", "2x5", "1234567890"],
    ] {
        let ran = run(dir.path(), args);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(3), ""),
            "{args:?} {ran:?}"
        );
        assert!(ran.err.contains("does not fit"), "{}", ran.err);
    }
    // With a named file and without `--shape`, a table of any shape is accepted.
    assert_eq!(
        run(dir.path(), &["check", path.to_str().unwrap()]).code,
        Some(0)
    );
}
