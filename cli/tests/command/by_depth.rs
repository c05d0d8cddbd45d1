//! Promise: `search --by depth` makes the textbook's table.

use serde_json::Value;

use crate::run::{built, run};

/// A table of means by depth, as JSON lines.
fn table(args: &[&str]) -> Vec<Value> {
    let dir = built();
    let by_depth = ["search", "--by", "depth", "--seed", "1", "--json"];
    let ran = run(dir.path(), &[&by_depth, args].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Russell and Norvig's figure of the nodes that breadth-first search and A* generate, and of b*. Their boards are
/// others; A* varies much from board to board.
#[test]
fn the_published_table_comes_out() {
    let published = include_str!("../../../data/aima-4ed-fig3.26.csv");
    let depths = ["--depths", "6..14", "--per-depth", "100"];
    let bfs = table(&[&["-a", "bfs"], &depths[..]].concat());
    let by_heuristics = [
        "-a",
        "astar",
        "--heuristics",
        "misplaced,manhattan",
        "--ties",
        "shallow",
    ];
    let astar = table(&[&by_heuristics, &depths[..]].concat());
    let mut compared = 0;
    for row in published
        .lines()
        .filter(|row| row.starts_with(|c: char| c.is_ascii_digit()))
    {
        let row: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        let columns = [
            ("bfs", 1, 0.08),
            ("astar misplaced", 2, 0.25),
            ("astar manhattan", 3, 0.25),
        ];
        for (method, column, tolerance) in columns {
            let is_it =
                |found: &&Value| found["depth"] == row[0] as u64 && found["method"] == method;
            let Some(found) = bfs.iter().chain(&astar).find(is_it) else {
                continue;
            };
            let near = |name: &str, published: f64, tolerance: f64| {
                let value = found[name].as_f64().unwrap();
                assert!(
                    (value / published - 1.0).abs() < tolerance,
                    "{found}, not {published}"
                );
            };
            near("generated", row[column], tolerance);
            near("branching", row[column + 3], 0.04);
            assert_eq!(found["solved"], found["boards"]);
            compared += 1;
        }
    }
    assert_eq!(compared, 15);
}

#[test]
fn it_is_a_line_a_depth_for_people_and_as_markdown() {
    let dir = built();
    let search = |form: &str| {
        let args = [
            "search",
            "--by",
            "depth",
            "-a",
            "ids,astar",
            "--depths",
            "2..4",
            "--per-depth",
            "3",
        ];
        run(
            dir.path(),
            &[&args[..], &["--seed", "1", "--format", form]].concat(),
        )
        .out
    };
    let text = search("text");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split("  ").collect())
        .collect();
    assert_eq!(lines.len(), 4);
    assert!(
        text.starts_with("depth  boards  ") && text.contains("b* astar manhattan"),
        "{text}"
    );
    let markdown = search("markdown");
    assert_eq!(
        markdown.lines().nth(1),
        Some("| ---: | ---: | ---: | ---: | ---: | ---: |")
    );
    let of_4 = markdown.lines().last().unwrap();
    assert!(of_4.starts_with("| 4 | 3 | "), "{of_4}");
    assert_eq!(
        search("csv").lines().next(),
        Some("depth,method,boards,solved,expansions,generated,branching")
    );
    let named = run(dir.path(), &["search", "--by", "depth", "704851632"]);
    assert_eq!(named.code, Some(2), "it draws its boards");
}

/// `data/tables.py` makes the tables and compares them. It is a part of the full run, which has Python.
#[test]
#[ignore = "full run"]
fn one_command_makes_three_published_tables_again() {
    let dir = built();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/tables.py");
    let ran = std::process::Command::new("python3")
        .args([script, env!("CARGO_BIN_EXE_puzzledb")])
        .args([dir.path().join("tables").to_str().unwrap(), "6..14"])
        .env("PUZZLEDB_DIR", dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{said}");
    assert_eq!(said.lines().count(), 3, "{said}");
}
