//! Promise: a person at a terminal sees the board drawn and the solution played, and Ctrl-C leaves
//! the terminal whole.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{CommandResult, built, read_until, run};

/// A command on a terminal that script(1) makes.
fn terminal_command(dir: &std::path::Path, args: &str) -> Command {
    let binary = format!("{} {args}", env!("CARGO_BIN_EXE_puzzledb"));
    let mut command = Command::new("script");
    command.args([
        "--quiet",
        "--return",
        "--flush",
        "--command",
        &binary,
        "/dev/null",
    ]);
    command
        .env("PUZZLEDB_DIR", dir)
        .env("TERM", "xterm")
        .env_remove("NO_COLOR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// As [`terminal_command`], started; `None` where there is no script(1).
fn on_terminal(dir: &std::path::Path, args: &str) -> Option<std::process::Child> {
    terminal_command(dir, args).spawn().ok()
}

#[test]
fn a_person_at_a_terminal_sees_the_board_drawn_and_the_solution_played() {
    let dir = built();
    let Some(child) = on_terminal(dir.path(), "solve 208135467") else {
        return eprintln!("not tested: there is no `script` command");
    };
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    for part in ["2 . 8", "15 moves", "3 optimal solutions", "\x1b[1m"] {
        assert!(ran.out.contains(part), "no {part:?} in {}", ran.out);
    }
    let mut plain = terminal_command(dir.path(), "solve 208135467");
    let ran: CommandResult = plain.env("NO_COLOR", "1").output().unwrap().into();
    assert!(
        ran.out.contains("15 moves") && !ran.out.contains('\x1b'),
        "{}",
        ran.out
    );
    let child = on_terminal(dir.path(), "solve --animate --delay 1 123405786").unwrap();
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("move 2 of 2"));
    let (hidden, shown) = (ran.out.find("\x1b[?25l"), ran.out.rfind("\x1b[?25h"));
    assert!(
        hidden.is_some() && hidden < shown,
        "the cursor is back: {:?}",
        ran.out
    );
}

#[test]
fn ctrl_c_ends_an_animation_and_leaves_the_terminal_whole() {
    let dir = built();
    let Some(mut child) = on_terminal(dir.path(), "solve --animate --delay 60000 123405786") else {
        return eprintln!("not tested: there is no `script` command");
    };
    let mut stdin = child.stdin.take().unwrap();
    let shown = read_until(child.stdout.as_mut().unwrap(), "move 0 of 2");
    let start = Instant::now();
    stdin.write_all(b"\x03").unwrap();
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(ran.code, Some(130), "{shown:?} {ran:?}");
    assert!(ran.out.trim_end().ends_with("\x1b[?25h"), "{:?}", ran.out);
}

#[test]
fn claims_are_shown_in_colours_with_the_move_that_loses_ground() {
    let dir = built();
    let file = dir.path().join("claims.txt");
    std::fs::write(&file, "120483765 DDUDLURD\n120483765 6\n").unwrap();
    let Some(child) = on_terminal(dir.path(), &format!("verify --fix {}", file.display())) else {
        return eprintln!("not tested: there is no `script` command");
    };
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    for part in [
        "\x1b[31msuboptimal +2\x1b[0m: move 3 loses ground, optimal is 6  (blank)",
        "DDLURD",
        "\x1b[32moptimal\x1b[0m",
        "2 claims: 1 right, 1 wrong",
    ] {
        assert!(ran.out.contains(part), "no {part:?} in {}", ran.out);
    }
}

#[test]
fn a_long_search_shows_what_it_has_visited_and_proved() {
    let dir = built();
    let args = "search fe8cab9d26513740 --goal first -a idastar --limit-time 1500ms";
    let Some(child) = on_terminal(dir.path(), args) else {
        return eprintln!("not tested: there is no `script` command");
    };
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let shown = ran.out.split("at least ").nth(1).unwrap_or_default();
    assert!(
        shown.contains(" moves, ") && shown.contains(" boards, "),
        "{:?}",
        ran.out
    );
    assert!(ran.out.contains("the limit of time"), "{:?}", ran.out);
}

#[test]
fn a_search_for_better_solutions_shows_the_best_and_what_is_proved() {
    let dir = tempfile::tempdir().unwrap();
    let board = run(dir.path(), &["generate", "--shape", "6x6", "--seed", "1"]).out;
    let args = format!("solve --within 2s {}", board.trim());
    let Some(child) = on_terminal(dir.path(), &args) else {
        return eprintln!("not tested: there is no `script` command");
    };
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains(" moves found, at least "), "{:?}", ran.out);
}

/// A name that clears the screen, turns the direction of text and begins another line.
#[cfg(unix)]
#[test]
fn names_of_files_are_shown_without_what_a_terminal_would_obey() {
    let dir = tempfile::tempdir().unwrap();
    let odd = dir.path().join("a\x1b[2J\u{202e}\n.pzdb");
    let odd = odd.to_str().unwrap();
    let shown = "a\\u{1b}[2J\\u{202e}\\u{a}.pzdb";
    std::fs::write(dir.path().join("bad"), "no database").unwrap();
    let bad = dir.path().join("b\x1b[2J\u{202e}");
    std::fs::rename(dir.path().join("bad"), &bad).unwrap();
    for (args, code) in [
        (&["build", "--output", odd][..], 0),
        (&["build", "--output", odd], 0),
        (&["info", odd], 0),
        (&["check", odd], 0),
        (&["build", "--shape", "2x3", "--output", odd], 3),
        (&["--db", odd, "probe", "--shape", "2x3", "123450"], 3),
        (&["info", bad.to_str().unwrap()], 3),
        (&["solve", "--input", "no\x1b[2J\u{202e}such"], 2),
        (&["audit", "--table", bad.to_str().unwrap()], 2),
        (&["audit", "--command", "echo 1 # \x1b[2J\u{202e}"], 2),
        (
            &[
                "build",
                "--patterns",
                "2-3",
                "--shape",
                "2x3",
                "--force",
                "--output",
                odd,
            ],
            0,
        ),
        (&["info", odd, "--shape", "2x3"], 0),
        (&["check", odd, "--shape", "2x3"], 0),
    ] {
        let ran = run(dir.path(), args);
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
        let text = ran.out + &ran.err;
        assert!(!text.contains(['\x1b', '\u{202e}']), "{args:?}: {text:?}");
        assert!(text.contains("\\u{1b}[2J\\u{202e}"), "{args:?}: {text:?}");
        assert!(
            !args.contains(&odd) || code == 3 || text.contains(shown),
            "{args:?}: {text:?}"
        );
    }
}
