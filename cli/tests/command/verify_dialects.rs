//! Promise: the output of other solvers is read as they print it, and the reading is named.

use crate::run::{built, run, run_with_input};

/// File, options, and the records expected.
const DIALECTS: [(&str, &str, &str); 19] = [
    (
        "array.json",
        "",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tnumbers\t\n\
         123456870\tunsolvable (rightly said)\tunsolvable\tunsolvable\t\t\n",
    ),
    ("berkeley.txt", "", "123405786\toptimal\t2\t2\tboards\t\n"),
    (
        "blank9.txt",
        "--blank 9",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tnumbers\t\n\
         123405786\toptimal\t2\t2\tboards\t\n",
    ),
    (
        "chatty.txt",
        "",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tblank\t\n\
         123456870\tunsolvable (rightly said)\tunsolvable\tunsolvable\t\t\n",
    ),
    (
        "columbia.txt",
        "--preset columbia --board 1,2,5,3,4,0,6,7,8 --goal first",
        "125340678\toptimal\t3\t3\tblank\t\n",
    ),
    (
        "counted-from-zero.txt",
        "--blank 8",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tnumbers\t\n",
    ),
    (
        "lines-boards.txt",
        "",
        "123405786\toptimal\t2\t2\tboards\t\n123405786\toptimal\t2\t2\tboards\t\n",
    ),
    (
        "lines-counts.txt",
        "",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tblank\t\n",
    ),
    (
        "lines-lengths.txt",
        "",
        "704851632\toptimal\t19\t19\t\t\n704851632\toptimal\t19\t19\t\t\n\
         536407182\toptimal\t22\t22\t\t\n638541720\toptimal\t28\t28\t\t\n\
         208135467\toptimal\t15\t15\t\t\n\
         123456870\tunsolvable (rightly said)\tunsolvable\tunsolvable\t\t\n",
    ),
    (
        "lines-lower.txt",
        "",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tblank\t\n",
    ),
    (
        "lines-tile-directions.tsv",
        "",
        "536407182\toptimal\t22\t22\ttile\t\n704851632\toptimal\t19\t19\ttile\t\n",
    ),
    (
        "lines-tile-directions.tsv",
        "--moves blank",
        "536407182\tdoes not reach the goal\t22\t22\tblank\t\n\
         704851632\tillegal at move 2\t19\t19\tblank\t2\n",
    ),
    (
        "lines-tile-numbers.txt",
        "",
        "208135467\toptimal\t15\t15\tnumbers\t\n120483765\toptimal\t6\t6\tnumbers\t\n",
    ),
    (
        "massey.csv",
        "--preset massey",
        "120483765\toptimal\t6\t6\tblank\t\n208135467\tsuboptimal +2\t15\t17\tblank\t2\n\
         704851632\toptimal\t19\t19\tblank\t\n536407182\toptimal\t22\t22\tblank\t\n",
    ),
    (
        "python-lists.csv",
        "",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tblank\t\n\
         123456870\tunsolvable (rightly said)\tunsolvable\tunsolvable\t\t\n",
    ),
    (
        "records.jsonl",
        "--from json",
        "704851632\toptimal\t19\t19\tblank\t\n120483765\toptimal\t6\t6\tblank\t\n\
         123405786\toptimal\t2\t2\tboards\t\n\
         123456870\tunsolvable (rightly said)\tunsolvable\tunsolvable\t\t\n",
    ),
    (
        // Each row has a goal of its own; the second's is of another class.
        "semicolons.csv",
        "--from csv",
        "125340678\toptimal\t3\t3\tblank\t\n134862705\toptimal\t5\t5\tblank\t\n\
         142305678\tsuboptimal +2\t2\t4\tblank\t3\n",
    ),
    (
        "steps.txt",
        "--from text",
        "123405786\toptimal\t2\t2\tboards\t\n",
    ),
    (
        "two-by-three.txt",
        "--shape 2x3",
        "123405\toptimal\t1\t1\tblank\t\n103425\toptimal\t2\t2\tblank\t\n",
    ),
];

