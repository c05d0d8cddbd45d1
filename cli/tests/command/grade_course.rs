//! Promise: `grade --each` grades all submissions in a folder, each under its own limits, in one report.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::grade::{NEAR, UNSOLVABLE};
use crate::run::{CommandResult, puzzledb};

/// Submissions with names that a shell would split; the last is not in UTF-8.
const COURSE: [(&[u8], &str); 5] = [
    (b".hidden", "echo R"),
    (
        b"a b's \"{board}\".sh",
        "case $1 in *8) echo R;; *) echo unsolvable;; esac",
    ),
    (b"crash", "kill -SEGV $$"),
    (b"spin", "while :; do :; done"),
    (b"z<\xff>", "echo R"),
];

/// Grades the submissions on two boards.
fn graded(submissions: &[(&[u8], &str)], command: &str, options: &[&str]) -> CommandResult {
    let dir = tempfile::tempdir().unwrap();
    let course = dir.path().join("the course");
    std::fs::create_dir(&course).unwrap();
    for (name, script) in submissions {
        let path = course.join(OsStr::from_bytes(name));
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        let mode = if *name == b"crash" { 0o644 } else { 0o755 };
        std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    }
    let boards = dir.path().join("boards.txt");
    std::fs::write(&boards, format!("{NEAR}\n{UNSOLVABLE}\n")).unwrap();
    let mut grade = puzzledb(dir.path());
    grade.args(["grade", "--cpu", "200ms", "--time", "600s"]);
    grade.arg("--boards").arg(boards).args(options);
    grade.args(["--each", command]).arg(course);
    grade.output().unwrap().into()
}

/// The rows of a text without its figures: the name, and what stands after it.
fn rows(text: &str) -> Vec<(&str, &str)> {
    let table = text.lines().skip_while(|l| !l.starts_with("submission"));
    let column = |line: &'_ str| line.rfind("  ").unwrap();
    table
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| (line[..18].trim(), line[column(line)..].trim()))
        .collect()
}

#[test]
fn one_table_has_a_line_for_each_submission() {
    let ran = graded(&COURSE, "sh {submission} {board}", &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let head = "sh {submission} {board}\n4 submissions, each on 2 boards of 3x3, goal 123456780\n";
    assert!(ran.out.starts_with(head), "{}", ran.out);
    assert_eq!(
        rows(&ran.out),
        [
            (
                "a b's \"{board}\".sh",
                "1 optimal, 1 unsolvable (rightly said)"
            ),
            ("crash", "2 crash"),
            ("spin", "2 CPU timeout"),
            ("z<\u{fffd}>", "1 does not reach the goal, 1 optimal"),
        ]
    );
    let right = graded(&COURSE[..2], "sh '{submission}' {board}", &[]);
    assert_eq!(
        (right.code, rows(&right.out).len()),
        (Some(0), 1),
        "{right:?}"
    );
}

#[test]
fn a_submission_can_be_the_program_and_need_not_start() {
    let ran = graded(&COURSE, "{submission} {board}", &["--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.err);
    let submissions = report["submissions"].as_array().unwrap();
    let outcomes: Vec<_> = submissions
        .iter()
        .map(|report| report["boards"][0]["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(
        outcomes,
        ["optimal", "cannot be started", "CPU timeout", "optimal"]
    );
    assert_eq!(submissions[1]["submission"], "crash");
    assert_eq!(submissions[1]["summary"]["boards"], 2);
    let errors = submissions[1]["boards"][0]["errors"].as_str().unwrap();
    assert!(errors.contains("Permission denied"), "{errors}");
}

#[test]
fn every_report_has_all_submissions() {
    let all = |form| graded(&COURSE, "sh {submission} {board}", &["--format", form]).out;
    let csv = all("csv");
    let mut table = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(
        table.headers().unwrap().iter().take(2).collect::<Vec<_>>(),
        ["submission", "board"]
    );
    let names: Vec<_> = table
        .records()
        .map(|row| row.unwrap()[0].to_owned())
        .collect();
    assert_eq!(names.len(), 8);
    assert_eq!(
        names[..3],
        ["a b's \"{board}\".sh", "a b's \"{board}\".sh", "crash"]
    );
    let page = all("html");
    for (form, text, element, count) in [
        ("junit", &all("junit"), "testsuite", 4),
        ("html", &page, "details", 4 + 5),
    ] {
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        let document = roxmltree::Document::parse_with_options(text, options).unwrap();
        let found = document.descendants().filter(|n| n.has_tag_name(element));
        assert_eq!(found.count(), count, "{form}");
        assert!(text.contains("z&lt;\u{fffd}&gt;"), "{form}");
    }
    assert!(page.contains("<h1>1 of 4 submissions right</h1>"), "{page}");
    assert!(page.contains("<a href=\"#s2\">spin</a>") && page.contains("id=\"s2\""));
}
