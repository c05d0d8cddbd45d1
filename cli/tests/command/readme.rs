//! Promise: the README's commands print the output shown there.

use std::path::Path;

use crate::run::run;

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    std::fs::read_to_string(path).unwrap()
}

/// Commands of the README's `console` blocks, each with the output shown.
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

/// Returns whether the output is as shown, where a line `…` stands for any lines.
fn is_shown(out: &str, shown: &str) -> bool {
    let [out, shown] = [out, shown].map(|text| text.lines().collect::<Vec<_>>());
    let parts: Vec<&[&str]> = shown.split(|&line| line == "…").collect();
    let [first, middle @ .., last] = &parts[..] else {
        return out == shown;
    };
    let Some(mut rest) = out
        .strip_prefix(*first)
        .and_then(|rest| rest.strip_suffix(*last))
    else {
        return false;
    };
    middle.iter().all(|part| {
        let found = (0..=rest.len()).find(|&at| rest[at..].starts_with(part));
        rest = found.map_or(rest, |at| &rest[at + part.len()..]);
        found.is_some()
    })
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
        assert!(is_shown(&out, &shown), "{command} prints\n{out}");
        ran += 1;
    }
    assert!(ran >= 9, "only {ran} commands were found");
}

#[test]
fn the_picture_is_the_one_that_the_tool_makes() {
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made.svg");
    run(dir.path(), &["stats", "--svg", made.to_str().unwrap()]);
    let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/histogram-3x3.svg");
    assert_eq!(std::fs::read(made).unwrap(), std::fs::read(shown).unwrap());
}

#[test]
fn the_sizes_are_true() {
    use puzzledb::table::Encoding;
    let readme = readme();
    for (rows, cols, encoding, size) in [
        (3, 3, Encoding::Full, "167,976"),
        (3, 3, Encoding::Bit, "28,680"),
        (2, 5, Encoding::Full, "1,823,168"),
        (2, 5, Encoding::Bit, "233,528"),
    ] {
        let bytes = crate::bytes::database(rows, cols, encoding).len();
        assert_eq!(size.replace(',', ""), bytes.to_string());
        assert!(readme.contains(size), "{size}");
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
