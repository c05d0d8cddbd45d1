//! Promise: a large database, which is mapped, gives no wrong answer when its file changes while it is used.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use puzzledb::puzzle::{Move, Shape};
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, Table};

use crate::bytes::mend_header;
#[cfg(unix)]
use crate::run::graded;
use crate::run::{CommandResult, puzzledb, run};
use crate::server::Server;

/// Boards of the 11-puzzle.
const STATES: u64 = 239_500_800;

/// A board at distance 1, which [`large`] solves.
pub const BOARD: &str = "123456709ab8";

/// A database of 29 MiB that is right near the goal and has zeros elsewhere.
pub fn large(dir: &Path) -> PathBuf {
    let mut page = crate::bytes::database(2, 2, Encoding::Bit);
    page[16..4096].fill(0);
    let mut fields = vec![4, 3, 1, 11, 2];
    let levels = [&[1; 53][..], &[STATES - 53]].concat();
    fields.extend((levels.len() as u64).to_le_bytes());
    fields.extend(levels.iter().flat_map(|level| level.to_le_bytes()));
    fields.extend(1u64.to_le_bytes());
    fields.push(3);
    fields.extend(4096u64.to_le_bytes());
    fields.extend((STATES / 8).to_le_bytes());
    fields.extend(0u32.to_le_bytes());
    page[12..16].copy_from_slice(&(fields.len() as u32).to_le_bytes());
    page[16..16 + fields.len()].copy_from_slice(&fields);
    let checksum = 16 + fields.len() - 4;
    mend_header(&mut page);
    let class = GoalClass::new(Shape::new(4, 3).unwrap(), 11).unwrap();
    let path = dir.join(format!("{}.pzdb", class.name()));
    let mut section = vec![0; STATES as usize / 8];
    let table = Table::from_bytes([&page[..4096], &section].concat()).unwrap();
    let ranking = table.ranking();
    let mut levels = vec![vec![ranking.goal()]];
    for distance in 1..6 {
        let steps = |&state| Move::ALL.map(|mv| ranking.step(state, mv)).into_iter();
        let mut next: Vec<_> = levels[distance - 1]
            .iter()
            .flat_map(steps)
            .flatten()
            .collect();
        next.retain(|state| distance < 2 || !levels[distance - 2].contains(state));
        for state in &next {
            let index = ranking.index(*state).0 as usize;
            section[index / 8] |= (distance as u8 >> 1 & 1) << (index % 8);
        }
        levels.push(next);
    }
    let crc = crc32fast::hash(&section).to_le_bytes();
    page[checksum..checksum + 4].copy_from_slice(&crc);
    mend_header(&mut page);
    fs::write(&path, [&page[..4096], &section].concat()).unwrap();
    path
}

/// Writes to the file and makes it no other length.
pub fn touch(path: &Path) {
    std::thread::sleep(Duration::from_millis(20)); // the system's clock of files has ticks
    let mut file = File::options().write(true).open(path).unwrap();
    file.write_all(&[0x89]).unwrap();
}

