//! Promise: every claim gets the right verdict, in order and in bounded memory; a record
//! that cannot be read is reported with its line, and the others are judged all the same.

use serde_json::Value;

use crate::run::{CommandResult, built, puzzledb, run, run_with_input};

fn verify(dir: &tempfile::TempDir, options: &str, input: &str) -> CommandResult {
    let mut args = vec!["verify", "-"];
    args.extend(options.split_whitespace());
    run_with_input(dir.path(), &args, input.as_bytes())
}

#[test]
fn every_verdict_is_given() {
    let dir = built();
    for (claim, record, code) in [
        ("704851632 19", "704851632\toptimal\t19\t19\t\t", 0),
        ("120483765 DDLURD", "120483765\toptimal\t6\t6\tblank\t", 0),
        ("120483765 UURDLU", "120483765\toptimal\t6\t6\ttile\t", 0),
        (
            "120483765 DDUDLURD",
            "120483765\tsuboptimal +2\t6\t8\tblank\t3",
            1,
        ),
        ("120483765 8", "120483765\tsuboptimal +2\t6\t8\t\t", 1),
        (
            "120483765 DDDLURD",
            "120483765\tillegal at move 3\t6\t\tblank\t3",
            1,
        ),
        (
            "120483765 DDLUR",
            "120483765\tdoes not reach the goal\t6\t5\tblank\t",
            1,
        ),
        (
            "120483765 4",
            "120483765\timpossible: shorter than optimal\t6\t4\t\t",
            1,
        ),
        (
            "120483765 7",
            "120483765\timpossible: wrong parity\t6\t7\t\t",
            1,
        ),
        (
            "120483765\t8\tDDLURD",
            "120483765\twrong length: claims 8, path has 6\t6\t8\tblank\t",
            1,
        ),
        (
            "120483765 unsolvable",
            "120483765\twrongly said unsolvable\t6\tunsolvable\t\t",
            1,
        ),
        (
            "123456870 unsolvable",
            "123456870\tunsolvable (rightly said)\tunsolvable\tunsolvable\t\t",
            0,
        ),
        (
            "123456870 20",
            "123456870\timpossible: the board is unsolvable\tunsolvable\t20\t\t",
            1,
        ),
        (
            "123456870 UDUD",
            "123456870\tdoes not reach the goal\tunsolvable\t4\tblank\t",
            1,
        ),
    ] {
        let ran = verify(&dir, "", claim);
        assert_eq!(ran.out, format!("{record}\n"), "{claim}: {}", ran.err);
        assert_eq!(ran.code, Some(code), "{claim}");
    }
}

#[test]
fn what_solve_prints_is_right_in_every_notation_and_for_every_goal() {
    let dir = built();
    let boards = run(dir.path(), &["generate", "-n", "1000", "--seed", "3"]).out;
    for goal in crate::full::sample(&["134862705", "last", "first", "spiral"], 2) {
        for options in ["", "--moves tile", "--moves numbers", "--json", "--steps"] {
            let mut args = vec!["solve", "-", "--goal", goal];
            args.extend(options.split_whitespace());
            let solved = run_with_input(dir.path(), &args, boards.as_bytes());
            let ran = verify(&dir, &format!("--goal {goal}"), &solved.out);
            assert_eq!(ran.code, Some(0), "{goal} {options}: {}", ran.err);
            assert_eq!(ran.out.lines().count(), 1000);
            let summary = ran.err.lines().find(|line| line.contains("claims"));
            assert_eq!(
                summary,
                Some("1000 claims: 1000 right, 0 wrong"),
                "{options}"
            );
        }
    }
    let other_goal = run_with_input(
        dir.path(),
        &["solve", "-", "--json", "--goal", "first"],
        boards.as_bytes(),
    );
    let ran = verify(&dir, "", &other_goal.out);
    assert_eq!(
        ran.code,
        Some(0),
        "a record's own goal comes first: {}",
        ran.err
    );
}

