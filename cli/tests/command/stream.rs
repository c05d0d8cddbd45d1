//! Promise: boards from a file or a pipe are answered in order, as soon as they come, in bounded
//! memory; a bad line is reported with its number, and the rest are answered.

use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;

#[cfg(target_os = "linux")]
use crate::run::CommandResult;
use crate::run::{built, puzzledb, run, run_with_input};

#[test]
fn a_bad_line_is_reported_with_its_number_and_the_rest_go_on() {
    let dir = built();
    let input = b"704851632\n\nhello\n1 2 3 4 5 6 7 8 0\r\n70485\xff632\n123456870\n123456708";
    for args in [&["solve", "--input", "-"][..], &["solve"]] {
        let ran = run_with_input(dir.path(), args, input);
        assert_eq!(ran.code, Some(2));
        assert_eq!(
            ran.out,
            "704851632\t19\tRDDLLUURRDDLLUURRDD\n123456780\t0\t\n123456870\tunsolvable\t\n\
             123456708\t1\tR\n"
        );
        let errors: Vec<&str> = ran.err.lines().collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors[0].contains("line 3: 5 cells"), "{}", errors[0]);
        assert!(errors[1].contains("line 5: byte 6 is not UTF-8"));
    }
    let good = run_with_input(dir.path(), &["solve"], b"123456870\n123456708\n");
    assert_eq!(good.code, Some(1), "unsolvable, but no bad line");
}

/// Pipes whose other end has failed give no boards, and no silent success.
#[test]
fn an_input_without_a_board_is_an_error() {
    let dir = built();
    let file = dir.path().join("empty");
    std::fs::write(&file, "").unwrap();
    for args in [
        &["solve"][..],
        &["solve", "-"],
        &["solve", "--input", file.to_str().unwrap()],
        &["solve", "--json", "--threads", "2"],
    ] {
        let ran = run_with_input(dir.path(), args, b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(ran.err, "error: there is no board in this input\n");
    }
}

#[test]
fn a_file_can_be_one_board_over_several_lines() {
    let dir = built();
    let file = format!(
        "{}/../data/cos226/puzzle3x3-31.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let ran = run(dir.path(), &["solve", "--input", &file]);
    assert!(
        ran.out.starts_with("867254301\t31\t") && ran.code == Some(0),
        "{ran:?}"
    );
    let missing = run(dir.path(), &["solve", "--input", "/no/such/file"]);
    assert_eq!(missing.code, Some(2));
}

#[test]
fn every_thread_count_gives_the_same_lines_in_order() {
    let dir = built();
    let mut input = Vec::new();
    let generated = run(dir.path(), &["generate", "-n", "30000", "--seed", "5"]);
    input.extend(generated.out.bytes());
    input.extend(b"bad\n");
    input.extend(generated.out.bytes());
    let one = run_with_input(dir.path(), &["solve", "--threads", "1"], &input);
    assert_eq!(one.out.lines().count(), 60_000);
    assert!(one.err.contains("line 30001:"), "{}", one.err);
    let boards = generated.out.lines().chain(generated.out.lines());
    assert!(
        one.out
            .lines()
            .zip(boards)
            .all(|(line, board)| line.starts_with(board))
    );
    for threads in ["2", "7"] {
        assert_eq!(
            run_with_input(dir.path(), &["solve", "--threads", threads], &input),
            one
        );
    }
}

/// Peak memory of a child so far, in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(child: &std::process::Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "full run"]
fn a_gigabyte_without_a_newline_takes_little_memory_and_one_message() {
    let dir = built();
    let mut command = puzzledb(dir.path());
    command
        .args(["solve", "--threads", "2"])
        .stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let piece = vec![b'7'; 1 << 20];
    for _ in 0..1024 {
        stdin.write_all(&piece).unwrap();
    }
    stdin.write_all(b"\n704851632\n").unwrap();
    let peak = peak_kib(&child);
    drop(stdin);
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    // The program itself takes some 20 MiB of it where it is not optimised.
    assert!(peak < 40 << 10, "{peak} KiB");
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.starts_with("704851632\t19\t"), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.contains("line 1: longer than"), "{}", ran.err);
}

#[test]
fn answers_come_as_soon_as_lines_do() {
    let dir = built();
    for (args, answers) in [
        (&["solve"][..], ["\t1\tR", "\t0\t"]),
        (&["search", "--format", "tsv"], ["\t123456780\tastar\t"; 2]),
    ] {
        let mut command = puzzledb(dir.path());
        command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for (board, answer) in ["123456708", "123456780"].into_iter().zip(answers) {
            writeln!(stdin, "{board}").unwrap();
            let line = lines.next().unwrap().unwrap();
            assert!(line.starts_with(&format!("{board}{answer}")), "{line}");
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn one_board_that_is_piped_is_searched_as_one_that_is_named() {
    let dir = built();
    let named = run(dir.path(), &["search", "123456708"]);
    for piped in ["123456708\n", "1 2 3\n4 5 6\n7 0 8\n"] {
        let ran = run_with_input(dir.path(), &["search"], piped.as_bytes());
        let figures = |out: &str| {
            out.split('\t')
                .take(12)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(figures(&ran.out), figures(&named.out), "{ran:?}");
    }
}

#[test]
fn a_bad_first_line_is_reported_as_soon_as_it_comes() {
    let dir = built();
    let mut command = puzzledb(dir.path());
    command
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"solve this!\n").unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(errors.next().unwrap().unwrap().contains("line 1: "));
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let dir = built();
    let binary = env!("CARGO_BIN_EXE_puzzledb");
    let boards = run(dir.path(), &["generate", "-n", "100000"]).out;
    let file = dir.path().join("boards.txt");
    std::fs::write(&file, boards).unwrap();
    for command in [
        format!("{binary} solve --input {}", file.display()),
        format!("{binary} generate -n 100000"),
        format!("{binary} solve --all 647850321"),
        format!("{binary} stats"),
        format!("{binary} man"),
        format!("{binary} completions bash"),
    ] {
        let script = format!("{{ {command}; echo $? >&3; }} 3>&2 2>/dev/null | head -1 >/dev/null");
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("PUZZLEDB_DIR", dir.path())
            .output()
            .unwrap();
        let code = String::from_utf8(output.stderr).unwrap();
        assert_eq!(code, "0\n", "{command}");
    }
}
