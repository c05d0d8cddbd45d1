//! Promise: a program is run on every board under limits, its answer is judged, and whatever it
//! does, nothing that it started is left.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{Ran, built, graded, puzzledb, run, run_with_input};

/// A board one move from the goal, and one that cannot be solved.
const NEAR: &str = "123456708";
const UNSOLVABLE: &str = "123456870";

/// The outcome of a shell script on one board, and the exit code of `grade`.
fn outcome(dir: &Path, options: &[&str], board: &str, script: &str) -> (String, Option<i32>) {
    let ran = graded(
        dir,
        &[options, &["--report", "json"]].concat(),
        board,
        script,
    );
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
    let outcome = report["boards"][0]["outcome"].as_str().unwrap();
    (outcome.to_owned(), ran.code)
}

#[test]
fn our_own_solver_is_right_on_every_board() {
    let dir = built();
    let solver = env!("CARGO_BIN_EXE_puzzledb");
    for place in [
        "{board}",
        "{board:spaced}",
        "{board:rows}",
        "{board:commas}",
    ] {
        let options = [
            "grade",
            "--per-distance",
            "1",
            "--with-unsolvable=2",
            "--report",
            "csv",
        ];
        let ran = run(
            dir.path(),
            &[&options[..], &["--", solver, "solve", place]].concat(),
        );
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{place}");
        let lines: Vec<&str> = ran.out.lines().collect();
        assert_eq!(lines.len(), 1 + 32 + 2);
        for (distance, line) in lines[1..33].iter().enumerate() {
            let cells: Vec<&str> = line.split(',').collect();
            let distance = distance.to_string();
            assert_eq!(
                cells[1..6],
                [&distance, "optimal", "true", &distance, "0"],
                "{line}"
            );
        }
        for line in &lines[33..] {
            assert!(
                line[9..].starts_with(",,unsolvable (rightly said),true,"),
                "{line}"
            );
        }
    }
    // On standard input, in the tile's directions, to another goal.
    let goal = [
        "grade", "--sample", "5", "--goal", "spiral", "--moves", "tile", "--",
    ];
    let solve = [solver, "solve", "--goal", "spiral", "--moves", "tile"];
    assert_eq!(run(dir.path(), &[&goal[..], &solve].concat()).code, Some(0));
    let place = [solver, "solve", "--goal", "{goal}", "--moves", "tile"];
    assert_eq!(run(dir.path(), &[&goal[..], &place].concat()).code, Some(0));
}

#[test]
fn every_way_to_be_wrong_has_its_name() {
    let dir = built();
    for (script, expected) in [
        ("echo R", "optimal"),
        ("echo $1; echo Moves: RIGHT", "optimal"),
        ("echo R; exit 1", "optimal"),
        ("echo LRR", "suboptimal +2"),
        (
            "echo 'moves: R'; echo 'cost: 3'",
            "wrong length: claims 3, path has 1",
        ),
        ("echo UUU", "illegal at move 3"),
        ("echo UU", "does not reach the goal"),
        ("echo unsolvable", "wrongly said unsolvable"),
        ("echo unsolvable; exit 1", "wrongly said unsolvable"),
        ("exit 3", "crash (exit code 3)"),
        ("echo length: 1; exit 3", "crash (exit code 3)"),
        ("kill -SEGV $$", "crash (signal 11, SIGSEGV)"),
        ("echo R; kill -KILL $$", "crash (signal 9, SIGKILL)"),
        (":", "no answer found"),
        ("echo R >&2", "no answer found"),
        ("exec >&-; echo R", "crash (exit code 1)"),
        (
            "printf '\\377\\376\\000\\033[2J<b>&garbage\\001'",
            "no answer found",
        ),
    ] {
        let code = if expected == "optimal" { 0 } else { 1 };
        let found = outcome(dir.path(), &[], NEAR, script);
        assert_eq!(found, (expected.to_owned(), Some(code)), "{script}");
    }
    let numbers = ["--moves", "numbers"];
    assert_eq!(
        outcome(dir.path(), &numbers, NEAR, "echo R").0,
        "no answer found"
    );
    assert_eq!(
        outcome(dir.path(), &numbers, NEAR, "echo Path: [8]").0,
        "optimal"
    );
    for (script, expected) in [
        ("echo 'Solution: U, U… (1 moves)'", "no answer found"),
        ("echo 1. Right; echo 1 move", "optimal"),
    ] {
        assert_eq!(
            outcome(dir.path(), &[], NEAR, script).0,
            expected,
            "{script}"
        );
    }
    for (script, expected) in [
        ("echo -1", "unsolvable (rightly said)"),
        ("echo None", "unsolvable (rightly said)"),
        ("echo FileNotFoundError: no path given", "no answer found"),
        ("echo No solution", "unsolvable (rightly said)"),
        ("echo unsolvable; exit 1", "unsolvable (rightly said)"),
        ("echo R", "does not reach the goal"),
        ("echo length: 20", "impossible: the board is unsolvable"),
    ] {
        assert_eq!(
            outcome(dir.path(), &[], UNSOLVABLE, script).0,
            expected,
            "{script}"
        );
    }
}

