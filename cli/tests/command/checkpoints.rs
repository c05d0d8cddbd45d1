//! Promise: a build that is killed at any moment resumes from its last checkpoint, and the finished file
//! has the same bytes as one built without a break.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, Notice, Plan, ensure};

use crate::bytes::database;
#[cfg(unix)]
use crate::run::read_until;
use crate::run::{CommandResult, puzzledb, run, time};

/// Arguments of a build of the 2x5 bit table that writes a checkpoint after every level.
pub const BUILD: [&str; 9] = [
    "build",
    "--shape",
    "2x5",
    "--encoding",
    "bit",
    "--checkpoint-above",
    "0",
    "--checkpoint-every",
    "0",
];

pub fn start(dir: &Path) -> Child {
    let mut command = puzzledb(dir);
    command
        .args(BUILD)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

pub fn goes_on(ran: &CommandResult) -> bool {
    ran.err.contains("going on from the checkpoint")
}

fn files(dir: &Path) -> usize {
    fs::read_dir(dir).unwrap().count()
}

#[test]
#[ignore = "full run"]
fn killed_at_any_moment_a_build_goes_on_and_ends_with_the_same_bytes() {
    let expected = database(2, 5, Encoding::Bit);
    let whole = time(|| start(tempfile::tempdir().unwrap().path()));
    let kills = if crate::full::is_full() { 25 } else { 7 };
    let (mut resumed, mut i) = (0, 0);
    // Kills earlier and earlier, until a build resumes after a kill.
    while i < kills || resumed == 0 {
        assert!(i < 1000, "no build was killed between two checkpoints");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("2x5.pzdb");
        for round in 0..4 {
            let mut child = start(dir.path());
            std::thread::sleep(whole * ((i * 7 + round * 5) % 29) / 29 / (1 + i / kills));
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(!path.exists() || fs::read(&path).unwrap() == expected);
        }
        let ran: CommandResult = start(dir.path()).wait_with_output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        resumed += usize::from(goes_on(&ran));
        assert!(fs::read(&path).unwrap() == expected);
        i += 1;
    }
}

#[test]
fn a_build_in_peace_writes_checkpoints_and_leaves_none() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(dir.path(), &BUILD);
    assert!(
        ran.code == Some(0) && ran.err.contains("checkpoint at distance"),
        "{ran:?}"
    );
    assert_eq!(files(dir.path()), 1);
    assert!(fs::read(dir.path().join("2x5.pzdb")).unwrap() == database(2, 5, Encoding::Bit));
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_checkpoint_and_the_next_build_goes_on() {
    let build = [
        "build",
        "--shape",
        "3x4",
        "--checkpoint-above",
        "0",
        "--checkpoint-every",
        "1e6",
    ];
    // Repeated until a build is interrupted before its end.
    for _ in 0..1000 {
        let dir = tempfile::tempdir().unwrap();
        let mut command = puzzledb(dir.path());
        command
            .args(build)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        read_until(child.stderr.as_mut().unwrap(), "of memory\n"); // now it searches
        let kill = format!("kill -INT {}", child.id());
        let _ = std::process::Command::new("sh")
            .args(["-c", &kill])
            .status();
        let code = child.wait().unwrap().code();
        let checkpoint = dir.path().join(".3x4.pzdb.checkpoint");
        if code != Some(130) || !checkpoint.exists() {
            continue; // too late
        }
        assert_eq!(files(dir.path()), 1, "the checkpoint alone");
        let ran = run(dir.path(), &build);
        assert!(ran.code == Some(0) && goes_on(&ran), "{ran:?}");
        let file = fs::read(dir.path().join("3x4.pzdb")).unwrap();
        assert!(file == database(3, 4, Encoding::Bit));
        assert_eq!(files(dir.path()), 1, "the database alone");
        return;
    }
    panic!("no build was interrupted in its middle");
}

#[test]
fn a_damaged_checkpoint_is_told_and_the_search_begins_anew() {
    let dir = tempfile::tempdir().unwrap();
    for bad in [&b""[..], b"something else", &[0; 5000]] {
        fs::write(dir.path().join(".2x5.pzdb.checkpoint"), bad).unwrap();
        let ran = run(dir.path(), &[&BUILD[..], &["--force"]].concat());
        assert!(
            ran.code == Some(0) && ran.err.contains("checkpoint is no good"),
            "{ran:?}"
        );
        assert!(fs::read(dir.path().join("2x5.pzdb")).unwrap() == database(2, 5, Encoding::Bit));
        assert_eq!(files(dir.path()), 1);
    }
}

/// Checkpoint with right checksums that takes the states of a block to be reached: only the search that resumes from it
/// can detect the error.
#[test]
fn a_checkpoint_with_the_wrong_states_is_found_out_at_the_end_and_the_search_begins_anew() {
    use puzzledb::internals::{Search, go_on};
    let dir = tempfile::tempdir().unwrap();
    let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8).unwrap();
    let mut search = Search::new(class, 1).unwrap();
    while search.levels().len() < 12 {
        search.advance(&mut go_on).unwrap();
    }
    let mut saved = std::io::Cursor::new(Vec::new());
    search.save(&mut saved).unwrap();
    let mut wrong = saved.into_inner();
    // Behind the class and the levels are the length of the only record and the number of the first block.
    let (record, end) = (13 + 8 * 12, wrong.len() - 4);
    wrong[record + 8..record + 12].fill(0);
    let checked = [&wrong[..record], &wrong[record + 8..end]].concat();
    wrong[end..].copy_from_slice(&crc32fast::hash(&checked).to_le_bytes());
    fs::write(dir.path().join(".3x3.pzdb.checkpoint"), wrong).unwrap();
    let build = ["build", "--encoding", "bit", "--checkpoint-above", "0"];
    let ran = run(dir.path(), &build);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(goes_on(&ran), "{ran:?}");
    assert!(ran.err.contains("checkpoint is no good"), "{}", ran.err);
    assert!(fs::read(dir.path().join("3x3.pzdb")).unwrap() == database(3, 3, Encoding::Bit));
    assert_eq!(files(dir.path()), 1);
}

