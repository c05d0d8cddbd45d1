//! Promise: the helps and the manual wrap once, and every example in them runs.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::run::{built, puzzledb, run};

/// The names of all commands that the help shows.
fn commands(dir: &Path) -> Vec<String> {
    let help = run(dir, &["--help"]).out;
    let (commands, _) = help.split_once("Options:\n").unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

fn help(dir: &Path, command: &str, columns: usize) -> String {
    let mut help = puzzledb(dir);
    help.args([command, "--help"])
        .env("COLUMNS", columns.to_string());
    String::from_utf8(help.output().unwrap().stdout).unwrap()
}

#[test]
fn helps_are_wrapped_once_at_every_width() {
    let dir = tempfile::tempdir().unwrap();
    let commands = commands(dir.path());
    assert!(commands.len() >= 16, "{commands:?}");
    let mut stubs = Vec::new();
    for command in &commands {
        for columns in [80, 100, 120] {
            let help = help(dir.path(), command, columns);
            let lines: Vec<&str> = help.lines().collect();
            let indent = |line: &str| line.len() - line.trim_start().len();
            for around in lines.windows(3) {
                let [before, stub, after] = around else {
                    unreachable!()
                };
                let is_text = around.iter().all(|line| !line.trim().is_empty());
                let is_item =
                    stub.trim_start().starts_with(['-', '[']) || indent(after) > indent(stub);
                if is_text
                    && !is_item
                    && before.len() > columns.min(100) * 3 / 4
                    && stub.trim().len() < 25
                    && indent(stub) == indent(after)
                    && !after.trim_start().starts_with(['-', '['])
                {
                    stubs.push(format!("{command} at {columns}: {stub:?} after {before:?}"));
                }
            }
            let examples = |line: &&&str| line.trim_start().starts_with("puzzledb ");
            let wide = lines
                .iter()
                .filter(|line| !examples(line))
                .map(|line| line.chars().count());
            assert!(
                wide.max() <= Some(columns.min(100)),
                "{command} at {columns}"
            );
        }
    }
    assert!(stubs.is_empty(), "{stubs:#?}");
}

#[test]
#[ignore = "full run"]
fn every_page_of_the_manual_is_printed_without_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let pages = run(dir.path(), &["man"]).out;
    let commands = commands(dir.path());
    for command in commands.iter().filter(|command| *command != "help") {
        let title = format!(".TH puzzledb-{command} 1");
        assert!(pages.contains(&title), "{title}");
        let page = dir.path().join(command);
        std::fs::write(&page, run(dir.path(), &["man", command]).out).unwrap();
        let mut man = Command::new("man");
        man.args(["--warnings", "-E", "UTF-8", "-l"]).arg(&page);
        let man = man.env("LC_ALL", "C.UTF-8").env("MANWIDTH", "80").output();
        let Ok(man) = man else {
            return eprintln!("not tested: there is no `man` command");
        };
        let warnings = String::from_utf8_lossy(&man.stderr);
        assert!(
            man.status.success() && warnings.is_empty(),
            "{command}: {warnings}"
        );
    }
}

/// Writes a program of the shell.
fn script(path: &Path, text: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[ignore = "full run"]
fn every_example_runs() {
    let dir = built();
    let home = dir.path();
    let bin = home.join("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_puzzledb"), bin.join("puzzledb")).unwrap();
    std::fs::write(home.join("boards.txt"), "704851632\n120483765\n").unwrap();
    std::fs::write(home.join("answers.csv"), "board,length\n704851632,19\n").unwrap();
    script(&home.join("solver"), "exec puzzledb solve \"$1\"");
    // The program that asks gets a line before the board, and one after it.
    let python =
        r#"case $1 in asks*) sed '1d;$d' | puzzledb solve;; *) exec puzzledb solve "$2";; esac"#;
    script(&bin.join("python3"), python);
    std::fs::create_dir(home.join("submissions")).unwrap();
    std::fs::write(home.join("submissions/a.py"), "").unwrap();
    script(&bin.join("java"), "exec puzzledb solve --boards \"$2\"");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut ran = 0;
    for command in commands(home) {
        let help = help(home, &command, 1000);
        let shown = help.lines().map(str::trim);
        let examples =
            shown.filter(|line| line.starts_with("puzzledb ") || line.contains("| puzzledb "));
        // Commands in sentences, unless a word of them stands for another.
        let in_text = help.split('`').skip(1).step_by(2).filter(|text| {
            let is_command = text.starts_with("puzzledb ") && text.split(' ').count() > 2;
            is_command && !text.contains("...")
        });
        for example in examples.chain(in_text) {
            let line = match command.as_str() {
                "serve" if !example.contains("--write") => format!("{example} --goal last"), // is refused when all else is read
                "play" => example.to_owned(),
                _ if example.contains("6-6-6-6") => format!("{example} --plan"), // takes 5 GB
                _ => example.to_owned(),
            };
            let mut shell = Command::new("sh");
            shell
                .args(["-c", &line])
                .current_dir(home)
                .stdin(std::process::Stdio::null());
            shell.env("PATH", &path).env("PUZZLEDB_DIR", home);
            let output = shell.output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            let expected = match command.as_str() {
                "serve" if !example.contains("--write") => {
                    err.contains("the server answers for any goal")
                }
                "play" => err.contains("play needs a terminal"),
                _ => output.status.success(),
            };
            assert!(expected, "{line}: {:?} {err}", output.status.code());
            ran += 1;
        }
    }
    assert!(ran >= 25, "only {ran} examples were found");
}