#[test]
fn time_memory_and_output_have_limits() {
    let dir = built();
    let start = Instant::now();
    for (options, script, expected) in [
        (["--timeout", "300ms"], "sleep 60", "timeout"),
        (
            ["--timeout", "300ms"],
            "trap '' TERM INT HUP; echo R; while :; do sleep 60; done",
            "timeout",
        ),
        (["--timeout", "300ms"], "kill -STOP $$", "timeout"),
        (["--timeout", "300ms"], "exec >&- 2>&-; sleep 60", "timeout"),
        (
            ["--memory", "64MiB"],
            "x=12345678; while :; do x=$x$x; done",
            "out of memory",
        ),
        // Each process is within the limit, and all of them are not.
        (
            ["--memory", "24MiB"],
            "x=12345678; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do x=$x$x; \
             [ ${#x} -gt 4000000 ] && break; done; \
             for i in 1 2 3 4 5 6 7 8; do (y=z$x; sleep 60; echo $y) & done; wait",
            "out of memory",
        ),
        (["--timeout", "20s"], "yes", "too much output"),
        (
            ["--timeout", "20s"],
            "yes R; echo $1 >&2",
            "too much output",
        ),
        (
            ["--timeout", "20s"],
            "yes flood | head -c 30000000 >&2; echo R",
            "optimal",
        ),
        (
            ["--timeout", "20s"],
            "i=0; while [ $i -lt 600 ]; do setsid sleep 60 & i=$((i+1)); done; wait",
            "too many processes",
        ),
        // The command has ended, and somebody still holds its pipe.
        (["--timeout", "20s"], "sleep 60 & echo R", "optimal"),
    ] {
        assert_eq!(
            outcome(dir.path(), &options, NEAR, script).0,
            expected,
            "{script}"
        );
    }
    assert!(
        start.elapsed() < Duration::from_secs(40),
        "nobody waits for a minute's sleep"
    );
}

#[test]
fn the_memory_of_the_shortest_program_is_known() {
    let dir = built();
    let ran = graded(dir.path(), &["--report", "json"], NEAR, "echo R");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
    let memory = report["boards"][0]["memory_bytes"].as_u64().unwrap();
    assert!((500_000..32_000_000).contains(&memory), "{memory}");
}

/// The processes that wrote their number into `dir`, and which of them are still there.
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

/// A shell command that notes its number and does not end by itself, or by a polite signal.
const STAYS: &str =
    r#"sh -c 'trap "" TERM INT HUP; : > "$0/$$"; while :; do sleep 60; done' "$PIDS""#;

#[test]
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
            "2s",
            "--",
            "sh",
            "-c",
            &script,
        ]);
        let ran: Ran = command.env("PIDS", &pids).output().unwrap().into();
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
        "5s",
        "--report",
        "json",
        "--boards",
    ]);
    command
        .arg(boards_file)
        .args(["--", "sh", "-c", script, "solver", "{board}"]);
    let ran: Ran = command.env("PIDS", &pids).output().unwrap().into();
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