#[test]
fn a_bad_record_is_reported_with_its_line_and_the_rest_go_on() {
    let dir = built();
    let lines =
        "704851632 19\n\n# a comment\nhello\n704851633 19\n704851632\n704851632 RDXX\n120483765 6";
    let ran = verify(&dir, "", lines);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.out.lines().count(), 2);
    let errors: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("error")).collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(errors[0].contains("line 4: 5 cells"), "{errors:?}");
    assert!(
        errors[1].contains("line 5: tile 3 is there twice"),
        "{errors:?}"
    );
    assert!(
        errors[2].contains("line 6: nothing is claimed"),
        "{errors:?}"
    );
    assert!(errors[3].contains("line 7: \"RDXX\""), "{errors:?}");
    assert!(
        ran.err
            .contains("2 claims: 2 right, 0 wrong; 4 more could not be read")
    );

    let rows = "name,board,path\na,\"[[7,0,4],\n[8,5,1],\n[6,3,2]]\",RD\nb,7048,RD\nc\n";
    let ran = verify(&dir, "", rows);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.out.starts_with("704851632\tdoes not reach the goal\t"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("line 5: "), "{}", ran.err);
    assert!(
        ran.err.contains("line 6: 1 fields") || ran.err.contains("line 6: 1 field"),
        "{}",
        ran.err
    );

    let objects = "{\"board\":\"704851632\",\"length\":19}\n{\"board\":\"70\n{\"board\":\"120483765\",\"length\":6}\n{\"length\":3}\n";
    let ran = verify(&dir, "", objects);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(2), 2));
    assert!(
        ran.err.contains("line 2: this is no JSON object"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("line 4: there is no board"), "{}", ran.err);
}

#[test]
fn bad_usage_says_what_to_do() {
    let dir = built();
    for (options, input, message) in [
        ("", "", "there is no claim"),
        ("--board 704851632 --from csv", "x", "--board is for a text"),
        ("--board 70485163", "x", "8 cells"),
        ("", "hello\nworld\n", "no board was found"),
        (
            "--from csv",
            "704851632,19\n",
            "its first line must name the columns",
        ),
        ("--from json", "", "there is no claim"),
        ("--from tsv", "\n\n", "there is no claim"),
        ("--from tsv --blank 9", "704851632 19\n", "from 1 to 9 once"),
    ] {
        let ran = verify(&dir, options, input);
        assert_eq!(ran.code, Some(2), "{options} {input:?}: {ran:?}");
        assert!(
            ran.err.contains(message),
            "{options} {input:?}: {}",
            ran.err
        );
    }
    assert_eq!(run(dir.path(), &["verify", "/no/such/file"]).code, Some(2));
    assert_eq!(
        run(dir.path(), &["verify", "-", "--json", "--csv"]).code,
        Some(2)
    );
}

#[test]
fn fix_adds_an_optimal_solution_in_the_notation_of_the_claim() {
    let dir = built();
    for (claim, fixed) in [
        ("120483765 DDUDLURD", "DDLURD"),
        ("120483765 UUDURDLU --moves tile", "UURDLU"),
        ("120483765\t8\t3 5 5 5 6 8 5 6", "3 5 6 8 5 6"),
        ("120483765 9", "DDLURD"),
        ("120483765 unsolvable", "DDLURD"),
        ("120483765 DDLURD", ""),
        ("123456870 4", ""),
        (
            "638541720 UULDDLUURDLDRURDLURULDLURRU",
            "UULDDLUURDLDRURDLURULDLURRDD",
        ),
    ] {
        let (claim, options) = claim
            .split_once(" --")
            .map_or((claim, String::new()), |(c, o)| (c, format!("--{o}")));
        let ran = verify(&dir, &format!("--fix {options}"), claim);
        let fix = ran.out.trim_end_matches('\n').split('\t').nth(6);
        assert_eq!(fix, Some(fixed), "{claim}: {}", ran.out);
    }
}

