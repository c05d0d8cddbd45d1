//! Promise: nothing that a graded program started is left when `grade` or `audit` is killed, and a program that stops
//! or kills the processes above it does not escape its limits.
#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};

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

/// Runs a command that starts 64 processes, kills it by `kill`, and waits until all of them have ended. A command that
/// goes on is killed then, too.
fn nothing_is_left(arguments: &[&str], kill: impl Fn(&Child)) {
    let dir = built();
    let pids = dir.path().join("pids");
    std::fs::create_dir(&pids).unwrap();
    let mut command = puzzledb(dir.path());
    command.args(arguments).env("PIDS", &pids).process_group(0);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = command.spawn().unwrap();
    until("they begin", || ids(&pids).len() == 64);
    let first = ids(&pids);
    kill(&running);
    until("they end", || !first.iter().any(|id| is_running(id)));
    running.kill().unwrap();
    running.wait().unwrap();
    until("all end", || !ids(&pids).iter().any(|id| is_running(id)));
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

/// Outcomes by submission of a course of two boards, and the exit code. Its submissions kill the worker, the guard,
/// both, or the worker for one board only, and leave a process that notes its id.
fn outcomes_of_killers(options: &[&str]) -> (Vec<(String, String)>, Option<i32>) {
    let dir = built();
    let course = dir.path().join("course");
    let pids = dir.path().join("pids");
    std::fs::create_dir(&course).unwrap();
    std::fs::create_dir(&pids).unwrap();
    for (name, kill) in [
        ("0", ""),
        ("1", "kill -KILL $PPID; sleep 600"),
        ("2", "kill -KILL $guard; sleep 600"),
        ("3", "kill -KILL $guard $PPID; exit 0"),
        ("4", "kill -ILL $PPID; sleep 600"),
        (
            "5",
            &format!("[ $1 != {NEAR} ] || kill -KILL $PPID; sleep 0.2"),
        ),
        ("6", ": > $0.new"),
    ] {
        let script = format!(
            "guard=$(cut -d ' ' -f 4 /proc/$PPID/stat)\n\
             (setsid sh -c ': > \"$PIDS/$$\"; exec sleep 600' &)\n{kill}\necho R"
        );
        std::fs::write(course.join(name), script).unwrap();
    }
    let mut command = puzzledb(dir.path());
    command.args(["grade", "--timeout", "60s", "--report", "csv"]);
    command.args(["--boards", "-"]).args(options);
    command.args(["--each", "sh {submission} {board}"]);
    command.arg(&course).env("PIDS", &pids);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.spawn().unwrap();
    let boards = format!("{NEAR}\n123450786\n");
    std::io::Write::write_all(&mut running.stdin.take().unwrap(), boards.as_bytes()).unwrap();
    let ended = running.wait_with_output().unwrap();
    assert!(!ids(&pids).iter().any(|id| is_running(id)));
    let mut table = csv::Reader::from_reader(&ended.stdout[..]);
    let rows = table.records().map(|row| {
        let row = row.unwrap();
        (row[0].to_owned(), row[3].to_owned())
    });
    (rows.collect(), ended.status.code())
}

#[test]
fn a_program_that_kills_its_graders_gets_that_outcome_and_the_course_goes_on() {
    let (outcomes, code) = outcomes_of_killers(&[]);
    let missed = "does not reach the goal";
    let killed = "killed the grader";
    let expected = [
        ["optimal", missed],
        [killed, killed],
        [killed, killed],
        [killed, killed],
        [killed, killed],
        [killed, missed],
        ["optimal", missed],
    ];
    let rows = |number: usize| expected[number].map(|it| (number.to_string(), it.to_owned()));
    let expected: Vec<_> = (0..expected.len()).flat_map(rows).collect();
    assert_eq!((outcomes, code), (expected, Some(1)));
}

#[test]
fn of_several_boards_at_a_time_only_the_one_whose_program_kills_is_blamed() {
    let dir = built();
    let boards = ["123456780", NEAR, "123450786", "123405786"];
    std::fs::write(dir.path().join("boards"), boards.join("\n")).unwrap();
    let script = format!("sleep 0.2; [ $1 != {NEAR} ] || kill -KILL $PPID; exit 3");
    let mut command = puzzledb(dir.path());
    command.args(["grade", "--jobs", "4", "--report", "csv"]);
    command.arg("--boards").arg(dir.path().join("boards"));
    command.args(["--", "sh", "-c", &script, "sh", "{board}"]);
    let ended = command.output().unwrap();
    let mut table = csv::Reader::from_reader(&ended.stdout[..]);
    let outcomes = table.records().map(|row| row.unwrap()[2].to_owned());
    let crash = "crash (exit code 3)";
    let expected = [crash, "killed the grader", crash, crash];
    assert_eq!(outcomes.collect::<Vec<_>>(), expected, "{ended:?}");
}

#[test]
fn every_report_names_the_program_that_killed_its_graders() {
    let dir = built();
    for format in ["text", "csv", "json", "junit", "html"] {
        let mut command = puzzledb(dir.path());
        command.args(["grade", "--sample", "2", "--report", format]);
        command.args(["--", "sh", "-c", "kill -KILL $PPID; sleep 600"]);
        let grade = command.output().unwrap();
        assert_eq!(grade.status.code(), Some(1), "{grade:?}");
        let report = String::from_utf8(grade.stdout).unwrap();
        assert!(report.contains("killed the grader"), "{report}");
    }
}

/// Ends the grading of a board that sleeps, after one whose program kills the worker, and returns its exit code and
/// report.
fn ended_by(end: impl Fn(&Child)) -> (Option<i32>, String) {
    let dir = built();
    let begun = dir.path().join("begun");
    std::fs::write(dir.path().join("boards"), format!("{NEAR}\n123450786")).unwrap();
    let script =
        format!("[ $1 != {NEAR} ] || {{ kill -KILL $PPID; sleep 600; }}; : > $BEGUN; sleep 600");
    let mut command = puzzledb(dir.path());
    command.args(["grade", "--timeout", "600s", "--report", "csv"]);
    command.arg("--boards").arg(dir.path().join("boards"));
    command.args(["--", "sh", "-c", &script, "sh", "{board}"]);
    command.env("BEGUN", &begun).process_group(0);
    let running = command.stdout(Stdio::piped()).spawn().unwrap();
    until("it begins", || begun.exists());
    end(&running);
    let ended = running.wait_with_output().unwrap();
    let report = String::from_utf8(ended.stdout).unwrap();
    (ended.status.code(), report)
}

#[test]
fn an_interruption_after_a_killed_worker_ends_the_grading_with_a_report() {
    let signals = [Signal::INT, Signal::TERM];
    for signal in signals {
        let (code, report) = ended_by(|grade| {
            kill_process(Pid::from_child(grade), signal).unwrap();
        });
        assert_eq!(code, Some(130), "{report}");
        assert!(report.contains("killed the grader"), "{report}");
        assert_eq!(report.lines().count(), 2, "{report}");
    }
    let group = |grade: &Child| kill_process_group(Pid::from_child(grade), Signal::INT).unwrap();
    let (code, report) = ended_by(group);
    assert_eq!((code, report.lines().count()), (Some(130), 2), "{report}");
    let group = |grade: &Child| kill_process_group(Pid::from_child(grade), Signal::KILL).unwrap();
    assert_eq!(ended_by(group), (None, String::new()));
}
