//! Promise: what the README shows is what happens.

use std::path::Path;

use crate::run::run;

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    std::fs::read_to_string(path).unwrap()
}

/// The commands of the README's `console` blocks, each with the output shown.
fn sessions(readme: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => sessions.push((command.to_owned(), String::new())),
                None => {
                    let shown = &mut sessions.last_mut().unwrap().1;
                    shown.push_str(line);
                    shown.push('\n');
                }
            }
        }
    }
    sessions
}

#[test]
fn every_command_prints_what_is_shown() {
    let home = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for (command, shown) in sessions(&readme()) {
        let Some(args) = command.strip_prefix("puzzledb ") else {
            continue; // cargo's own
        };
        let args: Vec<&str> = args.split_whitespace().collect();
        let out = run(home.path(), &args).out;
        let out = out.replace(
            home.path().to_str().unwrap(),
            "/home/you/.local/share/puzzledb",
        );
        assert_eq!(out, shown, "{command}");
        ran += 1;
    }
    assert!(ran >= 7, "only {ran} commands were found");
}

#[test]
fn the_picture_is_the_one_that_the_tool_makes() {
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made.svg");
    run(dir.path(), &["stats", "--svg", made.to_str().unwrap()]);
    let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/histogram-3x3.svg");
    assert_eq!(std::fs::read(made).unwrap(), std::fs::read(shown).unwrap());
}

#[test]
fn the_sizes_are_true() {
    use puzzledb::table::Encoding;
    let readme = readme();
    for (rows, cols, row) in [
        (3, 3, "| 3x3 | 164,144 bytes | 26,776 bytes |"),
        (2, 5, "| 2x5 | 1,821,664 bytes | 230,896 bytes |"),
    ] {
        assert!(readme.contains(row));
        let sizes =
            [Encoding::Full, Encoding::Bit].map(|e| crate::bytes::database(rows, cols, e).len());
        let digits: String = row.chars().filter(|c| c.is_ascii_digit()).collect();
        assert_eq!(digits, format!("{rows}{cols}{}{}", sizes[0], sizes[1]));
    }
}

#[test]
fn every_dependency_is_named_with_its_reason() {
    let readme = readme();
    let manifest = include_str!("../../Cargo.toml");
    let section = manifest
        .split("[dependencies]")
        .nth(1)
        .unwrap()
        .split("\n[")
        .next()
        .unwrap();
    for line in section.lines().filter(|line| line.contains('=')) {
        let name = line.split('=').next().unwrap().trim();
        assert!(line.contains('#'), "{name} has no reason in Cargo.toml");
        let named = |cell: &str| cell.split(", ").any(|crate_name| crate_name.trim() == name);
        let in_table = readme
            .lines()
            .any(|l| l.split('|').nth(1).is_some_and(named));
        assert!(in_table, "{name} is not in the README");
    }
}
