//! Promise: a program runs under limits of time, memory and output, and nothing that it started is left,
//! whatever ends it.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Stdio};

use crate::grade::{NEAR, UNSOLVABLE, outcome};
use crate::run::{CommandResult, built, graded, puzzledb};
use crate::wait::until;

/// Shell command that notes its process id and does not end by itself, or by SIGTERM, SIGINT or SIGHUP.
const STAYS: &str =
    r#"sh -c 'trap "" TERM INT HUP; : > "$0/$$"; while :; do sleep 60; done' "$PIDS""#;

#[test]
fn time_memory_and_output_have_limits() {
    let dir = built();
    for (options, script, expected) in [
        (["--timeout", "300ms"], "sleep 60000", "timeout"),
        (
            ["--timeout", "300ms"],
            "trap '' TERM INT HUP; echo R; while :; do sleep 60; done",
            "timeout",
        ),
        (["--timeout", "300ms"], "kill -STOP $$", "timeout"),
        (
            ["--timeout", "300ms"],
            "exec >&- 2>&-; sleep 60000",
            "timeout",
        ),
        (
            ["--memory", "64MiB"],
            "x=12345678; while :; do x=$x$x; done",
            "out of memory",
        ),
        // Each process is within the limit, but all of them together are not.
        (
            ["--memory", "24MiB"],
            "x=12345678; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do x=$x$x; \
             [ ${#x} -gt 4000000 ] && break; done; \
             for i in 1 2 3 4 5 6 7 8; do (y=z$x; sleep 60000; echo $y) & done; wait",
            "out of memory",
        ),
        (["--timeout", "900s"], "yes", "too much output"),
        (
            ["--timeout", "900s"],
            "yes R; echo $1 >&2",
            "too much output",
        ),
        (
            ["--timeout", "900s"],
            "yes flood | head -c 30000000 >&2; echo R",
            "optimal",
        ),
        (
            ["--timeout", "900s"],
            "i=0; while [ $i -lt 600 ]; do setsid sleep 60000 & i=$((i+1)); done; wait",
            "too many processes",
        ),
        // The command has ended, and another process still holds its pipe.
        (["--timeout", "900s"], "sleep 60000 & echo R", "optimal"),
    ] {
        // No run waits for the sleeping processes.
        let (outcome, ..) = outcome(dir.path(), &options, NEAR, script);
        assert_eq!(outcome, expected, "{script}");
    }
}

#[test]
#[ignore = "full run"]
fn cpu_time_has_a_limit_over_all_processes_that_sleep_does_not_count_for() {
    let dir = built();
    let count = "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done";
    for script in [
        "while :; do :; done".to_owned(),
        // Children that are waited for, and a process without parents in a session of its own.
        format!("while :; do ({count}); done"),
        "(setsid sh -c 'while :; do :; done' &); sleep 60000".to_owned(),
        // Processes without parents that end, each starts the next.
        format!(
            "cat > {0} <<'END'\n{count}\nsetsid sh {0} &\nEND\nsh {0}; sleep 60000",
            dir.path().join("next.sh").display()
        ),
    ] {
        let options = ["--cpu", "200ms", "--time", "600s", "--report", "json"];
        let ran = graded(dir.path(), &options, NEAR, &script);
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
        let board = &report["boards"][0];
        assert_eq!(board["outcome"], "CPU timeout", "{script}");
        assert!(board["cpu_seconds"].as_f64().unwrap() > 0.2, "{board}");
        assert_eq!(report["limits"]["cpu_seconds"], 0.2);
    }
    // It has ended by itself, perhaps before the first check.
    let done = format!("{count}; {count}; echo R");
    let ended = outcome(dir.path(), &["--cpu", "1ms"], NEAR, &done);
    assert_eq!(ended.0, "CPU timeout");
    let options = ["--cpu", "100ms", "--report", "json"];
    let ran = graded(dir.path(), &options, NEAR, "sleep 1; echo R");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
    assert_eq!(report["summary"]["right"], 1, "{}", ran.out);
    assert!(report["boards"][0]["seconds"].as_f64().unwrap() >= 1.0);
    let mean = &report["summary"]["mean_cpu_seconds"];
    assert_eq!(mean, &report["boards"][0]["cpu_seconds"]);
    assert!((0.0001..0.1).contains(&mean.as_f64().unwrap()), "{mean}");
}