#[test]
fn ctrl_c_ends_everything() {
    let dir = built();
    let pids = dir.path().join("pids");
    std::fs::create_dir(&pids).unwrap();
    let script = format!("(setsid {STAYS} &) & {STAYS}");
    let mut command = puzzledb(dir.path());
    command.args(["grade", "--jobs", "2", "--", "sh", "-c", &script]);
    command
        .env("PIDS", &pids)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while left(&pids).0 < 4 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let interrupt = ["-INT", &child.id().to_string()].map(str::to_owned);
    assert!(
        Command::new("kill")
            .args(interrupt)
            .status()
            .unwrap()
            .success()
    );
    let ran: Ran = child.wait_with_output().unwrap().into();
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
    command.args(["grade", "--report", "csv", "--timeout", "60s", "--boards"]);
    command.arg(boards);
    command.args(["--", "sh", "-c", &script, "solver", "{board}"]);
    command
        .env("PIDS", &pids)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while left(&pids).0 < 1 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut kill = Command::new("kill");
    let kill = kill.args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let ran: Ran = child.wait_with_output().unwrap().into();
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
fn an_answer_in_a_file_that_is_not_read_is_hinted_at() {
    let dir = built();
    let boards = dir.path().join("boards.txt");
    std::fs::write(&boards, NEAR).unwrap();
    let graded = |options: &[&str], script: &str| -> Ran {
        let mut command = puzzledb(dir.path());
        command
            .current_dir(dir.path())
            .args(["grade", "--boards", "boards.txt"]);
        command.args(options).args(["--", "sh", "-c", script]);
        command.output().unwrap().into()
    };
    let hint = "the program writes output.txt: --preset columbia reads its answer there";
    let writes = "sleep 0.05; echo \"path_to_goal: ['Right']\" > output.txt";
    for _ in 0..2 {
        // The second time the file is there before.
        let ran = graded(&[], writes);
        assert!(ran.err.contains(hint), "{ran:?}");
        let why = "it printed nothing; it wrote output.txt, which was not read";
        assert!(ran.out.contains(why), "{ran:?}");
    }
    for (options, script) in [
        (&[][..], "true"), // the file is there, and the program does not write it
        (&[], &format!("{writes}; echo R")),
        (&["--preset", "columbia"], writes),
    ] {
        let ran = graded(options, script);
        assert!(!ran.err.contains("output.txt"), "{script} {ran:?}");
    }
}

#[test]
fn a_long_output_takes_little_longer_than_the_time_for_a_board() {
    let dir = built();
    // 16 MiB, the most that may be printed.
    let script = "printf 'Path: '; head -c 16777210 /dev/zero | tr '\\0' ')'; sleep 60";
    let start = Instant::now();
    let ended = outcome(dir.path(), &["--timeout", "2s"], NEAR, script);
    assert_eq!(ended.0, "timeout");
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
    // What it printed is read within the time for a board and a second, as this build is slow and shares
    // the machine with other tests: were reading not linear, it would take hours.
    let start = Instant::now();
    let read = script.replace("; sleep 60", "");
    let ended = outcome(dir.path(), &["--timeout", "20s"], NEAR, &read);
    assert_eq!(ended.0, "no answer found");
    let time = start.elapsed();
    assert!(time < Duration::from_secs(21), "{time:?}");
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
    let ran: Ran = output.into();
    let bar = ran
        .out
        .split(['\r', '\n'])
        .find(|l| l.contains("2/3 boards"));
    let bar = bar.unwrap_or_else(|| panic!("{:?}", ran.out));
    assert!(
        bar.contains(", about 0s left") || bar.contains(", about 1s left"),
        "{bar:?}"
    );
}

#[test]
fn an_answer_can_be_in_the_file_that_the_columbia_course_asks_for() {
    let dir = built();
    let solver = dir.path().join("driver.sh");
    let script = "[ -e output.txt ] && exit 9\n[ $1 $2 = bfs1,2,3,4,5,6,7,0,8 ] || exit 8\n\
                  printf \"path_to_goal: ['Right']\\ncost_of_path: 1\\nnodes_expanded: 5\\n\" > output.txt\n";
    std::fs::write(&solver, script.replace("$1 $2", "$1$2")).unwrap();
    let boards = dir.path().join("boards.txt");
    std::fs::write(&boards, format!("{NEAR}\n{NEAR}\n")).unwrap();
    let mut command = puzzledb(dir.path());
    command.current_dir(dir.path()).args([
        "grade",
        "--preset",
        "columbia",
        "--boards",
        "boards.txt",
    ]);
    command.args(["--", "sh", "driver.sh", "bfs", "{board:commas}"]);
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let jobs = ["grade", "--preset", "columbia", "--jobs", "2", "--", "true"];
    assert_eq!(run(dir.path(), &jobs).code, Some(2));
}

/// Programs that read the board from a file or from standard input, and print it back with its lines
/// joined by `|` and its words by `-`. Their own output is read as no answer, and is in the report.
#[test]
fn a_pattern_says_where_the_answer_is() {
    let dir = tempfile::tempdir().unwrap();
    let answer = ["--answer", "way: (.*)"];
    for (board, script, expected) in [
        (
            NEAR,
            "echo path: UL; echo way: L; echo way: R; echo 31",
            "optimal",
        ),
        (NEAR, "echo way: U", "does not reach the goal"),
        (NEAR, "echo R", "no answer found"),
        (
            UNSOLVABLE,
            "echo path: UL; echo no solution",
            "unsolvable (rightly said)",
        ),
    ] {
        let (told, _) = outcome(dir.path(), &answer, board, script);
        assert_eq!(told, expected, "{script}");
    }
}

#[test]
fn a_program_can_number_the_blank_otherwise() {
    let script = r#"test "$0/$1" = "012384675/0 1 2 3 4 5 6 7 8" && echo 4 5"#;
    let arguments = [
        "--boards",
        "-",
        "--",
        "sh",
        "-c",
        script,
        "{board}",
        "{goal:spaced}",
    ];
    let dir = tempfile::tempdir().unwrap();
    let ran = run_with_input(
        dir.path(),
        &[&["grade", "--blank", "8"], &arguments[..]].concat(),
        b"0 1 2 3 8 4 6 7 5\n",
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn a_board_can_be_in_a_file_or_on_standard_input_in_several_forms() {
    let dir = built();
    let temporary = dir.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let show = "cat $1 | tr '\\n ' '|-' | sed 's/^/saw:/'; case $1 in /*) [ -f $1 ];; esac";
    for (options, place, seen) in [
        (&[][..], "{board:file}", "saw:123456708|"),
        (&[], "{board:file:spaced}", "saw:1-2-3-4-5-6-7-0-8|"),
        (&[], "{board:file:rows}", "saw:1-2-3|4-5-6|7-0-8|"),
        (&[], "{board:file:size-first}", "saw:3|1-2-3|4-5-6|7-0-8|"),
        (&[], "{goal:file:rows}", "saw:1-2-3|4-5-6|7-8-0|"),
        (&["--stdin", "plain"], "-", "saw:123456708|"),
        (&["--stdin", "commas"], "-", "saw:1,2,3,4,5,6,7,0,8|"),
        (&["--stdin", "rows"], "-", "saw:1-2-3|4-5-6|7-0-8|"),
        (&["--stdin", "size-first"], "-", "saw:3|1-2-3|4-5-6|7-0-8|"),
    ] {
        let boards = dir.path().join("boards.txt");
        std::fs::write(&boards, NEAR).unwrap();
        let mut command = puzzledb(dir.path());
        command.args(["grade", "--report", "json", "--boards"]);
        command.arg(boards).args(options);
        // With the board in an argument, standard input has it only if that is asked for.
        command.args(["--", "sh", "-c", show, "solver", place, "{board}"]);
        let ran: Ran = command.env("TMPDIR", &temporary).output().unwrap().into();
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
        let said = report["boards"][0]["said"].as_str().unwrap();
        assert_eq!(said, seen, "{options:?} {place} {ran:?}");
        let left = std::fs::read_dir(&temporary).unwrap().count();
        assert_eq!(left, 0, "{place}");
    }
    let refused = run(dir.path(), &["grade", "--stdin", "row", "--", "true"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("they are plain, spaced"),
        "{}",
        refused.err
    );
}

#[test]
fn bad_usage_is_told_before_anything_runs() {
    let dir = built();
    for (args, message) in [
        (
            &["--", "no-such-solver"][..],
            "cannot start no-such-solver: No such file",
        ),
        (&["--", "/"], "cannot start /: Permission denied"),
        (
            &["--", "echo", "{board:tiles}"],
            "there is no {board:tiles}",
        ),
        (&["--timeout", "soon", "--", "true"], "\"soon\" is no time"),
        (&["--memory", "0", "--", "true"], "\"0\" is too little"),
        (
            &["--boards", "/no/such/file", "--", "true"],
            "cannot read /no/such/file",
        ),
        (
            &["--boards", "/dev/zero", "--", "true"],
            "/dev/zero is larger than",
        ),
        (
            &["--sample", "200000", "--", "true"],
            "only 181440 boards fit",
        ),
        (
            &["--output", "/no/such/folder/x", "--", "true"],
            "cannot write /no/such/folder/x",
        ),
        (&["--sample", "3"], "<CMD>"),
    ] {
        let ran = run(dir.path(), &[&["grade"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
    let bad = run_with_input(
        dir.path(),
        &["grade", "--boards", "-", "--", "true"],
        b"123456780\nx\n",
    );
    assert!(
        bad.code == Some(2) && bad.err.contains("-: line 2: "),
        "{}",
        bad.err
    );
}
