//! Promise: a large database, which is mapped, gives no wrong answer when its file changes while it is used.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use puzzledb::table::Encoding;

use crate::bytes::database;
#[cfg(unix)]
use crate::run::graded;
use crate::run::{CommandResult, puzzledb, run};
use crate::server::Server;
#[cfg(unix)]
use crate::wait::until;

/// Board at distance 1 of [`large`].
pub const BOARD: &str = "123456709ab8";

/// Writes the database of 3x4, which has 29 MiB.
pub fn large(dir: &Path) -> PathBuf {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| database(4, 3, Encoding::Bit));
    let path = dir.join("3x4.pzdb");
    fs::write(&path, bytes).unwrap();
    path
}

/// Writes to the file without a change of its length.
pub fn touch(path: &Path) {
    std::thread::sleep(Duration::from_millis(20)); // times of files are rounded to ticks
    let mut file = File::options().write(true).open(path).unwrap();
    file.write_all(&[0x89]).unwrap();
}

/// Waits until a process has mapped the file; false if it has ended.
#[cfg(target_os = "linux")]
fn wait_until_mapped(process: u32, path: &Path) -> bool {
    let name = path.to_str().unwrap();
    let mut maps = String::new();
    until("the file is mapped, or the process has ended", || {
        maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
        maps.is_empty() || maps.contains(name)
    });
    !maps.is_empty()
}

/// Runs a command, writes to the file once the command has mapped it, and checks that there is no result. A
/// command that has ended before that is run again.
#[cfg(target_os = "linux")]
fn has_no_result_when_changed(dir: &Path, path: &Path, args: &[&str]) {
    for _ in 0..100 {
        let mut command = puzzledb(dir);
        command.args(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        if !wait_until_mapped(child.id(), path) {
            child.wait_with_output().unwrap();
            continue;
        }
        let process = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(process, rustix::process::Signal::STOP).unwrap();
        touch(path);
        rustix::process::kill_process(process, rustix::process::Signal::CONT).unwrap();
        let ran = CommandResult::from(child.wait_with_output().unwrap());
        if ran.code == Some(3) {
            assert_eq!(ran.out, "", "{ran:?}");
            assert!(ran.err.contains("was changed or replaced"), "{}", ran.err);
            return;
        }
        assert!([Some(0), Some(1)].contains(&ran.code), "{ran:?}");
    }
    panic!("the file was never changed in the middle of {args:?}");
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
    let args = ["generate", "--shape", "3x4", "--distance", "53"]; // found by a search of all boards
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
    std::thread::sleep(Duration::from_millis(20)); // times of files are rounded to ticks
    let file = File::options().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_at(&file, b"other bytes", 5 << 20).unwrap();
    let refused = probe();
    assert_eq!(refused.status, 503, "{refused:?}");
    let detail = refused.json()["detail"].to_string();
    assert!(detail.contains("is damaged: chunk"), "{detail}");
    let ran = run(dir.path(), &["serve", "--shapes", "3x4"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{ran:?}");
    assert!(ran.err.contains("is damaged: chunk"), "{}", ran.err);
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

#[test]
#[ignore = "full run"]
#[cfg(unix)]
fn a_table_that_is_damaged_in_the_middle_of_an_answer_is_unavailable_or_right() {
    let dir = tempfile::tempdir().unwrap();
    let path = large(dir.path());
    let server = Server::start(dir.path(), &["--shapes", "3x4"]);
    // Many boards in one answer, which takes a while.
    let boards = vec![r#""5124690b7a83""#; 5000].join(",");
    let request = format!(r#"{{"boards":[{boards}]}}"#);
    let headers = "content-type: application/json\r\n";
    let ask = || server.ask("POST", "/v1/3x4/solve", headers, request.as_bytes());
    let answer = ask();
    assert_eq!(answer.status, 200, "{answer:?}");
    for pause in 0..12 {
        let asked = std::thread::scope(|scope| {
            let asking = scope.spawn(ask);
            std::thread::sleep(Duration::from_millis(pause * 3));
            let file = File::options().write(true).open(&path).unwrap();
            let noise: Vec<u8> = (0..8 << 20)
                .map(|i: u32| (i.wrapping_mul(i) >> 7) as u8)
                .collect();
            std::os::unix::fs::FileExt::write_at(&file, &noise, 4 << 20).unwrap();
            asking.join().unwrap()
        });
        match asked.status {
            200 => assert_eq!(
                asked.body, answer.body,
                "read before, or from the server's copy"
            ),
            status => assert_eq!(status, 503, "{asked:?}"),
        }
        large(dir.path());
        until("the new file is served", || ask().status == 200);
    }
}

/// File of patterns for boards of 2x8, too large to be copied.
fn patterns(dir: &Path) -> PathBuf {
    let build = ["build", "--shape", "2x8", "--patterns", "7-7-1"];
    assert_eq!(run(dir, &build).code, Some(0));
    fs::read_dir(dir).unwrap().next().unwrap().unwrap().path()
}

#[test]
#[ignore = "full run"]
fn a_server_whose_patterns_were_changed_refuses_until_they_are_right() {
    let dir = tempfile::tempdir().unwrap();
    let path = patterns(dir.path());
    let server = Server::start(dir.path(), &["--shapes", "2x8"]);
    let probe = || server.get("/v1/2x8/probe?board=2345dc78109abef6");
    let before = probe().json();
    assert!(before["distance"].is_u64(), "{before}");
    let bytes = fs::read(&path).unwrap();
    std::thread::sleep(Duration::from_millis(20)); // times of files are rounded to ticks
    fs::write(&path, vec![0; bytes.len()]).unwrap();
    let refused = probe();
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (503, &"damaged".into())
    );
    fs::write(path, bytes).unwrap();
    assert_eq!(probe().json(), before);
}

#[test]
#[cfg(target_os = "linux")]
fn a_search_with_a_database_that_was_changed_meanwhile_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = patterns(dir.path());
    let search = ["search", "0fedcba987654321", "--shape", "2x8"];
    let by_patterns = ["--heuristic", "patterns:7-7-1"];
    let limit = ["--limit-expansions", "1000000"];
    let args = [&search[..], &by_patterns, &limit].concat();
    has_no_result_when_changed(dir.path(), &path, &args);
}

/// Cuts the file short in the middle of an answer, which no check beforehand can prevent.
#[test]
#[cfg(unix)]
fn a_file_that_is_cut_short_while_it_is_read_ends_the_process_with_a_message() {
    for pause in 1..200 {
        let dir = tempfile::tempdir().unwrap();
        let path = large(dir.path());
        let mut command = puzzledb(dir.path());
        command.args(["check", "--shape", "3x4"]);
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause % 20 * 10));
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(4096).unwrap();
        let ended = CommandResult::from(child.wait_with_output().unwrap());
        if ended.code == Some(0) {
            continue; // the proof was finished before
        }
        assert_eq!(ended.code, Some(3), "{}", ended.err);
        assert!(ended.err.contains(path.to_str().unwrap()), "{}", ended.err);
        if ended.err.contains("cannot be read any more") {
            return;
        }
    }
    panic!("the file was never cut short while it was read");
}
