//! Promise: an option has one name and one meaning in every command, and old names go on.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cli::json_of;
use crate::run::{built, run, run_with_input};

/// Runs a command line whose words are separated by spaces.
fn puzzledb(dir: &tempfile::TempDir, line: &str) -> crate::run::CommandResult {
    run(dir.path(), &line.split(' ').collect::<Vec<_>>())
}

#[test]
fn every_command_prints_its_records_in_each_form() {
    let dir = built();
    for line in [
        "apply 123405786 RD",
        "audit --heuristic misplaced",
        "build",
        "build --shape 2x3 --plan",
        "check",
        "check --quick",
        "stats --count --shape 2x3",
        "count --shape 2x3",
        "effort 536407182",
        "generate --count 2 --seed 1",
        "info",
        "probe 704851632",
        "search 704851632",
        "solve 704851632 638541720",
        "stats",
    ] {
        let form = |form: &str| {
            let ran = puzzledb(&dir, &format!("{line} --format {form}"));
            assert_eq!(ran.code, Some(0), "{line} {form}: {}", ran.err);
            ran.out
        };
        // Down a pipe every record is a line with tabs, but what a build says, and boards alone: apply and generate.
        if !["apply", "build", "generate"]
            .iter()
            .any(|plain| line.starts_with(plain))
        {
            let piped = puzzledb(&dir, line).out;
            let cells = |text: &str| {
                text.split('\t')
                    .take(9)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            assert!(cells(&piped).len() > 1, "{line}: {piped}");
            assert_eq!(cells(&piped), cells(&form("tsv")), "{line}");
        }
        let lines = form("json");
        if !line.contains("--plan") && !line.starts_with("search") {
            assert_eq!(
                lines,
                puzzledb(&dir, &format!("{line} --json")).out,
                "{line}"
            );
        }
        for record in lines.lines() {
            assert!(serde_json::from_str::<Value>(record).unwrap().is_object());
        }
        assert!(
            !form("text").is_empty() && !form("tsv").is_empty(),
            "{line}"
        );
        let csv = form("csv");
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        assert!(rows.headers().unwrap().len() > 1, "{line}");
        assert!(rows.records().map(Result::unwrap).count() > 0, "{line}");
    }
}

#[test]
fn verify_reads_one_form_and_prints_another() {
    let dir = built();
    let answers = "board,length\n120483765,6\n";
    let verify = |options: &str| {
        let options = options.split_whitespace();
        let args: Vec<&str> = ["verify", "-"].into_iter().chain(options).collect();
        let ran = run_with_input(dir.path(), &args, answers.as_bytes());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    let record = verify("--from csv --format json");
    let line: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(line["verdict"], "optimal");
    // Beside another name of the output, --format is that of the input, as it was once.
    assert_eq!(verify("--format csv --json"), record);
    assert_eq!(verify("--format csv --csv"), verify("--format csv"));
    let text = verify("--format text");
    assert!(text.starts_with("     2  120483765  optimal\n"), "{text}");
}

#[test]
fn old_names_of_options_go_on() {
    let dir = built();
    let file = dir.path().join("boards.txt");
    std::fs::write(&file, "704851632\n").unwrap();
    let file = file.to_str().unwrap();
    for (old, new) in [
        (
            format!("solve --input {file}"),
            format!("solve --boards {file}"),
        ),
        (format!("solve -i {file}"), format!("solve --boards {file}")),
        (
            "solve 704851632 --within 1s".into(),
            "solve 704851632 --time 1s".into(),
        ),
        ("stats --csv".into(), "stats --format csv".into()),
        (
            format!("grade --boards {file} --timeout 9s --report csv -- false"),
            format!("grade --boards {file} --time 9s --format csv -- false"),
        ),
        (
            "audit --heuristic zero --timeout 9s".into(),
            "audit --heuristic zero --time 9s".into(),
        ),
    ] {
        let (old, new) = (puzzledb(&dir, &old), puzzledb(&dir, &new));
        let columns = |out: &str| out.lines().map(|l| l.len().min(9)).collect::<Vec<_>>();
        assert_eq!(old.code, new.code, "{old:?}");
        assert_eq!(columns(&old.out), columns(&new.out), "{old:?}");
        assert!(new.code != Some(2), "{new:?}");
    }
    let limited = "search 536407182 -a idastar --heuristic zero --limit-time 1ms --json";
    let stopped = puzzledb(&dir, limited);
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    let new = puzzledb(&dir, &limited.replace("limit-time", "time"));
    assert_eq!(new.code, Some(1), "{new:?}");
}

/// The counts of all states are made on the way, by one of several threads that answer.
#[test]
fn a_stream_of_the_largest_small_shape_is_answered_on_several_threads() {
    let dir = tempfile::tempdir().unwrap();
    let boards = puzzledb(&dir, "generate --shape 2x5 --count 40000 --seed 1").out;
    let ran = run_with_input(
        dir.path(),
        &["probe", "--json", "--shape", "2x5", "--threads", "2"],
        boards.as_bytes(),
    );
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 40_000));
}

