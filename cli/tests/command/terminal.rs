//! Promise: a person at a terminal sees the board drawn and the solution played, and Ctrl-C leaves
//! the terminal whole.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

use crate::run::{CommandResult, built, read_until, run};

/// Command on a terminal that script(1) makes.
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

/// Starts a [`terminal_command`]; `None` if there is no script(1).
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
    let Some(mut child) = on_terminal(dir.path(), "solve --animate --delay 36000000 123405786")
    else {
        return eprintln!("not tested: there is no `script` command");
    };
    let mut stdin = child.stdin.take().unwrap();
    let shown = read_until(child.stdout.as_mut().unwrap(), "move 0 of 2");
    stdin.write_all(b"\x03").unwrap(); // the next move would come after ten hours
    let ran: CommandResult = child.wait_with_output().unwrap().into();
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

/// Starts a command that runs for hours, reads these texts of its display, and ends it by Ctrl-C.
fn shown_until_interrupted(dir: &std::path::Path, args: &str, texts: &[&str]) {
    let Some(mut child) = on_terminal(dir, args) else {
        return eprintln!("not tested: there is no `script` command");
    };
    let mut stdin = child.stdin.take().unwrap();
    for text in texts {
        read_until(child.stdout.as_mut().unwrap(), text);
    }
    stdin.write_all(b"\x03").unwrap();
    let ran: CommandResult = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(130), "{ran:?}");
}

#[test]
#[ignore = "full run"]
fn a_long_search_shows_what_it_has_visited_and_proved() {
    let dir = tempfile::tempdir().unwrap();
    let search = "search g9038ocj527ifam4bld1hkne6 -a idastar";
    shown_until_interrupted(dir.path(), search, &["at least ", " moves, ", " boards, "]);
}

#[test]
fn a_search_for_better_solutions_shows_the_best_and_what_is_proved() {
    let dir = tempfile::tempdir().unwrap();
    let board = run(dir.path(), &["generate", "--shape", "6x6", "--seed", "1"]).out;
    let args = format!("solve --within 10h {}", board.trim());
    shown_until_interrupted(dir.path(), &args, &[" moves found, at least "]);
}

/// Name that clears the screen, turns the direction of text and begins another line.
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

/// Arguments that are not valid are named in the error of the parser and of the command, for every option.
#[cfg(unix)]
#[test]
fn arguments_are_shown_without_what_a_terminal_would_obey() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let odd = "a\x1b[2J\u{202e}\x07\r\n";
    let option = format!("--{odd}");
    let with_value = format!("--json={odd}");
    for args in [
        &[odd][..],
        &[&option],
        &["solve", &option],
        &["solve", "--shape", odd],
        &["solve", "--threads", odd],
        &["solve", "--moves", odd],
        &["solve", &with_value],
        &["solve", "704851632", "--input", "-", "--delay", odd],
        &["info", "a", odd],
        &["help", odd],
        &["--color", odd],
        &["build", "--patterns", odd],
        &["build", "--memory", odd],
        &["build", "--checkpoint-every", odd],
        &["completions", odd],
    ] {
        let ran = run(dir.path(), args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        let hidden = ['\x1b', '\u{202e}', '\x07', '\r'];
        assert!(!ran.err.contains(hidden), "{args:?}: {:?}", ran.err);
        let shown = ran.err.contains("a\\u{1b}[2J\\u{202e}\\u{7}\\u{d}\\u{a}");
        assert!(shown, "{args:?}: {:?}", ran.err);
    }
    let not_utf8 = std::ffi::OsStr::from_bytes(b"\xff\x1b[2J");
    for args in [&["solve"][..], &["solve", "--shape"], &[]] {
        let mut command = crate::run::puzzledb(dir.path());
        let ran: CommandResult = command.args(args).arg(not_utf8).output().unwrap().into();
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
        assert!(!ran.err.contains('\x1b'), "{args:?}: {:?}", ran.err);
    }
}
