//! Promise: the commands of the README, the handbook and the pages beside it print the output shown there, on a terminal or, after
//! `| cat`, to another program.

use std::path::{Path, PathBuf};

use crate::run::{built, run};

fn top(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn text(path: &str) -> String {
    std::fs::read_to_string(top(path)).unwrap()
}

fn readme() -> String {
    text("README.md")
}

fn handbook() -> String {
    text("docs/handbook.md")
}

/// All pages.
fn pages() -> String {
    let pages = [
        "learn",
        "grade",
        "research",
        "games",
        "how-it-works",
        "large",
    ];
    let pages = pages.map(|page| text(&format!("docs/{page}.md")));
    readme() + &handbook() + &pages.concat()
}

/// Commands of the `console` blocks that run the program, each with the output shown.
fn sessions(page: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => {
                    let command = command.replace("cargo run --release --", "puzzledb");
                    sessions.push((command, String::new()));
                }
                None => {
                    let shown = &mut sessions.last_mut().unwrap().1;
                    shown.push_str(line);
                    shown.push('\n');
                }
            }
        }
    }
    sessions.retain(|(command, shown)| {
        let runs = command.starts_with("puzzledb ");
        assert!(runs || shown.is_empty(), "{command} is not tested");
        runs
    });
    sessions
}

/// Returns whether the output is as shown, where a line `…` stands for any lines, and `…` within a line for any
/// characters.
fn is_shown(out: &str, shown: &str) -> bool {
    let [out, shown] = [out, shown].map(|text| text.lines().collect::<Vec<_>>());
    let parts: Vec<&[&str]> = shown.split(|&line| line == "…").collect();
    let [first, middle @ .., last] = &parts[..] else {
        return is_same(&out, &shown);
    };
    if out.len() < first.len() + last.len() {
        return false;
    }
    let (begin, rest) = out.split_at(first.len());
    let (mut rest, end) = rest.split_at(rest.len() - last.len());
    let found = middle.iter().all(|part| {
        let found = (0..=rest.len().saturating_sub(part.len()))
            .find(|&at| is_same(&rest[at..rest.len().min(at + part.len())], part));
        rest = found.map_or(rest, |at| &rest[at + part.len()..]);
        found.is_some()
    });
    found && is_same(begin, first) && is_same(end, last)
}

fn is_same(out: &[&str], shown: &[&str]) -> bool {
    let is_line = |(out, shown): (&&str, &&str)| match shown.split_once('…') {
        Some((begin, end)) => out
            .strip_prefix(begin)
            .is_some_and(|out| out.ends_with(end)),
        None => out == shown,
    };
    out.len() == shown.len() && out.iter().zip(shown).all(is_line)
}

#[test]
fn lines_may_be_left_out_only_where_that_is_said() {
    assert!(is_shown("a\nb\nc\n", "a\nb\nc\n"));
    assert!(is_shown("a\nb\nc\n", "…\nb\n…\n"));
    assert!(is_shown("a\nb\nc\n", "a\n…\nc\n"));
    assert!(!is_shown("a\nb\nc\n", "a\nb\n"));
    assert!(!is_shown("a\nb\nc\n", "a\n…\nb\n"));
    assert!(!is_shown("a\nb\nc\n", "…\nc\n…\nb\n…\n"));
    assert!(!is_shown("a\nb\nc\n", "b\n…\n"));
    assert!(!is_shown("a\nb\n", "a\nd\n…\n"));
    assert!(!is_shown("length\t102\n", "length\t104\n"));
    assert!(!is_shown("a\n", "a\n…\na\n"));
    assert!(is_shown("made in 2 ms\n", "made in … ms\n"));
    assert!(!is_shown("made in ms\n", "made in … ms\n"));
    assert!(!is_shown("built in 2 ms\n", "made in … ms\n"));
}

#[test]
fn every_command_prints_to_a_program_what_is_shown() {
    let dir = built();
    let mut ran = 0;
    for (command, shown) in sessions(&pages()) {
        if let Some(command) = command.strip_suffix(" | cat") {
            let args: Vec<&str> = command
                .split_whitespace()
                .skip(1)
                .map(|word| word.trim_matches('\''))
                .collect();
            let out = run(dir.path(), &args).out;
            assert!(is_shown(&out, &shown), "{command} prints\n{out}");
            ran += 1;
        }
    }
    assert!(ran >= 3, "only {ran} commands were found");
}

#[cfg(target_os = "linux")]
mod on_a_terminal {
    use std::io::Read;
    use std::num::NonZeroU16;
    use std::path::Path;

    use pty_process::Size;
    use pty_process::blocking::{Command, open};

    use super::{is_shown, pages, sessions, top};

