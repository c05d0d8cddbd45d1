//! Promise: a grading's reports are whole, true and safe, whatever the program printed.
#![cfg(unix)]

use std::path::Path;

use crate::run::{CommandResult, built, graded, puzzledb};

/// Program that is right once, wrong once and crashes once, and prints markup and control characters.
const MIXED: &str = r#"case $1 in
    123456708) echo R;;
    123456780) printf '<script>alert("1")</script>]]>&\033[31m\001 LR\nsolution: LR\n';;
    123456870) echo 'Trace <back> & "more"' >&2; exit 1;;
esac"#;

fn mixed(dir: &Path, form: &str) -> String {
    let ran = graded(
        dir,
        &["--report", form],
        "123456780\n123456708\n123456870\n",
        MIXED,
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    ran.out
}

#[test]
fn the_text_says_what_would_have_been_right() {
    let dir = built();
    let text = mixed(dir.path(), "text");
    assert!(!text.contains(['\x1b', '\x01']), "{text:?}");
    for line in [
        "3 boards of 3x3, goal 123456780",
        "         1 optimal",
        "  123456780  suboptimal +2",
        "    why       2 moves where 0 do; move 1, L, is the first that leads away from the goal",
        "    moves     LR (read as blank)",
        "  123456870  crash (exit code 1)",
        "    errors    Trace <back> & \"more\"",
        "    right     the board cannot be solved",
    ] {
        assert!(
            text.lines().any(|l| l == line),
            "{line:?} is not in\n{text}"
        );
    }
}

#[test]
fn json_and_csv_have_a_row_for_each_board() {
    let dir = built();
    let report: serde_json::Value = serde_json::from_str(&mixed(dir.path(), "json")).unwrap();
    assert_eq!(report["summary"]["boards"], 3);
    assert_eq!(report["summary"]["right"], 1);
    assert_eq!(report["summary"]["mean_excess"], 1.0);
    assert_eq!(report["summary"]["by_outcome"]["crash"], 1);
    assert_eq!(
        report["summary"]["by_distance"][2]["distance"],
        serde_json::Value::Null
    );
    assert_eq!(report["boards"][0]["excess"], 2);
    assert_eq!(report["boards"][1]["path"], "R");
    assert_eq!(report["limits"]["memory_bytes"], 1 << 30);
    for name in ["seconds", "cpu_seconds"] {
        assert!(report["boards"][1][name].as_f64().unwrap() > 0.0, "{name}");
    }
    let csv = mixed(dir.path(), "csv");
    assert_eq!(csv.lines().count(), 4);
    assert!(
        csv.lines()
            .nth(1)
            .unwrap()
            .starts_with("123456780,0,suboptimal +2,false,2,2,LR,")
    );
    assert!(csv.contains("\"<script>alert(\"\"1\"\")</script>"), "{csv}");
    let tsv = mixed(dir.path(), "tsv");
    let row = "123456780\t0\tsuboptimal +2\tfalse\t2\t2\tLR\t";
    assert!(tsv.lines().count() == 3 && tsv.starts_with(row), "{tsv}");
}

#[test]
fn junit_is_what_continuous_integration_reads() {
    let dir = built();
    let xml = mixed(dir.path(), "junit");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let suites = document.root_element();
    assert_eq!(suites.tag_name().name(), "testsuites");
    let suite = suites.first_element_child().unwrap();
    assert_eq!(suite.tag_name().name(), "testsuite");
    for element in [suites, suite] {
        let counts =
            ["tests", "failures", "errors", "skipped"].map(|n| element.attribute(n).unwrap());
        assert_eq!(counts, ["3", "1", "1", "0"]);
        assert!(element.attribute("time").unwrap().parse::<f64>().unwrap() > 0.0);
    }
    let cases: Vec<_> = suite.children().filter(|n| n.is_element()).collect();
    assert_eq!(cases.len(), 3);
    for case in &cases {
        assert_eq!(case.tag_name().name(), "testcase");
        let attributes: Vec<&str> = case.attributes().map(|a| a.name()).collect();
        assert_eq!(attributes, ["classname", "name", "time"]);
    }
    let inside = |i: usize| cases[i].first_element_child();
    assert_eq!(inside(0).unwrap().tag_name().name(), "failure");
    assert_eq!(inside(0).unwrap().attribute("type"), Some("suboptimal"));
    assert!(
        inside(0)
            .unwrap()
            .text()
            .unwrap()
            .contains("<script>alert(\"1\")</script>]]>&[31m LR")
    );
    assert!(inside(1).is_none());
    assert_eq!(inside(2).unwrap().tag_name().name(), "error");
    assert!(
        inside(2)
            .unwrap()
            .attribute("message")
            .unwrap()
            .starts_with("crash (exit code 1)")
    );
}

#[test]
fn the_page_is_whole_and_runs_nothing() {
    let dir = built();
    let page = mixed(dir.path(), "html");
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let names = |name: &str| {
        document
            .descendants()
            .filter(|n| n.tag_name().name() == name)
            .count()
    };
    assert_eq!([names("script"), names("link"), names("img")], [0; 3]);
    assert_eq!(names("svg"), 2);
    assert_eq!(names("circle"), 3, "a dot for each board");
    assert_eq!(names("details"), 2, "each failure is told");
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"));
    assert!(
        !page.contains("http:") || page.matches("http:").count() == 2,
        "but for SVG's name"
    );
}

#[test]
fn a_report_can_go_to_a_file() {
    let dir = built();
    let file = dir.path().join("report.xml");
    let options = ["--report", "junit", "--output", file.to_str().unwrap()];
    let ran = graded(dir.path(), &options, "123456708", "echo R");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    assert!(ran.err.contains("1 of 1 board right"), "{}", ran.err);
    assert!(std::fs::read_to_string(file).unwrap().starts_with("<?xml"));
}

#[test]
fn the_page_for_teachers_shows_what_happens() {
    let readme = include_str!("../../../docs/grade.md");
    let block = readme.split("```text\n$ puzzledb grade ").nth(1).unwrap();
    let (args, shown) = block.split("```").next().unwrap().split_once('\n').unwrap();
    let dir = built();
    let mut command = puzzledb(dir.path());
    command.arg("grade").args(args.split_whitespace());
    let bin = Path::new(env!("CARGO_BIN_EXE_puzzledb")).parent().unwrap();
    let ran: CommandResult = command.env("PATH", bin).output().unwrap().into();
    // Times and memory, in the table's columns from 49 on, differ from run to run.
    let lasting = |text: &str| -> Vec<String> {
        let mut parts: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
        let rows = parts[1].lines().map(|row| row.chars().take(48).collect());
        parts[1] = rows.collect::<Vec<String>>().join("\n");
        parts
    };
    assert_eq!(lasting(&ran.out), lasting(shown));
}
