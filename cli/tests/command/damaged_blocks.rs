//! Promise: no printed line rests on a damaged byte of a file, however large the file.
//!
//! `PUZZLEDB_TRIALS` is the number of damaged blocks for each file; 300 take some minutes.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::run::run;

/// Small generator of numbers, so that trials repeat (Steele, Lea and Flood, 2014).
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }
}

fn trials(by_default: u64) -> u64 {
    let asked = std::env::var("PUZZLEDB_TRIALS").ok();
    asked.map_or(by_default, |asked| asked.parse().unwrap())
}

/// Overwrites one block of the file with zeros, ones or noise, calls `ask`, and puts the bytes back, once per trial.
fn with_damaged_blocks(file: &Path, trials: u64, mut ask: impl FnMut(u64)) {
    let mut random = SplitMix(file.metadata().unwrap().len());
    for trial in 0..trials {
        let mut open = File::options().read(true).write(true).open(file).unwrap();
        let length = [4 << 10, 64 << 10][random.below(2) as usize];
        let at = random.below(open.metadata().unwrap().len() - length) & !511;
        let mut before = vec![0; length as usize];
        open.seek(SeekFrom::Start(at)).unwrap();
        open.read_exact(&mut before).unwrap();
        let block: Vec<u8> = match random.below(3) {
            0 => vec![0; before.len()],
            1 => vec![255; before.len()],
            _ => before.iter().map(|_| random.below(256) as u8).collect(),
        };
        let mut write = |bytes: &[u8]| {
            open.seek(SeekFrom::Start(at)).unwrap();
            open.write_all(bytes).unwrap();
        };
        write(&block);
        ask(trial);
        write(&before);
    }
}

/// Solves the boards with blocks of a file damaged in turn. The output must be that of the good file, or a beginning
/// of it.
fn solves_right_or_not_at_all(build: &[&str], options: &[&str], boards: &str, by_default: u64) {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), build).code, Some(0));
    let file = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap();
    let input = dir.path().join("boards");
    fs::write(&input, boards).unwrap();
    let input = input.to_str().unwrap();
    let args = [&["solve", "--input", input], options].concat();
    let good = run(dir.path(), &args);
    assert_eq!((good.code, good.err.as_str()), (Some(0), ""));
    let (trials, mut refused) = (trials(by_default), 0);
    with_damaged_blocks(&file.path(), trials, |trial| {
        let ran = run(dir.path(), &args);
        assert!(
            good.out.starts_with(&ran.out),
            "a wrong line in trial {trial}"
        );
        if ran.code == Some(0) {
            assert_eq!(ran.out, good.out);
            return;
        }
        refused += 1;
        assert_eq!(ran.code, Some(3), "{}", ran.err);
        let path = file.path();
        for part in [path.to_str().unwrap(), "is damaged", "puzzledb build"] {
            assert!(ran.err.contains(part), "no {part:?} in {}", ran.err);
        }
    });
    assert!(
        refused * 3 > trials,
        "{refused} of {trials} trials met the damage"
    );
}

fn drawn(shape: &str, count: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "generate", "--shape", shape, "--count", count, "--seed", "1",
    ];
    run(dir.path(), &args).out
}

#[test]
#[ignore = "full run"]
fn a_damaged_block_of_a_large_table_makes_no_line_wrong() {
    for shape in ["3x4", "2x6"] {
        let build = ["build", "--shape", shape];
        let options = ["--shape", shape];
        solves_right_or_not_at_all(&build, &options, &drawn(shape, "2000"), 8);
    }
}

#[test]
#[ignore = "full run"]
fn a_damaged_block_of_large_patterns_makes_no_line_wrong() {
    let korf =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/korf-100.csv")).unwrap();
    let boards = korf
        .lines()
        .skip(2)
        .filter_map(|line| line.split(',').nth(1));
    let boards = boards.collect::<Vec<_>>().join("\n");
    let build = [
        "build",
        "--shape",
        "4x4",
        "--goal",
        "first",
        "--patterns",
        "7-8",
    ];
    solves_right_or_not_at_all(&build, &["--goal", "first"], &boards, 4);
}

/// Searches by damaged patterns of a file give the true optimum or no result.
#[test]
#[ignore = "full run"]
fn a_damaged_block_of_patterns_lets_no_search_claim_an_optimum() {
    let dir = tempfile::tempdir().unwrap();
    let build = ["build", "--shape", "5x5", "--patterns", "6-6-6-6"];
    assert_eq!(run(dir.path(), &build).code, Some(0));
    let walk = [
        "generate", "--walk", "60", "--shape", "5x5", "--count", "8", "--seed", "1",
    ];
    let boards = run(dir.path(), &walk).out;
    let boards: Vec<&str> = boards.lines().collect();
    let search = |board| {
        let options = "--format text --algorithm idastar --heuristic patterns:6-6-6-6";
        let options: Vec<&str> = options.split(' ').collect();
        run(dir.path(), &[&["search", board], &options[..]].concat())
    };
    let claims = |out: &str| -> Vec<String> {
        let claim = |line: &&str| line.starts_with("length") || line.starts_with("distance");
        out.lines().filter(claim).map(str::to_owned).collect()
    };
    let right: Vec<_> = boards
        .iter()
        .map(|board| claims(&search(board).out))
        .collect();
    assert!(right.iter().all(|claims| !claims.is_empty()));
    let file = dir.path().join("5x5-patterns.pzdb");
    let mut refused = 0;
    // The tiles of these patterns come in one section; boards near the goal look up its first chunks.
    with_damaged_blocks(&file, trials(8), |trial| {
        let i = trial as usize % boards.len();
        let ran = search(boards[i]);
        match ran.code {
            Some(0) => assert_eq!(claims(&ran.out), right[i]),
            _ => {
                refused += 1;
                assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
            }
        }
    });
    // The checksums are a block that every search reads.
    let mut open = File::options().write(true).open(&file).unwrap();
    open.seek(SeekFrom::End(-100)).unwrap();
    open.write_all(&[1; 100]).unwrap();
    let ran = search(boards[0]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(3), ""),
        "{refused}: {}",
        ran.err
    );
}