/// Uses a file size limit in place of a full disk: below the size of a checkpoint and above that of
/// the finished file.
#[cfg(unix)]
#[test]
fn where_no_checkpoint_can_be_written_the_build_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let script = "ulimit -f 500; exec \"$0\" \"$@\"";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_puzzledb")])
        .args(BUILD)
        .env("PUZZLEDB_DIR", dir.path())
        .output()
        .unwrap();
    let ran: CommandResult = output.into();
    assert!(
        ran.code == Some(0) && ran.err.contains("no checkpoint could be written"),
        "{ran:?}"
    );
    assert!(fs::read(dir.path().join("2x5.pzdb")).unwrap() == database(2, 5, Encoding::Bit));
    assert_eq!(files(dir.path()), 1);
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_leaves_the_checkpoint_before_and_it_serves() {
    use puzzledb::internals::{Search, go_on};
    use puzzledb::space::GoalClass;
    let dir = tempfile::tempdir().unwrap();
    let class = GoalClass::new("2x5".parse().unwrap(), 9).unwrap();
    let mut search = Search::new(class, 1).unwrap();
    while search.levels().len() < 12 {
        search.advance(&mut go_on).unwrap();
    }
    let mut saved = std::io::Cursor::new(Vec::new());
    search.save(&mut saved).unwrap();
    let saved = saved.into_inner();
    let checkpoint = dir.path().join(".2x5.pzdb.checkpoint");
    fs::write(&checkpoint, &saved).unwrap();
    // Every later checkpoint and the file itself are larger than this.
    let limit = saved.len() / 512 + 1;
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
    let output = std::process::Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_puzzledb")])
        .args(BUILD)
        .env("PUZZLEDB_DIR", dir.path())
        .output()
        .unwrap();
    let ran: CommandResult = output.into();
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(
        ran.err.contains("no checkpoint could be written"),
        "{ran:?}"
    );
    assert!(fs::read(&checkpoint).is_ok_and(|bytes| bytes.len() <= limit * 512));
    let ran = run(dir.path(), &BUILD);
    assert!(ran.code == Some(0) && goes_on(&ran), "{ran:?}");
    assert!(fs::read(dir.path().join("2x5.pzdb")).unwrap() == database(2, 5, Encoding::Bit));
}

#[test]
fn seconds_between_checkpoints_are_a_number_from_0_on() {
    let dir = tempfile::tempdir().unwrap();
    for bad in ["nan", "-1", "inf", "1e99", "soon"] {
        let ran = run(dir.path(), &["build", "--checkpoint-every", bad]);
        assert_eq!(ran.code, Some(2), "{bad}");
        let message = format!("\"{bad}\" is not a number of seconds from 0 to 1000000000");
        assert!(ran.err.contains(&message), "{}", ran.err);
    }
    assert_eq!(files(dir.path()), 0);
}

/// Disk space planned for a build is enough, and not too much: the next checkpoint is written beside the last.
#[test]
fn the_disk_that_a_build_takes_includes_its_checkpoints() {
    let dir = tempfile::tempdir().unwrap();
    let class = GoalClass::new(Shape::new(5, 2).unwrap(), 9).unwrap();
    let mut plan = Plan::new(class);
    plan.encoding = Some(Encoding::Bit);
    plan.checkpoints.above = 0;
    plan.checkpoints.every = Duration::ZERO;
    let mut most = 0;
    let observe = |_: Notice| {
        let entries = fs::read_dir(dir.path()).unwrap().flatten();
        let sizes = entries.map(|entry| entry.metadata().unwrap().len());
        most = most.max(sizes.sum());
        ControlFlow::Continue(())
    };
    let go_on = |_| ControlFlow::Continue(());
    let (table, _) = ensure(dir.path().join("table"), &plan, observe, go_on).unwrap();
    let needed = most + table.bytes().len().max(most);
    let states = class.states();
    let said = plan.checkpoints.disk(states, states.div_ceil(8) + 4096);
    assert!(
        (needed..3 * needed + (2 << 20)).contains(&said),
        "{needed} bytes, {said} said"
    );
}
