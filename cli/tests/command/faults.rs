//! Promise: with too little memory, a path that cannot be written or a wrong clock, a command at worst fails with a
//! message; nothing is lost.

use std::fs::{self, File};
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::time::{Duration, SystemTime};

use puzzledb::table::Encoding;

use crate::bytes::database;
use crate::checkpoints::{BUILD, goes_on, start};
use crate::run::run;
#[cfg(target_os = "linux")]
use crate::run::{CommandResult, puzzledb};
use crate::wait::until;

/// Runs the program with `memory` KiB of address space.
#[cfg(target_os = "linux")]
fn run_within(memory: u64, dir: &Path, args: &[&str]) -> CommandResult {
    let script = format!("ulimit -v {memory}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_puzzledb")]);
    command.args(args).env("PUZZLEDB_DIR", dir).current_dir(dir);
    // Without memory for the backtrace of a failed allocation, the standard library waits for itself for ever.
    command.env_remove("RUST_BACKTRACE");
    command.output().unwrap().into()
}

/// The text is a line for each of five million moves, of which a column of steps once kept 965 MB.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "full run"]
fn a_text_of_ten_megabytes_is_judged_in_little_memory() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("moves.txt"), "R\n".repeat(5_000_000)).unwrap();
    let args = ["verify", "--from", "text", "--board", "704851632"];
    let ran = run_within(600_000, dir.path(), &[&args[..], &["moves.txt"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no answer"), "{ran:?}");
}

/// Begins with the least memory in which the program starts, so that a thread, a plane or a page has no room.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "full run"]
fn too_little_memory_is_an_error_with_a_message_and_the_next_build_works() {
    let started = |&memory: &u64| {
        let dir = tempfile::tempdir().unwrap();
        run_within(memory, dir.path(), &["--version"]).code == Some(0)
    };
    let least = (10_000..100_000).step_by(1000).find(started).unwrap();
    let scratch = ["--scratch", "scratch", "--memory", "40MiB"];
    let table = ["build", "--shape", "3x4", "--threads", "1"];
    let mut failed = [0; 3];
    for more in (1000..16_000).step_by(2500) {
        let dir = tempfile::tempdir().unwrap();
        let in_files = [&table[..], &scratch].concat();
        let patterns = ["build", "--shape", "3x5", "--patterns", "5-5-4"];
        for (i, args) in [&table[..], &in_files, &patterns].into_iter().enumerate() {
            let ran = run_within(least + more, dir.path(), args);
            let (code, said) = (ran.code, !ran.err.is_empty());
            assert!(
                matches!(code, Some(0 | 2 | 3)) && said == (code != Some(0)) || i == 1,
                "{ran:?}"
            );
            failed[i] += usize::from(code != Some(0));
        }
        let built = run(dir.path(), &patterns);
        assert_eq!(built.code, Some(0), "{built:?}");
    }
    assert!(failed.iter().all(|&times| times > 0), "{failed:?}");
}

/// Uses paths that no user can write to, since root may write where others may not.
#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let patterns = ["build", "--shape", "2x3", "--patterns", "3-2"];
    let in_files = ["build", "--shape", "2x3", "--encoding", "bit", "--scratch"];
    let count = ["count", "--shape", "2x3", "--scratch"];
    for place in ["file/x", "/proc/none", "/dev/full"] {
        let folder = ["--dir", place];
        for args in [
            &["build", "--output", place][..],
            &[&["build"], &folder[..]].concat(),
            &[&patterns[..], &folder].concat(),
            &[&in_files[..], &[place]].concat(),
            &[&count[..], &[place]].concat(),
            &["info", "--db", place],
            &["solve", "704851632", "--db", place],
            &["serve", "--db", place],
        ] {
            let ran: CommandResult = puzzledb(dir.path())
                .args(args)
                .current_dir(dir.path())
                .output()
                .unwrap()
                .into();
            assert_eq!(
                (ran.code, ran.out.as_str()),
                (Some(3), ""),
                "{args:?}: {ran:?}"
            );
            assert!(ran.err.contains(place), "{args:?}: {}", ran.err);
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
    // A query needs no folder; a build makes it.
    let missing = dir.path().join("a/b");
    let solved = run(&missing, &["solve", "704851632"]);
    assert_eq!(
        (solved.code, missing.exists()),
        (Some(0), false),
        "{solved:?}"
    );
    assert_eq!(run(&missing, &["build"]).code, Some(0));
    assert!(missing.join("3x3.pzdb").exists());
}

/// Help, a version or an answer that cannot be written is an error.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        &[][..],
        &["--help"],
        &["--version"],
        &["help", "solve"],
        &["solve", "--help"],
        &["solve", "704851632"],
        &["man"],
        &["completions", "bash"],
        &["generate"],
        &["stats"],
    ] {
        let mut command = puzzledb(dir.path());
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ran: CommandResult = command.args(args).stdout(full).output().unwrap().into();
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
        assert!(
            ran.err.contains("error: No space left on device"),
            "{args:?}: {ran:?}"
        );
        // A closed pipe is not an error.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = puzzledb(dir.path());
        let ran: CommandResult = command.args(args).stdout(writer).output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
    }
}

/// Sets the modification time of all files in a folder. Returns their number.
fn set_times(folder: &Path, time: SystemTime) -> usize {
    let files = fs::read_dir(folder).unwrap().map(|entry| {
        let file = File::options().write(true).open(entry.unwrap().path());
        file.unwrap().set_modified(time).unwrap();
    });
    files.count()
}

#[test]
#[ignore = "full run"]
fn files_of_1970_and_of_the_future_are_as_good_as_others() {
    let expected = database(2, 5, Encoding::Bit);
    let future = SystemTime::now() + Duration::from_secs(100 * 365 * 86_400);
    for time in [SystemTime::UNIX_EPOCH, future] {
        let dir = tempfile::tempdir().unwrap();
        let checkpoint = dir.path().join(".2x5.pzdb.checkpoint");
        until("a build is killed before its end", || {
            let _ = fs::remove_file(dir.path().join("2x5.pzdb"));
            let mut child = start(dir.path());
            until("a checkpoint or the end", || {
                checkpoint.exists() || child.try_wait().unwrap().is_some()
            });
            child.kill().unwrap();
            child.wait().unwrap();
            checkpoint.exists()
        });
        fs::write(dir.path().join(".2x5.pzdb.0123456789abcdef.tmp"), "half").unwrap();
        assert!(set_times(dir.path(), time) >= 2);
        let ran = run(dir.path(), &BUILD);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(goes_on(&ran), "{ran:?}");
        assert_eq!(
            set_times(dir.path(), time),
            1,
            "what was left is cleared away"
        );
        assert!(fs::read(dir.path().join("2x5.pzdb")).unwrap() == expected);
        let ran = run(dir.path(), &BUILD);
        assert!(ran.out.contains("is there and good"), "{ran:?}");
        let solved = run(dir.path(), &["solve", "--shape", "2x5", "1234067895"]);
        assert_eq!(
            (solved.code, solved.err.as_str()),
            (Some(0), ""),
            "{solved:?}"
        );
    }
}
