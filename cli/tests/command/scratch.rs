//! Promise: with `--scratch` a search keeps its planes in files of a folder, within `--memory`. Killed at
//! any moment, it resumes from them, and its results are those of a search in memory.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use puzzledb::internals::{Kept, Search, SearchOptions, go_on};
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::Encoding;

use crate::bytes::{database, mend_checksums};
use crate::checkpoints::goes_on;
use crate::run::{CommandResult, puzzledb, run, time};
use crate::wait::until;

/// Command of a build of the 2x5 bit table in the folder `scratch` of its databases.
fn build(dir: &Path) -> std::process::Command {
    build_of(dir, "2x5")
}

fn build_of(dir: &Path, shape: &str) -> std::process::Command {
    let mut command = puzzledb(dir);
    command
        .current_dir(dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.args([
        "build",
        "--shape",
        shape,
        "--encoding",
        "bit",
        "--scratch",
        "scratch",
    ]);
    command
}

#[test]
#[ignore = "full run"]
fn killed_at_any_moment_a_build_in_files_goes_on_and_ends_with_the_same_bytes() {
    let expected = database(2, 6, Encoding::Bit);
    let other = tempfile::tempdir().unwrap();
    let whole = time(|| build_of(other.path(), "2x6").spawn().unwrap());
    let (mut resumed, mut i) = (0, 0);
    // Kills earlier and earlier, until a build resumes after a kill.
    while i < 5 || resumed == 0 {
        assert!(i < 400, "no build was killed after a level");
        let dir = tempfile::tempdir().unwrap();
        for round in 0..3 {
            let mut child = build_of(dir.path(), "2x6").spawn().unwrap();
            std::thread::sleep(whole * ((i * 7 + round * 5) % 29) / 29 / (1 + i / 5));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let ran: CommandResult = build_of(dir.path(), "2x6").output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        resumed += usize::from(goes_on(&ran));
        assert!(fs::read(dir.path().join("2x6.pzdb")).unwrap() == expected);
        assert_eq!(
            fs::read_dir(dir.path()).unwrap().count(),
            1,
            "the scratch folder is gone"
        );
        i += 1;
    }
}

#[test]
fn a_finished_search_is_cleared_away_where_its_table_is_there_and_any_other_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("scratch");
    let run = || -> CommandResult { build(dir.path()).output().unwrap().into() };
    assert_eq!(run().code, Some(0));
    let class = GoalClass::new(Shape::new(2, 5).unwrap(), 9).unwrap();
    let mut options = SearchOptions::threads(1);
    options.scratch = Some(folder.clone());
    let open = || Search::open(class, Kept::BitOne, &options).unwrap();
    let mut search = open();
    search.advance(&mut go_on).unwrap();
    drop(search); // as a build for another file that was killed
    let ran = run();
    assert!(
        ran.code == Some(0) && ran.out.contains("is there and good"),
        "{ran:?}"
    );
    let mut search = open();
    assert_eq!(search.levels(), [1], "it goes on");
    search.run(&mut go_on).unwrap();
    drop(search); // as a build that was killed when its file was written
    assert_eq!(run().code, Some(0));
    assert!(!folder.exists());
}

#[test]
fn counts_in_slabs_and_in_little_memory_are_those_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let scratch = dir.path().join("scratch");
    let count = |more: &[&str]| {
        let ran = run(
            dir.path(),
            &[&["count", "--shape", "2x5", "--csv"], more].concat(),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    let scratch = ["--scratch", scratch.to_str().unwrap(), "--memory", "100MiB"];
    assert_eq!(count(&scratch), count(&[]));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
#[ignore = "full run"]
fn a_proof_in_slabs_and_in_little_memory_says_what_one_in_memory_says() {
    let dir = tempfile::tempdir().unwrap();
    let table = dir.path().join("2x6.pzdb");
    let good = database(2, 6, Encoding::Bit);
    fs::write(&table, &good).unwrap();
    let check = |more: &[&str]| {
        let args = [&["check", "2x6.pzdb", "--format", "text"], more].concat();
        let output = puzzledb(dir.path())
            .args(args)
            .current_dir(dir.path())
            .output();
        CommandResult::from(output.unwrap())
    };
    let little = check(&["--memory", "20MiB"]);
    assert_eq!(little.code, Some(2), "{little:?}");
    assert!(
        little.err.contains("--scratch DIR searches in files"),
        "{little:?}"
    );
    let scratch = ["--scratch", "scratch", "--memory", "30MiB"];
    let proved = check(&scratch);
    assert_eq!(proved.code, Some(0), "{proved:?}");
    assert!(proved.out.contains("239500800 states"), "{proved:?}");
    let mut bad = good;
    bad[4096 + 9_999_999] ^= 4;
    mend_checksums(&mut bad);
    fs::write(&table, bad).unwrap();
    let [whole, slabs] = [check(&[]), check(&scratch)];
    assert_eq!(slabs.code, Some(3), "{slabs:?}");
    assert!(
        slabs.err.contains("is wrong at state 79999994"),
        "{slabs:?}"
    );
    assert_eq!(whole.err, slabs.err);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Uses a file size limit in place of a full disk.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_is_an_error_that_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\"";
    let limited = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_puzzledb")])
        .args(build(dir.path()).get_args())
        .current_dir(dir.path())
        .env("PUZZLEDB_DIR", dir.path())
        .output();
    let ran: CommandResult = limited.unwrap().into();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.err.contains("scratch/") && ran.err.contains("can go on from its last"),
        "{ran:?}"
    );
    let ran: CommandResult = build(dir.path()).output().unwrap().into();
    assert!(ran.code == Some(0) && goes_on(&ran), "{ran:?}");
    assert!(fs::read(dir.path().join("2x5.pzdb")).unwrap() == database(2, 5, Encoding::Bit));
}

#[test]
fn what_will_not_do_is_told_before_anything_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    let scratch = dir.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    fs::write(scratch.join("letter"), "dear").unwrap();
    for (args, reason) in [
        (
            &["build", "--shape", "3x4", "--scratch", "scratch"][..],
            "not empty",
        ),
        (
            &["count", "--shape", "3x4", "--scratch", "scratch"],
            "not empty",
        ),
        (
            &["build", "--shape", "3x4", "--memory", "10MiB"],
            "--scratch DIR searches in files",
        ),
        (
            &["count", "--shape", "3x4", "--memory", "10MiB"],
            "--scratch DIR searches in files",
        ),
        (
            &[
                "build",
                "--shape",
                "3x4",
                "--scratch",
                "new",
                "--memory",
                "1MiB",
            ],
            "may take 1 MiB",
        ),
        (&["build", "--shape", "4x4", "--scratch", "new"], "are free"),
        (
            &[
                "build",
                "--shape",
                "3x3",
                "--encoding",
                "full",
                "--scratch",
                "new",
            ],
            "--encoding bit",
        ),
        (
            &["build", "--shape", "3x4", "--scratch", "scratch/letter"],
            "letter",
        ),
        (
            &[
                "build",
                "--shape",
                "3x4",
                "--memory",
                "much",
                "--scratch",
                "new",
            ],
            "is not a size",
        ),
    ] {
        let output = puzzledb(dir.path())
            .args(args)
            .current_dir(dir.path())
            .output();
        let ran: CommandResult = output.unwrap().into();
        assert!(
            matches!(ran.code, Some(2 | 3)) && ran.out.is_empty(),
            "{args:?}: {ran:?}"
        );
        assert!(ran.err.contains(reason), "{args:?}: {}", ran.err);
    }
    assert_eq!(fs::read(scratch.join("letter")).unwrap(), b"dear");
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 1);
}

#[test]
fn the_folder_of_another_search_is_told_and_left() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = build(dir.path()).spawn().unwrap();
    let manifest = dir.path().join("scratch/manifest");
    until("a manifest", || manifest.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let scratch = dir.path().join("scratch");
    let args = [
        "count",
        "--shape",
        "2x6",
        "--scratch",
        scratch.to_str().unwrap(),
    ];
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("another search (distances of 2x5"),
        "{ran:?}"
    );
}