#[test]
fn json_and_csv_have_everything() {
    let dir = built();
    let input = "120483765 DDUDLURD\n120483765\t8\tDDLURD\n123456870 unsolvable\n";
    let ran = verify(&dir, "--json --fix", input);
    let objects: Vec<Value> = ran
        .out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(objects.len(), 4);
    assert_eq!(
        objects[0],
        serde_json::json!({
            "line": 1, "board": "120483765", "goal": "123456780", "right": false, "moves": "DDUDLURD",
            "verdict": "suboptimal +2", "distance": 6, "claimed": 8, "claims_unsolvable": false,
            "reading": "blank", "move": 3, "fix": "DDLURD"
        })
    );
    let summary = &objects[3]["summary"];
    assert_eq!(
        (&summary["claims"], &summary["right"]),
        (&3.into(), &1.into())
    );
    assert_eq!(summary["verdicts"]["suboptimal"], 1);
    assert_eq!(summary["distances"][0]["mean_excess"], 2.0);
    assert_eq!(ran.err, "");

    let ran = verify(&dir, "--csv", input);
    assert_eq!(
        ran.out,
        "line,board,goal,verdict,distance,claimed,reading,move\n\
         1,120483765,123456780,suboptimal +2,6,8,blank,3\n\
         2,120483765,123456780,\"wrong length: claims 8, path has 6\",6,8,blank,\n\
         3,123456870,123456780,unsolvable (rightly said),unsolvable,unsolvable,,\n"
    );
    let again = verify(&dir, "--format csv --csv", "board,length\n120483765,6\n");
    assert_eq!(again.code, Some(0));
}

#[test]
fn the_summary_counts_by_verdict_and_by_distance() {
    let dir = built();
    let ran = verify(
        &dir,
        "",
        "120483765 6\n120483765 8\n704851632 19\n704851632 3\n123456870 no solution\n",
    );
    assert_eq!(
        ran.err,
        "5 claims: 3 right, 2 wrong\n\
         \x20         2  optimal\n\
         \x20         1  unsolvable (rightly said)\n\
         \x20         1  suboptimal\n\
         \x20         1  impossible: shorter than optimal\n\
         distance  claims  right  right %  mean excess\n\
         \x20      6       2      1     50.0         1.00\n\
         \x20     19       2      1     50.0         0.00\n"
    );
}

#[test]
fn mixed_readings_are_told() {
    let dir = built();
    let boards = run(dir.path(), &["generate", "-n", "50", "--seed", "9"]).out;
    let blank = run_with_input(dir.path(), &["solve"], boards.as_bytes()).out;
    let tile = run_with_input(dir.path(), &["solve", "--moves", "tile"], boards.as_bytes()).out;
    let first_of_tile = tile.lines().next().unwrap();
    let ran = verify(&dir, "", &format!("{blank}{first_of_tile}\n"));
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.err.contains("two notations are mixed: 50 paths"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("--moves blank"), "{}", ran.err);
    let strict = verify(&dir, "--moves blank", &format!("{blank}{first_of_tile}\n"));
    assert_eq!(strict.code, Some(1));
    assert!(!verify(&dir, "", &tile).err.contains("mixed"));
}