    /// Rows and columns: enough for every output, so that nothing scrolls or wraps.
    const SIZE: (u16, u16) = (200, 200);

    /// The text that a terminal has on its screen after these bytes.
    fn screen(bytes: &[u8]) -> String {
        let (rows, columns) = SIZE;
        let [rows, columns] = [rows, columns].map(|side| NonZeroU16::new(side).unwrap());
        let mut parser = vt100::Parser::new(rows, columns, 0);
        parser.process(bytes);
        parser.screen().contents()
    }

    /// Runs a line of the shell in a terminal of its own, where `puzzledb` is on the path and `home` is the home folder
    /// and the one that it runs in.
    fn shown_by(home: &Path, command: &str) -> String {
        let (mut pty, end) = open().unwrap();
        pty.resize(Size::new(SIZE.0, SIZE.1)).unwrap();
        let bin = Path::new(env!("CARGO_BIN_EXE_puzzledb")).parent().unwrap();
        let mut path = bin.as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let shell = Command::new("sh")
            .args(["-c", command])
            .current_dir(home)
            .env("PATH", path)
            .env("HOME", home)
            .env("TERM", "xterm");
        let unset = ["PUZZLEDB_DIR", "XDG_DATA_HOME", "NO_COLOR", "CLICOLOR"];
        let shell = unset.into_iter().fold(shell, Command::env_remove);
        let mut child = shell.spawn(end).unwrap();
        let mut bytes = Vec::new();
        let _ = pty.read_to_end(&mut bytes); // ends with an error when the shell is gone
        child.wait().unwrap();
        screen(&bytes).replace(home.to_str().unwrap(), "/home/you")
    }

    #[test]
    fn every_command_prints_what_is_shown() {
        let home = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(top("tests"), home.path().join("tests")).unwrap();
        let mut ran = 0;
        for (command, shown) in sessions(&pages()) {
            if command.ends_with(" | cat") {
                continue;
            }
            let out = shown_by(home.path(), &command);
            let shown = screen(shown.replace('\n', "\r\n").as_bytes());
            assert!(is_shown(&out, &shown), "{command} prints\n{out}");
            ran += 1;
        }
        assert!(ran >= 10, "only {ran} commands were found");
    }
}

#[test]
fn every_command_is_in_the_table() {
    let help = run(built().path(), &["--help"]).out;
    let (commands, _) = help.split_once("Options:\n").unwrap();
    let named = commands
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let named: Vec<&str> = named.collect();
    assert_eq!(named.len(), 17, "{named:?}");
    let readme = readme();
    let rows = readme.lines().filter(|line| line.starts_with("| `"));
    let first: Vec<&str> = rows.filter_map(|row| row.split(" | ").next()).collect();
    for name in named {
        let name = format!("`{name}`");
        assert!(first.iter().any(|cell| cell.contains(&name)), "{name}");
    }
}

#[test]
fn the_pictures_are_those_that_the_tool_makes() {
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made.svg");
    for (command, picture) in [
        (&["stats"][..], "data/histogram-3x3.svg"),
        (&["solve", "536407182"], "data/solve.svg"),
    ] {
        run(
            dir.path(),
            &[command, &["--svg", made.to_str().unwrap()]].concat(),
        );
        let shown = std::fs::read(top(picture)).unwrap();
        assert_eq!(std::fs::read(&made).unwrap(), shown, "{picture}");
    }
}

#[test]
fn the_sizes_are_true() {
    use puzzledb::table::Encoding;
    let handbook = handbook();
    for (rows, cols, encoding, size) in [
        (3, 3, Encoding::Full, "167,976"),
        (3, 3, Encoding::Bit, "28,680"),
        (2, 5, Encoding::Full, "1,823,168"),
        (2, 5, Encoding::Bit, "233,528"),
    ] {
        let bytes = crate::bytes::database(rows, cols, encoding).len();
        assert_eq!(size.replace(',', ""), bytes.to_string());
        assert!(handbook.contains(size), "{size}");
    }
}

#[test]
fn every_dependency_is_declared_with_its_reason() {
    let manifests = [
        include_str!("../../../Cargo.toml"),
        include_str!("../../../benches/Cargo.toml"),
        include_str!("../../Cargo.toml"),
    ];
    let mut section = "";
    let mut count = 0;
    for line in manifests.iter().flat_map(|manifest| manifest.lines()) {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        } else if section.ends_with("dependencies")
            && let Some((name, declared)) = line.split_once('=')
            && !line.starts_with('#')
        {
            let reason = declared.split_once('#').map_or("", |(_, reason)| reason);
            assert!(
                reason.trim().len() > 5,
                "{name} has no reason in Cargo.toml"
            );
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} dependencies were found");
}