#[test]
fn the_memory_of_the_shortest_program_is_known() {
    let dir = built();
    let ran = graded(dir.path(), &["--report", "json"], NEAR, "echo R");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
    let memory = report["boards"][0]["memory_bytes"].as_u64().unwrap();
    assert!((500_000..32_000_000).contains(&memory), "{memory}");
}

/// Number of processes that wrote their ids into `dir`, and the ids of those that are still there.
fn left(dir: &Path) -> (usize, Vec<String>) {
    let numbers: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let is_there = |number: &&String| Path::new("/proc").join(number).exists();
    (
        numbers.len(),
        numbers.iter().filter(is_there).cloned().collect(),
    )
}

#[test]
#[ignore = "full run"]
fn nothing_that_a_program_started_is_left() {
    let dir = built();
    let wait = "while [ $(ls $PIDS | wc -l) -lt 1 ]; do sleep 0.01; done; echo R";
    let stays = STAYS;
    for script in [
        format!("{stays} & {wait}"),
        format!("({stays} &) & {wait}"),
        format!("setsid {stays} & {wait}"),
        format!("(setsid {stays} &) & {wait}"),
        // Orphaned, in a session of its own, and without the mark in its environment.
        format!("(setsid env -i PATH=\"$PATH\" PIDS=\"$PIDS\" {stays} &) & {wait}"),
        format!("{stays} & (setsid {stays} &) & ({stays} &) & sleep 60"),
        format!("(setsid {stays} &) & {wait}; kill -SEGV $$"),
        // Every process starts the next and ends.
        "cat > $PIDS/../next.sh <<'END'\n: > $PIDS/$$\nsetsid sh $PIDS/../next.sh &\nEND\n\
         sh $PIDS/../next.sh; sleep 0.1; echo R"
            .to_owned(),
    ] {
        let pids = dir.path().join("pids");
        std::fs::create_dir(&pids).unwrap();
        let mut command = puzzledb(dir.path());
        command.args([
            "grade",
            "--sample",
            "1",
            "--timeout",
            "10s",
            "--",
            "sh",
            "-c",
            &script,
        ]);
        let ran: CommandResult = command.env("PIDS", &pids).output().unwrap().into();
        let (wrote, left) = left(&pids);
        assert!(wrote > 0 && ran.code == Some(1), "{script}: {ran:?}");
        assert!(left.is_empty(), "{script}: {left:?}");
        assert_eq!(ran.err, "", "{script}");
        std::fs::remove_dir_all(pids).unwrap();
    }
}

#[test]
fn a_helper_without_parents_lives_as_long_as_its_program_and_no_longer() {
    let dir = built();
    let pids = dir.path().join("pids");
    std::fs::create_dir(&pids).unwrap();
    // The helper answers after a while, in which other programs end.
    let script = r#"
        reply=$PIDS/../reply.$$
        (setsid sh -c ': > "$PIDS/$$"; sleep 0.2; echo unsolvable > "$0.new"; mv "$0.new" "$0"; sleep 60' "$reply" &)
        case $1 in 12345*) ;; *) while [ ! -e "$reply" ]; do sleep 0.01; done; cat "$reply";; esac"#;
    let boards = format!("{UNSOLVABLE}\n213456780\n213456780\n{NEAR}\n213456780\n");
    let boards_file = dir.path().join("boards.txt");
    std::fs::write(&boards_file, boards).unwrap();
    let mut command = puzzledb(dir.path());
    command.args([
        "grade",
        "--jobs",
        "3",
        "--timeout",
        "900s",
        "--report",
        "json",
        "--boards",
    ]);
    command
        .arg(boards_file)
        .args(["--", "sh", "-c", script, "solver", "{board}"]);
    let ran: CommandResult = command.env("PIDS", &pids).output().unwrap().into();
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let outcomes = report["boards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b["outcome"].as_str().unwrap());
    let (silent, said) = ("no answer found", "unsolvable (rightly said)");
    assert_eq!(
        outcomes.collect::<Vec<_>>(),
        [silent, said, said, silent, said]
    );
    let (_, left) = left(&pids);
    assert!(left.is_empty(), "{left:?}");
}

/// Runs a command, and sends it SIGINT when `processes` processes have begun.
fn interrupted(command: &mut Command, pids: &Path, processes: usize) -> CommandResult {
    command
        .env("PIDS", pids)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    until("the processes begin", || left(pids).0 >= processes);
    let mut kill = Command::new("kill");
    let kill = kill.args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    child.wait_with_output().unwrap().into()
}