#[test]
#[ignore = "full run"]
fn a_hundred_thousand_claims_come_in_order_for_every_thread_count() {
    let dir = built();
    let boards = run(dir.path(), &["generate", "-n", "50000", "--seed", "5"]).out;
    let solved = run_with_input(dir.path(), &["solve"], boards.as_bytes()).out;
    let lines = format!("{solved}bad\n{solved}");
    let header = "board,length,path\n";
    let rows = format!(
        "{header}{}",
        lines.replace('\t', ",").replace("bad\n", "bad,,\n")
    );
    let json: String = solved
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .map(|f| format!("{{\"board\":\"{}\",\n \"moves\":\"{}\"}}, ", f[0], f[2]))
        .collect();
    for (input, bad) in [(lines, 1), (rows, 1), (format!("[{json}]"), 0)] {
        let one = verify(&dir, "--threads 1", &input);
        assert_eq!(
            one.code,
            Some(2 * bad),
            "{}",
            &one.err[..one.err.len().min(300)]
        );
        let records = one.out.lines().zip(boards.lines().chain(boards.lines()));
        assert!(records.clone().count() >= 50_000);
        assert!(
            records
                .into_iter()
                .all(|(record, board)| record.starts_with(board))
        );
        if bad == 1 {
            let at = if input.starts_with(header) {
                50_002
            } else {
                50_001
            };
            assert!(
                one.err.contains(&format!("line {at}: 3 cells")),
                "{}",
                &one.err[..200]
            );
        }
        for threads in ["2", "5"] {
            assert_eq!(verify(&dir, &format!("--threads {threads}"), &input), one);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_of_a_depth_first_search_is_read_and_an_endless_line_is_cut_off() {
    let dir = built();
    let long = "Up', 'Down', '".repeat(25_000);
    let claim = format!("123405786\t['{long}Right', 'Down']\n");
    let ran = verify(&dir, "", &claim);
    assert_eq!(
        ran.out,
        "123405786\tsuboptimal +50000\t2\t50002\tblank\t1\n"
    );
    let endless = format!(
        "704851632 19\n704851632 {}\n120483765 6\n",
        "RL".repeat(2 << 20)
    );
    let ran = verify(&dir, "", &endless);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(2), 2));
    assert!(ran.err.contains("line 2: longer than 1 MiB"), "{}", ran.err);
}

#[test]
fn judgements_come_as_soon_as_lines_do() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let dir = built();
    let mut command = puzzledb(dir.path());
    command
        .args(["verify", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    stdin.write_all(b"704851632 19\n").unwrap();
    assert_eq!(
        lines.next().unwrap().unwrap(),
        "704851632\toptimal\t19\t19\t\t"
    );
    stdin.write_all(b"704851632 21\n").unwrap();
    assert_eq!(
        lines.next().unwrap().unwrap(),
        "704851632\tsuboptimal +2\t19\t21\t\t"
    );
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let dir = built();
    let boards = run(dir.path(), &["generate", "-n", "100000"]).out;
    let claims = run_with_input(dir.path(), &["solve"], boards.as_bytes()).out;
    let file = dir.path().join("claims.tsv");
    std::fs::write(&file, claims).unwrap();
    let binary = env!("CARGO_BIN_EXE_puzzledb");
    for options in ["", "--json", "--csv"] {
        let command = format!("{binary} verify {options} {}", file.display());
        let script = format!("{{ {command}; echo $? >&3; }} 3>&2 2>/dev/null | head -1 >/dev/null");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .env("PUZZLEDB_DIR", dir.path())
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "0\n",
            "{options}"
        );
    }
}

#[test]
fn a_damaged_database_ends_it_with_the_cure() {
    let dir = built();
    std::fs::write(dir.path().join("3x3.pzdb"), b"no database").unwrap();
    let ran = verify(&dir, "", "704851632 19\n120483765 6\n");
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.err.matches("error").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("puzzledb build"), "{}", ran.err);
}

#[test]
fn words_above_the_records_are_no_record() {
    let dir = built();
    for heading in ["puzzle moves", "Board: Length", "my solver, on Monday"] {
        let text = format!("{heading}\n704851632 19\n120483765 6\n");
        let ran = run_with_input(dir.path(), &["verify", "-"], text.as_bytes());
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 2), "{ran:?}");
    }
    let ran = run_with_input(dir.path(), &["verify", "-"], b"hello\n704851632 19\n");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn boards_without_a_database_are_judged_but_for_the_optimum() {
    let dir = built();
    let claims = "123456789abcdefghijklmn0o R\n123456789abcdefghijklmn0o 1\n123456789abcdefghijklmn0o U\n123456789abcdefghijklmn0o 2\n\
                  123456789abcdefghijklmon0 unsolvable\n123405 unsolvable\n";
    let ran = run_with_input(dir.path(), &["verify", "-", "--csv"], claims.as_bytes());
    let verdicts: Vec<&str> = (ran.out.lines().skip(1))
        .filter_map(|line| line.split(',').nth(3))
        .collect();
    let expected = [
        "reaches the goal (optimum unknown)",
        "possible length (optimum unknown)",
        "does not reach the goal",
        "impossible: wrong parity",
        "unsolvable (rightly said)",
    ];
    assert_eq!(verdicts[..5], expected, "{}", ran.out);
    // Boards of more than 25 cells are written as numbers, with spaces or in rows.
    let numbers: Vec<String> = (1..=34).chain([0, 35]).map(|n| n.to_string()).collect();
    let rows: Vec<String> = numbers.chunks(6).map(|row| row.join(",")).collect();
    let (spaced, rows) = (numbers.join(" "), rows.join("/"));
    let claims = format!("{spaced} R\n{rows}\t1\tR\n");
    let ran = run_with_input(dir.path(), &["verify", "-"], claims.as_bytes());
    let line = format!("{rows}\treaches the goal (optimum unknown)\tunknown\t1\tblank\t\n");
    assert_eq!(ran.out, line.repeat(2), "{}", ran.err);
    let right = "123456789abcdefghijklmn0o R\n";
    let ran = run_with_input(dir.path(), &["verify", "-"], right.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("--improve"), "{}", ran.err);
}