#[test]
fn probe_effort_and_search_take_many_boards_in_order() {
    let dir = built();
    let input = b"# two boards\n704851632\n\nseven\n  # another\n638541720\n";
    for (command, name, values) in [
        ("probe", "distance", [19, 28]),
        ("effort", "distance", [19, 28]),
        ("search", "length", [19, 28]),
        ("solve", "distance", [19, 28]),
    ] {
        for args in [&["--boards", "-"][..], &["-"], &[]] {
            let args = [&[command, "--json"], args].concat();
            let ran = run_with_input(dir.path(), &args, input);
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(ran.err.contains("line 4: 5 cells"), "{ran:?}");
            assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
            let records: Vec<Value> = ran
                .out
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let found: Vec<&Value> = records.iter().map(|record| &record[name]).collect();
            assert_eq!(found, [&json!(values[0]), &json!(values[1])], "{command}");
        }
        let both = run(dir.path(), &[command, "--json", "704851632", "638541720"]);
        assert_eq!(
            (both.code, both.out.lines().count()),
            (Some(0), 2),
            "{both:?}"
        );
    }
    let unsolvable = run_with_input(dir.path(), &["probe", "-"], b"123456870\n704851632\n");
    assert_eq!(unsolvable.code, Some(1));
    assert!(
        unsolvable
            .err
            .contains("line 1: 123456870 cannot be solved")
    );
    assert_eq!(unsolvable.out.lines().count(), 4, "the other is answered");
    let drawn = run(
        dir.path(),
        &["solve", "--format", "text", "123456708", "123456780"],
    );
    let texts: Vec<&str> = drawn.out.split("\n\n").collect();
    assert_eq!(texts.len(), 4, "{drawn:?}");
    assert!(
        texts[2].starts_with("  1 2 3\n  4 5 6   0 moves"),
        "{drawn:?}"
    );
    let csv = run_with_input(
        dir.path(),
        &["probe", "--format", "csv", "--threads", "2", "-"],
        "704851632\n".repeat(2000).as_bytes(),
    );
    let headers = csv.out.lines().filter(|line| line.starts_with("board,"));
    assert_eq!((csv.out.lines().count(), headers.count()), (2001, 1));
}

#[test]
fn boards_are_read_in_rows_with_headers_and_as_programs_write_them() {
    let dir = built();
    for (input, boards) in [
        (
            "1 2 3\n4 5 6\n7 0 8\n\n# hard\n8 6 7\n2 5 4\n3 0 1\n",
            "123456708 867254301",
        ),
        ("3 3\n7 0 4\n8 5 1\n6 3 2\n", "704851632"),
        ("2 3\n1 2 3\n4 0 5\n\n2 3\n1 2 3\n0 4 5\n", "123405 123045"),
        (
            "{{1,2,3},{4,5,6},{7,0,8}}\n{{1,2,3},{4,5,6},{0,7,8}};\n",
            "123456708 123456078",
        ),
        (
            "0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n",
            "0123456789abcdef",
        ),
    ] {
        let ran = run_with_input(dir.path(), &["solve", "--goal", "last"], input.as_bytes());
        assert!(ran.code != Some(2), "{input:?} {ran:?}");
        let first = |line: &str| line.split('\t').next().unwrap().to_owned();
        let found: Vec<String> = ran.out.lines().map(first).collect();
        assert_eq!(found.join(" "), boards, "{input:?}");
    }
    let graded = crate::run::graded(
        dir.path(),
        &["--format", "csv"],
        "# easy\n123\n456\n708\n\n1 2 3\n4 0 5\n7 8 6\n",
        "true",
    );
    assert_eq!(graded.out.lines().count(), 3, "{graded:?}");
}

#[test]
fn several_searches_are_one_command_by_two_names() {
    let dir = built();
    let table = |line: &str| {
        let ran = puzzledb(&dir, line);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let mut rows: Vec<Value> = ran
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        rows.iter_mut().for_each(|row| row["seconds"] = Value::Null);
        rows
    };
    let searched = table(
        "search 704851632 120483765 --algorithm bfs,astar --heuristic manhattan,patterns:1-4,5-8 --json",
    );
    let compared = table(
        "compare 704851632 120483765 --algorithms bfs,astar --heuristics manhattan,patterns:1-4,5-8 --json",
    );
    assert_eq!((searched.len(), &searched), (6, &compared));
    assert_eq!(searched[2]["heuristic"], "patterns:1+2+3+4,5+6+7+8");
    let text = puzzledb(
        &dir,
        "compare --algorithms all --depth-limit 20 --heuristics manhattan --format text",
    )
    .out;
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let traced = puzzledb(&dir, "search 704851632 120483765 --trace");
    assert_eq!((traced.code, traced.out.as_str()), (Some(2), ""));
    assert!(
        traced.err.contains("--trace prints one search"),
        "{traced:?}"
    );
}