#[test]
fn ctrl_c_ends_everything() {
    let dir = built();
    let pids = dir.path().join("pids");
    std::fs::create_dir(&pids).unwrap();
    let script = format!("(setsid {STAYS} &) & {STAYS}");
    let mut command = puzzledb(dir.path());
    command.args(["grade", "--jobs", "2", "--", "sh", "-c", &script]);
    let ran = interrupted(&mut command, &pids, 4);
    assert_eq!((ran.code, ran.out.as_str()), (Some(130), ""), "{ran:?}");
    assert!(left(&pids).1.is_empty());
}

#[test]
fn ctrl_c_reports_the_boards_that_are_done() {
    let dir = built();
    let pids = dir.path().join("pids");
    std::fs::create_dir(&pids).unwrap();
    let boards = dir.path().join("boards.txt");
    std::fs::write(
        &boards,
        format!("{NEAR}\n123456780\n{UNSOLVABLE}\n{NEAR}\n"),
    )
    .unwrap();
    // The third board is not done, and the fourth does not begin.
    let script = format!("case $1 in {UNSOLVABLE}) {STAYS};; *) echo R;; esac");
    let mut command = puzzledb(dir.path());
    command.args(["grade", "--report", "csv", "--timeout", "900s", "--boards"]);
    command.arg(boards);
    command.args(["--", "sh", "-c", &script, "solver", "{board}"]);
    let ran = interrupted(&mut command, &pids, 1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (Some(130), 3), "{ran:?}");
    assert!(lines[1].starts_with("123456708,1,optimal,true"), "{ran:?}");
    assert!(lines[2].starts_with("123456780,0,"), "{ran:?}");
    assert!(
        ran.err.contains("interrupted after 2 of 4 boards"),
        "{ran:?}"
    );
    assert!(left(&pids).1.is_empty());
}

#[test]
fn ctrl_c_reports_the_submissions_that_are_done() {
    let dir = built();
    let [pids, course] = ["pids", "course"].map(|name| dir.path().join(name));
    std::fs::create_dir(&pids).unwrap();
    std::fs::create_dir(&course).unwrap();
    for (name, script) in [("a", "echo R"), ("b", STAYS), ("c", "echo R")] {
        std::fs::write(course.join(name), script).unwrap();
    }
    let boards = dir.path().join("boards.txt");
    std::fs::write(&boards, NEAR).unwrap();
    let mut command = puzzledb(dir.path());
    command.args(["grade", "--report", "csv", "--time", "900s", "--boards"]);
    command.arg(boards).args(["--each", "sh {submission}"]);
    let ran = interrupted(command.arg(course), &pids, 1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (Some(130), 2), "{ran:?}");
    assert!(lines[1].starts_with("a,123456708,1,optimal,"), "{ran:?}");
    assert!(ran.err.contains("after 1 of 3 boards"), "{ran:?}");
    assert!(left(&pids).1.is_empty());
}

/// Reading takes linear time; otherwise the test would take hours.
#[test]
#[ignore = "full run"]
fn a_long_output_takes_little_longer_than_the_time_for_a_board() {
    let dir = built();
    // 16 MiB, the most that may be printed.
    let script = "printf 'Path: '; head -c 16777210 /dev/zero | tr '\\0' ')'; sleep 60000";
    let ended = outcome(dir.path(), &["--timeout", "2s"], NEAR, script);
    assert_eq!(ended.0, "timeout");
    let read = script.replace("; sleep 60000", "");
    let ended = outcome(dir.path(), &["--timeout", "900s"], NEAR, &read);
    assert_eq!(ended.0, "no answer found");
}

#[test]
fn the_progress_bar_estimates_the_time_left() {
    let dir = built();
    let solver = format!(
        "{} grade --sample 3 -- sleep 0.3",
        env!("CARGO_BIN_EXE_puzzledb")
    );
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &solver, "/dev/null"]);
    command.env("PUZZLEDB_DIR", dir.path()).env("TERM", "xterm");
    let Ok(output) = command.stdin(Stdio::null()).output() else {
        return eprintln!("not tested: there is no `script` command");
    };
    let ran: CommandResult = output.into();
    let bar = ran
        .out
        .split(['\r', '\n'])
        .find(|l| l.contains("2/3 boards"));
    let bar = bar.unwrap_or_else(|| panic!("{:?}", ran.out));
    let left = bar.split_once(", about ").and_then(|(_, rest)| {
        let (seconds, _) = rest.split_once("s left")?;
        seconds.parse::<u32>().ok()
    });
    assert!(left.is_some_and(|seconds| seconds < 900), "{bar:?}");
}
