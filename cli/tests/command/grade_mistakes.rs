//! Promise: a report says in a sentence what kind of mistake a program makes, with the simplest board that shows it, and
//! accuses no program on every board whose output speaks against that.

use std::path::Path;

use serde_json::Value;

use crate::run::{CommandResult, built, graded};

/// Boards of distances 1, 2, 4 and 19.
const BOARDS: &str = "123456708\n123406758\n023146758\n704851632\n";

/// A script that has the moves of a shortest solution in `$m`, and their number in `$n`.
fn script(rest: &str) -> String {
    let solver = env!("CARGO_BIN_EXE_puzzledb");
    format!(
        "set -- $1 $('{solver}' solve $1 --dir \"$PUZZLEDB_DIR\" | cut -f2,3); n=$2 m=$3; {rest}"
    )
}

fn graded_as(dir: &Path, options: &[&str], rest: &str) -> CommandResult {
    graded(dir, options, BOARDS, &script(rest))
}

/// The report of a program.
fn report(dir: &Path, options: &[&str], rest: &str) -> Value {
    let options = [&["--json", "--time", "2s"], options].concat();
    let ran = graded_as(dir, &options, rest);
    serde_json::from_str(&ran.out).expect(&ran.err)
}

#[test]
fn each_kind_of_mistake_has_its_sentence() {
    let dir = built();
    for (rest, kind, sentence) in [
        (
            "case $n in 19) exec sleep 60;; esac; echo $m",
            "no-end",
            "it does not end beyond distance 18: out of time on 1 of 4 \
            boards, and is never longer than optimal elsewhere; the simplest is 704851632 (distance 19): timeout",
        ),
        (
            "exit 3",
            "crashes",
            "it crashes on 4 of 4 boards; the simplest is 123456708 (distance 1): crash (exit code 3)",
        ),
        (
            "exit 0",
            "prints-nothing",
            "it prints nothing on 4 of 4 boards; the simplest is 123456708 (distance 1): no answer \
            found",
        ),
        (
            "echo hello world",
            "not-read",
            "it prints no answer that can be read on 4 of 4 boards; the simplest is 123456708 \
            (distance 1): no answer found",
        ),
        (
            "echo no solution",
            "wrongly-unsolvable",
            "it says that there is no solution on 4 of 4 boards, and there is one; the \
            simplest is 123456708 (distance 1): wrongly said unsolvable",
        ),
        (
            "case $n in 4|19) m=DUDU$m;; esac; echo Moves: $m",
            "greedy",
            "it is right up to distance 3, then too long on 100 % of \
            the boards, as a greedy search is; the simplest is 023146758 (distance 4): suboptimal +4",
        ),
        (
            "case $n in 2) m=UD$m;; esac; echo Moves: $m",
            "inadmissible-heuristic",
            "it is too long on 1 of 4 boards, as with an \
            inadmissible heuristic; the simplest is 123406758 (distance 2): suboptimal +2",
        ),
        (
            "echo Moves: $m | tr LR RL",
            "mirrored",
            "its moves are mirrored: with left and right exchanged they solve",
        ),
        (
            "echo Moves: $m; echo Length: $((n + 1))",
            "wrong-length",
            "it states another length than its path has on 4 of 4 \
            boards; the simplest is 123456708 (distance 1): wrong length: claims 2, path has 1",
        ),
        (
            "echo Length: $((n - 1))",
            "impossible-length",
            "it claims a length that no solution has on",
        ),
    ] {
        let report = report(dir.path(), &[], rest);
        let mistake = &report["summary"]["mistake"];
        assert_eq!(mistake["kind"], kind, "{rest}: {mistake}");
        let said = mistake["sentence"].as_str().unwrap();
        assert!(said.starts_with(sentence), "{rest}: {said}");
    }
    let right = report(dir.path(), &[], "echo Moves: $m");
    assert_eq!(right["summary"]["mistake"], Value::Null);
}

#[test]
fn every_report_has_the_sentence() {
    let dir = built();
    let sentence =
        "it crashes on 4 of 4 boards; the simplest is 123456708 (distance 1): crash (exit code 3)";
    for (form, line) in [
        ("text", format!("\nMistake: {sentence}\n")),
        ("html", format!("<p>Mistake: {sentence}</p>")),
        ("csv", format!(",{sentence}\n")),
    ] {
        let ran = graded_as(dir.path(), &["--format", form], "exit 3");
        assert_eq!(ran.out.matches(&line).count(), 1, "{form}: {}", ran.out);
    }
}

#[test]
fn the_same_accusation_on_every_board_is_withdrawn_where_the_outputs_speak_against_it() {
    let dir = built();
    // The moves in reverse are a list of the right length.
    let reversed = "echo Moves: $(echo $m | rev)";
    let boards = "704851632\n536407182\n";
    let ran = graded(dir.path(), &["--json"], boards, &script(reversed));
    let report: Value = serde_json::from_str(&ran.out).expect(&ran.err);
    assert_eq!(ran.code, Some(1));
    assert_eq!(report["summary"]["not_understood"], 2);
    assert_eq!(report["summary"]["mistake"]["kind"], "not-understood");
    assert_eq!(report["boards"][0]["outcome"], "form not understood");
    let why = report["boards"][0]["why"].as_str().unwrap();
    assert_eq!(
        why,
        "its form was not understood; there is a list with as many moves as a shortest solution"
    );
    let ran = graded(dir.path(), &[], boards, &script(reversed));
    let all = ran.out.lines().find(|line| line.trim().starts_with("all"));
    let cells: Vec<&str> = all.unwrap().split_whitespace().collect();
    assert_eq!(cells[..4], ["all", "2", "0", "-"], "{}", ran.out);
    // Where a person decides, the accusation stands.
    let held = graded(
        dir.path(),
        &["--read", "last", "--json"],
        boards,
        &script(reversed),
    );
    assert!(!held.out.contains("form not understood"), "{}", held.out);
}

#[test]
fn output_that_leaves_a_doubt_shows_its_readings_and_an_option_decides_once() {
    let dir = built();
    let says = "echo 'about 4 steps or so'; echo $m | sed 's/D/next Down\\n/g; s/U/now Up?\\n/g; s/L/go Left!\\n/g; \
                s/R/then Right\\n/g'";
    let boards = "023146758\n";
    let ran = graded(dir.path(), &[], boards, &script(says));
    let note = "what the program prints for 023146758 leaves a doubt; an option decides how it is read:\n  \
                as lines of moves: 4 moves, optimal    --read lines\n";
    assert!(ran.err.contains(note), "{ran:?}");
    let held = graded(dir.path(), &["--read", "lines"], boards, &script(says));
    assert_eq!(
        (held.code, held.err.as_str()),
        (Some(0), ""),
        "{}",
        held.out
    );
}