#[test]
fn text_names_what_json_names() {
    let dir = built();
    for line in ["search 704851632", "info"] {
        let names = json_of(&puzzledb(&dir, &format!("{line} --json")));
        let names: BTreeSet<String> = names
            .as_object()
            .unwrap()
            .keys()
            .map(|name| name.replace('_', " "))
            .collect();
        let text = puzzledb(&dir, &format!("{line} --format text")).out;
        for name in &names {
            assert!(
                text.lines().any(|l| l.starts_with(name.as_str())),
                "{line}: {name} in {text}"
            );
        }
    }
}

#[test]
fn usual_names_of_heuristics_and_algorithms_are_known_and_listed() {
    let dir = built();
    for (alias, name) in [
        ("hamming", "misplaced"),
        ("wd", "walking-distance"),
        ("md", "manhattan"),
        ("linear_conflict", "linear-conflict"),
    ] {
        let line = format!("search 120483765 --json --heuristic {alias}");
        assert_eq!(json_of(&puzzledb(&dir, &line))["heuristic"], name);
    }
    for (alias, name) in [("a_star", "astar"), ("gbfs", "greedy")] {
        let line = format!("search 120483765 --json --algorithm {alias}");
        assert_eq!(json_of(&puzzledb(&dir, &line))["algorithm"], name);
    }
    let list = puzzledb(&dir, "search --list");
    assert_eq!((list.code, list.err.as_str()), (Some(0), ""));
    assert!(
        list.out.lines().all(|line| line.len() <= 80),
        "{}",
        list.out
    );
    for [name, about] in [
        ["astar", "A*:"],
        ["manhattan", "rows"],
        ["patterns:7-8", "sum"],
    ] {
        let of = |line: &str| line.split_whitespace().take(2).eq([name, about]);
        assert!(list.out.lines().any(of), "{name}: {}", list.out);
    }
    assert!(list.out.lines().count() >= 20 + 13 + 5, "{}", list.out);
}

#[test]
fn a_program_without_two_dashes_gets_the_advice() {
    let dir = built();
    let ran = run(dir.path(), &["grade", "./solver", "{board}"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("put `--` before the program: `puzzledb grade -- ./solver {board}`"),
        "{ran:?}"
    );
}

#[test]
fn a_refused_board_says_what_would_be_accepted() {
    let dir = built();
    let goal = "it is solvable to 1 2 3 / 8 0 4 / 7 6 5 (--goal spiral)";
    for command in ["solve", "probe", "search"] {
        for usual in ["last", "first"] {
            let ran = run(dir.path(), &[command, "123804765", "--goal", usual]);
            assert!(ran.code == Some(1) && ran.err.contains(goal), "{ran:?}");
        }
    }
    for board in [
        &["123456789"][..],
        &["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    ] {
        let ran = run(dir.path(), &[&["solve"], board].concat());
        assert!(
            ran.code == Some(2) && ran.err.contains("(--blank 9 if"),
            "{ran:?}"
        );
        let ran = run(dir.path(), &[&["solve", "--blank", "9"], board].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn a_shape_without_its_option_is_refused_with_the_option() {
    let dir = built();
    for command in ["stats", "build", "count", "check", "info"] {
        let ran = puzzledb(&dir, &format!("{command} 3x4"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("--shape 3x4"), "{}", ran.err);
    }
}

#[test]
fn usage_errors_do_not_show_the_folder_of_the_environment() {
    let dir = built();
    for line in [
        "solve --json --csv",
        "grade --answer x",
        "build --machines 2",
    ] {
        let ran = puzzledb(&dir, line);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(!ran.err.contains("--dir"), "{}", ran.err);
    }
}

#[test]
fn info_is_about_the_shape_that_was_asked_for_and_shows_true_checksums() {
    let dir = built();
    let ran = puzzledb(&dir, "info --shape 2x3 --format text");
    assert!(ran.out.contains("shape           2x3\n"), "{}", ran.out);
    assert!(ran.out.contains("123450"), "{}", ran.out);
    assert!(!ran.out.contains("00000000"), "{}", ran.out);
}

#[test]
fn a_search_that_is_too_large_to_count_names_an_option_of_count() {
    let ran = puzzledb(&built(), "count --shape 4x4");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("--scratch") && !ran.err.contains("--patterns"),
        "{}",
        ran.err
    );
}

#[test]
fn depth_first_search_without_a_solution_ends_by_its_expansions() {
    let dir = built();
    let line = "search -a dfs --exhaust --depth-limit 1000000 --json 123456870";
    let ran = puzzledb(&dir, line);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
    assert!(ran.out.contains("1000000"), "{}", ran.out);
}
