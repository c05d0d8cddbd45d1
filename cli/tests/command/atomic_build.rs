//! Promise: whatever happens during a build, the old file or none is there, and the next build
//! works.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use puzzledb::table::{Encoding, Table};

use crate::bytes::database;
use crate::run::{puzzledb, read_until, run};

#[test]
#[ignore = "full run"]
fn a_builder_killed_at_any_moment_leaves_the_old_file_or_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("2x5.pzdb");
    for i in 0..60 {
        let mut child = puzzledb(dir.path())
            .args(["build", "--shape", "2x5", "--force", "--threads", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(i * 500));
        child.kill().unwrap();
        child.wait().unwrap();
        if path.exists() {
            assert!(Table::open(&path).is_ok());
        }
    }
    let ran = run(dir.path(), &["build", "--shape", "2x5"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(fs::read(&path).unwrap(), database(2, 5, Encoding::Full));
}

#[cfg(unix)]
#[test]
fn a_build_follows_no_link_and_clears_away_what_dead_builds_left() {
    let dir = tempfile::tempdir().unwrap();
    let victim = dir.path().join("victim");
    fs::write(&victim, "not ours").unwrap();
    for name in [".3x3.pzdb.tmp", ".3x3.pzdb.0123456789abcdef.tmp"] {
        std::os::unix::fs::symlink(&victim, dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join(".3x3.pzdb.fedcba9876543210.tmp"), "half").unwrap();
    assert_eq!(run(dir.path(), &["build"]).code, Some(0));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "not ours");
    assert_eq!(names(dir.path()), [".3x3.pzdb.tmp", "3x3.pzdb", "victim"]);
}

/// Names in a folder, sorted.
fn names(dir: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn what_dead_builds_left_beside_a_good_file_is_cleared_away_if_no_other_is_at_work() {
    for build in [
        &["build"][..],
        &["build", "--shape", "3x2", "--patterns", "2-3"],
    ] {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(run(dir.path(), build).code, Some(0));
        let file = names(dir.path()).pop().unwrap();
        let beside = |ending: &str| dir.path().join(format!(".{file}.{ending}"));
        for ending in ["checkpoint", "0123456789abcdef.tmp"] {
            fs::write(beside(ending), "half").unwrap();
        }
        fs::write(
            dir.path()
                .join(format!("..{file}.checkpoint.0123456789abcdef.tmp")),
            "",
        )
        .unwrap();
        let other = fs::File::create(beside("lock")).unwrap();
        other.lock().unwrap();
        assert_eq!(run(dir.path(), build).code, Some(0));
        assert_eq!(names(dir.path()).len(), 5, "another build is at work");
        // Released here: a child that another test starts has the file open too, until it runs its program.
        other.unlock().unwrap();
        drop(other);
        assert_eq!(run(dir.path(), build).code, Some(0));
        assert_eq!(names(dir.path()), [file]);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_lock_is_an_error_and_no_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path().join(".3x3.pzdb.lock"))
        .status();
    assert!(made.unwrap().success());
    let ran = run(dir.path(), &["build"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.err.contains(".3x3.pzdb.lock is in the way"),
        "{}",
        ran.err
    );
}

#[test]
fn several_builders_at_once_make_one_good_file_and_readers_see_it_or_none() {
    let dir = tempfile::tempdir().unwrap();
    let mut builders: Vec<_> = (0..8)
        .map(|_| {
            puzzledb(dir.path())
                .args(["build", "--shape", "2x5", "--json"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let reads = ["solve", "--db", "2x5.pzdb", "--shape", "2x5", "1234567809"];
    while builders.iter_mut().any(|b| b.try_wait().unwrap().is_none()) {
        let mut reader = puzzledb(dir.path());
        let read = reader.current_dir(dir.path()).args(reads).output();
        let read = crate::run::CommandResult::from(read.unwrap());
        let missing = read.code == Some(3) && read.err.contains("No such file");
        assert!(missing || read.code == Some(0), "{read:?}");
    }
    let ran: Vec<crate::run::CommandResult> = builders
        .into_iter()
        .map(|b| b.wait_with_output().unwrap().into())
        .collect();
    assert!(
        ran.iter().all(|r| r.code == Some(0) && r.out == ran[0].out),
        "{ran:?}"
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_build_waits_for_the_one_before_it_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("3x3.pzdb");
    let lock = puzzledb::internals::BuildLock::take(&path, || ControlFlow::Break(())).unwrap();
    let mut child = puzzledb(dir.path())
        .arg("build")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    read_until(child.stderr.as_mut().unwrap(), "waiting for it");
    assert!(!path.exists());
    drop(lock);
    let ran: crate::run::CommandResult = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(path.exists());
}

#[test]
fn a_second_build_finds_the_file_and_a_damaged_one_is_rebuilt_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("3x3.pzdb");
    assert!(run(dir.path(), &["build"]).out.starts_with("built "));
    let first = fs::metadata(&path).unwrap().modified().unwrap();
    let again = run(dir.path(), &["build"]);
    assert!(
        again.code == Some(0) && again.out.contains("is there and good"),
        "{again:?}"
    );
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), first);

    let good = fs::read(&path).unwrap();
    let mut bad = good.clone();
    bad[50_000] ^= 1;
    fs::write(&path, bad).unwrap();
    let rebuilt = run(dir.path(), &["build"]);
    assert_eq!(rebuilt.code, Some(0));
    assert!(
        rebuilt.err.contains("warning") && rebuilt.err.contains("damaged"),
        "{rebuilt:?}"
    );
    assert_eq!(fs::read(&path).unwrap(), good);

    let bit = run(dir.path(), &["build", "--encoding", "bit"]);
    assert_eq!(bit.code, Some(0));
    assert_eq!(fs::read(&path).unwrap(), database(3, 3, Encoding::Bit));
}

#[test]
fn somebody_elses_file_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let thesis = dir.path().join("thesis.txt");
    fs::write(&thesis, "years of work").unwrap();
    let name = thesis.to_str().unwrap();
    for args in [
        &["build", "--output", name][..],
        &["build", "--output", name, "--force"],
        &["probe", "704851632", "--db", name],
        &["info", name],
    ] {
        let ran = run(dir.path(), args);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let advice = ran.err.replace("(--output names another place)", "");
        assert!(
            !advice.contains("--force") && !advice.contains("--output"),
            "{advice}"
        );
        assert_eq!(fs::read_to_string(&thesis).unwrap(), "years of work");
    }
    run(dir.path(), &["build", "--shape", "2x3"]);
    let other_shape = dir.path().join("2x3.pzdb");
    let ran = run(
        dir.path(),
        &["build", "--output", other_shape.to_str().unwrap()],
    );
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("of 2x3"), "{}", ran.err);
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let under_a_file = dir.path().join("file/3x3.pzdb");
    let ran = run(
        dir.path(),
        &["build", "--output", under_a_file.to_str().unwrap()],
    );
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("cannot"), "{}", ran.err);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Uses a file size limit in place of a full disk, so that a real write fails in the middle. The system reports the
/// limit by a signal.
#[cfg(unix)]
#[test]
fn a_write_that_fails_in_the_middle_leaves_the_old_file_and_no_litter() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("3x3.pzdb");
    run(dir.path(), &["build", "--encoding", "bit"]);
    let old = fs::read(&path).unwrap();
    let script = "ulimit -f 64; exec \"$0\" build --encoding full";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_puzzledb")])
        .env("PUZZLEDB_DIR", dir.path())
        .output()
        .unwrap();
    let ran: crate::run::CommandResult = output.into();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("unchanged"), "{}", ran.err);
    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_build_that_waits_for_another() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("3x3.pzdb");
    let _lock = puzzledb::internals::BuildLock::take(&path, || ControlFlow::Break(())).unwrap();
    let mut child = puzzledb(dir.path())
        .arg("build")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    read_until(child.stderr.as_mut().unwrap(), "waiting for it");
    let kill = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_followed_and_stays_one() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real.pzdb"), dir.path().join("link.pzdb"));
    fs::write(&real, "").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let ran = run(dir.path(), &["build", "--output", link.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(Table::open(&real).is_ok());
}

/// Replaces the link, since its intended target is unknown. No file is made at the path that it names.
#[cfg(unix)]
#[test]
fn a_symbolic_link_that_leads_nowhere_is_replaced_by_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let (link, nowhere) = (dir.path().join("link.pzdb"), dir.path().join("nowhere"));
    std::os::unix::fs::symlink(&nowhere, &link).unwrap();
    let ran = run(
        dir.path(),
        &[
            "build",
            "--shape",
            "2x3",
            "--output",
            link.to_str().unwrap(),
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(fs::symlink_metadata(&link).unwrap().is_file());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}