#[test]
fn a_pattern_names_the_answer_in_a_text() {
    let dir = built();
    let text = "trying UUU\nfinal state after <<R;D>> in 3 lines\n";
    let verify = |pattern: &str| {
        let args = ["verify", "-", "--board", "123405786", "--answer", pattern];
        run_with_input(dir.path(), &args, text.as_bytes())
    };
    let ran = verify("<<(.*)>>");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("\toptimal\t2\t2\t"), "{}", ran.out);
    assert_eq!(verify("nothing(.*)here").code, Some(2));
    assert_eq!(verify("(").code, Some(2));
}

#[test]
fn the_option_that_a_message_names_takes_the_answer() {
    let dir = built();
    for text in ["Hint: RD\n", "Scramble (2+0): R,D\nbye\n"] {
        let args = ["verify", "-", "--board", "123405786"];
        let ran = run_with_input(dir.path(), &args, text.as_bytes());
        let (_, kind) = ran
            .err
            .split_once("--read ")
            .unwrap_or_else(|| panic!("{text}: {}", ran.err));
        let kind = kind.split_whitespace().next().unwrap();
        let ran = run_with_input(
            dir.path(),
            &[&args[..], &["--read", kind]].concat(),
            text.as_bytes(),
        );
        assert!(
            ran.out.starts_with("123405786\toptimal"),
            "{kind}: {}{}",
            ran.out,
            ran.err
        );
    }
}

#[test]
fn of_many_lines_that_cannot_be_read_ten_are_shown() {
    let dir = built();
    let text = format!("704851632 19\n{}", "704851632 nothing\n".repeat(30));
    let ran = verify(&dir, "", &text);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.err.matches("error: line ").count(), 10, "{}", ran.err);
    assert!(ran.err.contains("error: 20 more lines"), "{}", ran.err);
}

#[test]
fn a_text_that_leaves_a_doubt_shows_its_readings_and_an_option_decides() {
    let dir = built();
    let moves = "we need 4 steps or so\ngo Down!\nthen Right?\nnext Down\nnow Right\n";
    let chain = "0 2 3\n1 4 6\n7 5 8\n\n1 2 3\n0 4 6\n7 5 8\n\n1 2 3\n4 0 6\n7 5 8\n\n1 2 3\n4 5 6\n7 0 8\n\n\
                 1 2 3\n4 5 6\n7 8 0\n\nsearch aborted: time limit\n";
    for (text, kind, shown) in [
        (
            moves,
            "lines",
            "  as lines of moves: 4 moves, optimal    --read lines\n",
        ),
        (
            chain,
            "boards",
            "  as boards: 4 moves, optimal    --read boards\n",
        ),
    ] {
        let unread = verify(&dir, "--board 023146758", text);
        assert_eq!(unread.code, Some(2), "{unread:?}");
        assert!(unread.err.contains(shown), "{}", unread.err);
        assert!(unread.err.matches("--read").count() <= 3, "{}", unread.err);
        let held = verify(&dir, &format!("--board 023146758 --read {kind}"), text);
        assert!(
            held.out.starts_with("023146758\toptimal\t4\t4\t"),
            "{held:?}"
        );
    }
    for (text, kind, expected) in [
        (
            "Solution: DRDR\nin short: RD\n",
            "last",
            "does not reach the goal",
        ),
        ("Moves: DRDR\nlength: 6\n", "length", "suboptimal +2"),
        ("Path: DRDR\n", "last", "optimal"),
        ("6\n", "last", "suboptimal +2"),
        ("no solution\n", "last", "wrongly said unsolvable"),
        ("no solution\n", "boards", "wrongly said unsolvable"),
        (
            "0 2 3\n1 4 6\n7 5 8\n\n1 2 3\n4 5 6\n7 8 0\n",
            "boards",
            "illegal at move 1",
        ),
    ] {
        let held = verify(&dir, &format!("--board 023146758 --read {kind}"), text);
        assert_eq!(
            held.out.split('\t').nth(1),
            Some(expected),
            "{text} {kind}: {held:?}"
        );
    }
    let nothing = verify(&dir, "--board 023146758 --read boards", "Path: DRDR\n");
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
    let exact = verify(
        &dir,
        "--from csv --read boards",
        "board,length\n023146758,4\n",
    );
    assert_eq!(exact.code, Some(2));
    assert!(
        exact.err.contains("--read is for a text for people"),
        "{}",
        exact.err
    );
}