#[test]
fn every_dialect_is_read_as_it_is_meant() {
    let dir = built();
    for (file, options, records) in DIALECTS {
        let path = format!("{}/../tests/dialects/{file}", env!("CARGO_MANIFEST_DIR"));
        let mut args = vec!["verify", &path];
        args.extend(options.split_whitespace());
        let ran = run(dir.path(), &args);
        assert_eq!(ran.out, records, "{file} {options}: {}", ran.err);
        let all_right = records
            .lines()
            .all(|l| l.contains("\toptimal") || l.contains("(rightly"));
        assert_eq!(ran.code, Some(i32::from(!all_right)), "{file}: {}", ran.err);
    }
}

#[test]
fn every_fixture_is_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/dialects");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(DIALECTS.iter().any(|(file, _, _)| *file == name), "{name}");
    }
}

#[test]
fn the_presets_say_what_they_need() {
    let dir = built();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/dialects");
    let columbia = format!("{folder}/columbia.txt");
    let ran = run(dir.path(), &["verify", &columbia, "--preset", "columbia"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--board"), "{}", ran.err);
    let ran = run(dir.path(), &["verify", &columbia, "--preset", "massey"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("not a table"), "{}", ran.err);
    // With another goal than the solver's, the same file is wrong.
    let board = ["--preset", "columbia", "--board", "125340678"];
    let ran = run(
        dir.path(),
        &[&["verify", &columbia][..], &board[..]].concat(),
    );
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("does not reach the goal"), "{}", ran.out);
}

#[test]
fn comments_and_a_broken_first_claim_do_not_hide_that_these_are_claims() {
    let dir = built();
    let verify = |options: &[&str], text: &str| {
        let args = [&["verify", "-"], options].concat();
        run_with_input(dir.path(), &args, text.as_bytes())
    };
    let comments = "# a line\n\n".repeat(70);
    for (header, claim) in [
        ("", "704851632 19\n"),
        ("board,length\n", "704851632,19\n"),
        ("", "{\"board\": \"704851632\", \"length\": 19}\n"),
    ] {
        let ran = verify(&[], &format!("{comments}{header}{claim}"));
        let expected = "704851632\toptimal\t19\t19\t\t\n";
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(0), expected),
            "{claim}: {}",
            ran.err
        );
    }
    let broken = verify(&[], "704851632 RDDLX\n");
    assert_eq!(broken.code, Some(2));
    let why = "line 1: \"RDDLX\" cannot be read as moves";
    assert!(broken.err.contains(why), "{}", broken.err);
    assert!(verify(&[], &comments).err.contains("there is no claim"));
}

#[test]
fn moves_are_held_to_the_notation_that_is_named() {
    let dir = built();
    for (moves, claim, code) in [
        ("numbers", "123405786 5 6", 0),
        ("numbers", "123405786 RD", 2),
        ("blank", "123405786 RD", 0),
        ("blank", "123405786 [5, 6]", 2),
        ("tile", "123405786 LU", 0),
        ("tile", "123405786\t2\t5 6", 2),
    ] {
        let args = ["verify", "-", "--moves", moves];
        let ran = run_with_input(dir.path(), &args, claim.as_bytes());
        assert_eq!(ran.code, Some(code), "{moves} {claim}: {}", ran.err);
        let refused = ran
            .err
            .contains(&format!("not written as --moves {moves} asks"));
        assert_eq!(refused, code == 2, "{}", ran.err);
    }
    let text = ["verify", "-", "--board", "123405786", "--moves", "numbers"];
    assert_eq!(
        run_with_input(dir.path(), &text, b"Path: RD\n").code,
        Some(2)
    );
    assert_eq!(
        run_with_input(dir.path(), &text, b"Path: 5 6\n").code,
        Some(0)
    );
}