/// Waits until a process has mapped the file.
#[cfg(target_os = "linux")]
fn wait_until_mapped(process: u32, path: &Path) {
    let name = path.to_str().unwrap();
    loop {
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
        if maps.contains(name) {
            return;
        }
        assert!(!maps.is_empty(), "it has ended");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Runs a command that has mapped the file when it is written to, and gives no result.
#[cfg(target_os = "linux")]
fn has_no_result_when_changed(dir: &Path, path: &Path, args: &[&str]) {
    let mut command = puzzledb(dir);
    command.args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until_mapped(child.id(), path);
    touch(path);
    let ran = CommandResult::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{ran:?}");
    assert!(ran.err.contains("was changed or replaced"), "{}", ran.err);
}

#[test]
fn a_long_input_ends_where_the_database_was_changed() {
    for args in [
        ["solve", "--shape", "3x4", "-"],
        ["verify", "--shape", "3x4", "-"],
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = large(dir.path());
        let mut child = puzzledb(dir.path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let line = format!("{BOARD} 1\n");
        let line = match args[0] {
            "solve" => line.replace(" 1", ""),
            _ => line,
        };
        input.write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains("12345670"), "{answer}");
        touch(&path);
        input.write_all(line.as_bytes()).unwrap();
        drop(input);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        let ended = CommandResult::from(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(3));
        let message = format!("{} was changed or replaced while", path.display());
        assert!(ended.err.contains(&message), "{}", ended.err);
    }
}

#[test]
#[cfg(unix)]
fn a_grade_by_a_database_that_was_changed_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = large(dir.path());
    let script = format!(
        "echo D; sleep 0.1; printf x | dd of='{}' bs=1 conv=notrunc 2>&-",
        path.display()
    );
    let grade = |script: &str| graded(dir.path(), &["--shape", "3x4"], BOARD, script);
    assert_eq!(grade("echo D").code, Some(0));
    let changed = grade(&script);
    assert_eq!((changed.code, &changed.out[..]), (Some(3), ""));
    assert!(changed.err.contains("was changed or replaced while"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_by_a_database_that_was_changed_meanwhile_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = large(dir.path());
    let args = ["generate", "--shape", "3x4", "--max", "30"];
    has_no_result_when_changed(dir.path(), &path, &args);
}

#[test]
#[cfg(unix)]
fn a_server_opens_what_is_in_the_place_of_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = large(dir.path());
    let server = Server::start(dir.path(), &["--shapes", "3x4"]);
    let probe = || server.get(&format!("/v1/3x4/probe?board={BOARD}"));
    assert_eq!(probe().json()["distance"], 1);
    touch(&path);
    assert_eq!(probe().json()["distance"], 1);
    // Overwritten in place, in part.
    let file = File::options().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_at(&file, b"other bytes", 5 << 20).unwrap();
    let refused = probe();
    assert_eq!(refused.status, 503, "{refused:?}");
    let detail = refused.json()["detail"].to_string();
    assert!(detail.contains("checksum"), "{detail}");
    let ran = run(dir.path(), &["serve", "--shapes", "3x4"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{ran:?}");
    assert!(ran.err.contains("checksum"), "{}", ran.err);
    for bad in ["", "no database", "\u{89}PZDB"] {
        fs::write(&path, bad).unwrap();
        let refused = probe();
        assert_eq!(refused.status, 503, "{refused:?}");
        let name = path.file_name().unwrap().to_str().unwrap();
        let detail = refused.json()["detail"].to_string();
        assert!(detail.contains(name), "{detail}");
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(probe().status, 503);
    large(dir.path());
    assert_eq!(probe().json()["distance"], 1);
}

/// A file of patterns for boards of 2x8.
fn patterns(dir: &Path) -> PathBuf {
    let build = ["build", "--shape", "2x8", "--patterns", "3-3-3-3-3"];
    assert_eq!(run(dir, &build).code, Some(0));
    fs::read_dir(dir).unwrap().next().unwrap().unwrap().path()
}

#[test]
fn a_server_whose_patterns_were_changed_makes_others() {
    let dir = tempfile::tempdir().unwrap();
    let path = patterns(dir.path());
    let server = Server::start(dir.path(), &["--shapes", "2x8"]);
    let probe = || server.get("/v1/2x8/probe?board=2345dc78109abef6");
    let before = probe().json();
    assert!(before["distance"].is_u64(), "{before}");
    let length = fs::metadata(&path).unwrap().len() as usize;
    std::thread::sleep(Duration::from_millis(20)); // the system's clock of files has ticks
    fs::write(path, vec![0; length]).unwrap();
    assert_eq!(probe().json(), before);
}

#[test]
#[cfg(target_os = "linux")]
fn a_search_with_a_database_that_was_changed_meanwhile_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = patterns(dir.path());
    let search = ["search", "0fedcba987654321", "--shape", "2x8"];
    let by_patterns = ["--heuristic", "patterns:3-3-3-3-3"];
    let limit = ["--limit-expansions", "200000"];
    let args = [&search[..], &by_patterns, &limit].concat();
    has_no_result_when_changed(dir.path(), &path, &args);
}

/// What no look beforehand can prevent: the file is cut short in the middle of an answer.
#[test]
#[cfg(unix)]
fn a_file_that_is_cut_short_while_it_is_read_ends_the_process_with_a_message() {
    let lines = format!("{BOARD}\n").repeat(300_000);
    for _ in 0..200 {
        let dir = tempfile::tempdir().unwrap();
        let path = large(dir.path());
        fs::write(dir.path().join("boards"), &lines).unwrap();
        let mut command = puzzledb(dir.path());
        command.args(["solve", "--shape", "3x4", "--input"]);
        command.arg(dir.path().join("boards"));
        let answers = dir.path().join("answers");
        command.stdout(File::create(&answers).unwrap());
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        while fs::metadata(&answers).unwrap().len() == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(4096).unwrap();
        let ended = CommandResult::from(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(3), "{}", ended.err);
        assert!(ended.err.contains(path.to_str().unwrap()), "{}", ended.err);
        if ended.err.contains("cannot be read any more") {
            return;
        }
        assert!(ended.err.contains("was changed"), "{}", ended.err);
    }
    panic!("the file was never cut short in the middle of an answer");
}
