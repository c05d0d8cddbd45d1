//! Promise: nothing that a graded program started is left when `grade` or `audit` is killed, and a program that stops
//! or kills the processes above it does not escape its limits.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::grade::{NEAR, outcome};
use crate::run::{built, puzzledb};
use crate::wait::until;

/// Script that starts 64 processes in sessions of their own, which note their ids. It does not end.
const STARTS_MANY: &str = r#"
    i=0; while [ $i -lt 64 ]; do
        (setsid sh -c ': > "$PIDS/$$"; exec sleep 600' &)
        i=$((i+1))
    done
    sleep 600"#;

fn is_running(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().unwrap();
    !stat.is_empty() && !state.starts_with(['Z', 'X'])
}

/// Parent of a process.
fn parent(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
}

/// Only child of a process.
fn child_of(id: u32) -> u32 {
    let ids = std::fs::read_dir("/proc").unwrap();
    let mut ids = ids.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    ids.find(|child| parent(*child) == Some(id)).unwrap()
}

fn ids(pids: &Path) -> Vec<String> {
    let names = std::fs::read_dir(pids).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    names.map(|e| name(e).into_string().unwrap()).collect()
}

/// Runs a command that starts 64 processes, kills it by `kill`, and waits until all of them have ended.
fn nothing_is_left(arguments: &[&str], kill: impl Fn(&Child)) {
    let dir = built();
    let pids = dir.path().join("pids");
    std::fs::create_dir(&pids).unwrap();
    let mut command = puzzledb(dir.path());
    command.args(arguments).env("PIDS", &pids).process_group(0);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = command.spawn().unwrap();
    until("they begin", || ids(&pids).len() == 64);
    kill(&running);
    until("they end", || !ids(&pids).iter().any(|id| is_running(id)));
    running.wait().unwrap();
}

fn kill(id: u32) {
    kill_process(Pid::from_raw(id as i32).unwrap(), Signal::KILL).unwrap();
}

const GRADE: [&str; 8] = [
    "grade",
    "--sample",
    "4",
    "--timeout",
    "600s",
    "--",
    "sh",
    "-c",
];

#[test]
fn nothing_is_left_when_grade_is_killed() {
    nothing_is_left(&[&GRADE[..], &[STARTS_MANY]].concat(), |grade| {
        kill(grade.id());
    });
}

#[test]
fn nothing_is_left_when_grade_is_killed_with_its_process_group() {
    nothing_is_left(&[&GRADE[..], &[STARTS_MANY]].concat(), |grade| {
        kill_process_group(Pid::from_child(grade), Signal::KILL).unwrap();
    });
}

#[test]
fn nothing_is_left_when_a_process_of_grade_is_killed() {
    let grade = [&GRADE[..], &[STARTS_MANY]].concat();
    nothing_is_left(&grade, |grade| kill(child_of(grade.id())));
    nothing_is_left(&grade, |grade| kill(child_of(child_of(grade.id()))));
}

#[test]
fn nothing_is_left_when_audit_is_killed() {
    let options = ["audit", "--timeout", "600s", "--command", STARTS_MANY];
    nothing_is_left(&options, |audit| kill(audit.id()));
}

#[test]
#[ignore = "full run"]
fn a_program_that_stops_its_parent_is_ended_at_the_timeout() {
    let dir = built();
    let ancestor = |n: usize| {
        let up = "p=$(cut -d ' ' -f 4 /proc/$p/stat);".repeat(n);
        format!("p=$$; {up} kill -STOP $p; sleep 600")
    };
    let scripts = [
        "kill -STOP $PPID; sleep 600".to_owned(),
        "while :; do kill -STOP $PPID; sleep 0.01; done".to_owned(),
        "kill -TSTP $PPID; sleep 600".to_owned(),
        ancestor(2),
        ancestor(3),
    ];
    for script in scripts {
        let (outcome, code) = outcome(dir.path(), &["--timeout", "1s"], NEAR, &script);
        assert_eq!((outcome.as_str(), code), ("timeout", Some(1)), "{script}");
    }
}

#[test]
fn a_program_that_kills_its_parent_interrupts_the_grading() {
    let dir = built();
    let script = "(setsid sleep 600 &); kill -KILL $PPID; sleep 600";
    let mut command: Command = puzzledb(dir.path());
    let grade = command.args(GRADE).arg(script).output().unwrap();
    assert_eq!(grade.status.code(), Some(130), "{grade:?}");
    assert!(grade.stdout.is_empty(), "{grade:?}");
}
