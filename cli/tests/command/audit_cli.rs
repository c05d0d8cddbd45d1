//! `audit` on the command line, of a table and of a program.

use crate::run::{built, run, run_with_input};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn audit_reads_a_table() {
    let dir = built();
    let boards = run(
        dir.path(),
        &["generate", "--count", "181440", "--seed", "1"],
    )
    .out;
    let solved = run_with_input(dir.path(), &["solve", "-"], boards.as_bytes()).out;
    // True distances, except that one board of the table has 2 more.
    let table: String = solved
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let more = if cells[0] == "704851632" { 2 } else { 0 };
            format!("{},{}\n", cells[0], cells[1].parse::<u32>().unwrap() + more)
        })
        .collect();
    let path = dir.path().join("table.csv");
    std::fs::write(&path, format!("board,h\n{table}")).unwrap();
    let ran = run(
        dir.path(),
        &["audit", "--table", path.to_str().unwrap(), "--json"],
    );
    assert_eq!(ran.code, Some(1));
    let audit = json(&ran.out);
    assert_eq!(audit["overestimates"], 1);
    let first = &audit["first_overestimate"];
    assert_eq!(
        (&first["board"], &first["value"]),
        (&"704851632".into(), &21.0.into())
    );
    assert_eq!(
        (&audit["perfect"], &audit["consistent"]),
        (&181_439.into(), &false.into())
    );

    for (table, words) in [
        (
            "board,h\n704851632,1\n",
            "181439 of 181440 boards have no value",
        ),
        ("704851632,x\n", "line 1: \"x\" is not a number of moves"),
        ("704851632,nan\n", "is not a number of moves"),
        (
            "704851632,1\n704851632,2\n",
            "line 2: 704851632 has the value 2 here and 1 before",
        ),
        ("704851633,1\n", "line 1: tile 3 is there twice"),
        ("# values\n\nboard;h\n7;", "line 4"),
    ] {
        std::fs::write(&path, table).unwrap();
        let ran = run(dir.path(), &["audit", "--table", path.to_str().unwrap()]);
        assert_eq!(ran.code, Some(2), "{table:?} {ran:?}");
        assert!(ran.err.contains(words), "{table:?}: {}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn audit_asks_a_program() {
    let dir = built();
    // Misplaced tiles with the blank, in awk: it answers at its end, not line by line.
    let awk = "awk '{h=0; for (i=1;i<=9;i++) if (substr($0,i,1) != i%9) h++; print h}'";
    let ran = run(dir.path(), &["audit", "--command", awk, "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let audit = json(&ran.out);
    assert_eq!(
        (&audit["overestimates"], &audit["inconsistent_edges"]),
        (&78.into(), &5040.into())
    );

    for (command, words) in [
        (
            "head -n 3 | sed 's/.*/1/'",
            "answered for 3 of 181440 boards",
        ),
        (
            "echo hello; cat > /dev/null",
            "line 1: \"hello\" is not a number of moves",
        ),
        ("no-such-program-here", "answered for 0 of 181440 boards"),
        // Programs that are not waited for: one that does not end, and one whose line does not end.
        (
            "echo x; sleep 1000; true",
            "line 1: \"x\" is not a number of moves",
        ),
        ("cat /dev/zero | tr '\\0' 1", "is not a number of moves"),
        ("exec sleep 0 < /dev/null", "answered for 0"),
    ] {
        let ran = run(dir.path(), &["audit", "--command", command]);
        assert_eq!(ran.code, Some(2), "{command} {ran:?}");
        assert!(ran.err.contains(words), "{command}: {}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_has_answered_is_not_waited_for() {
    let dir = built();
    let ran = run(
        dir.path(),
        &["audit", "--command", "yes 0 | head -n 181440; sleep 1000"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[cfg(unix)]
#[test]
#[ignore = "full run"]
fn a_program_that_stalls_is_ended_and_a_slow_one_is_not() {
    let dir = built();
    let audit = |options: &[&str], command: &str| {
        let args = [&["audit", "--shape", "2x2", "--command", command], options];
        run(dir.path(), &args.concat())
    };
    for (command, words) in [
        (
            "sleep 100000", // longer than any test
            "answered for 0 of 12 boards, and then neither read nor printed anything for 3.00 s",
        ),
        (
            "head -n 3 | sed s/.*/0/; sleep 100000",
            "answered for 3 of 12",
        ),
    ] {
        let ran = audit(&["--timeout", "3s"], command);
        assert_eq!(ran.code, Some(2), "{command} {ran:?}");
        assert!(ran.err.contains(words), "{command}: {}", ran.err);
        assert!(ran.err.contains("--time allows more"), "{}", ran.err);
    }
    // Twelve answers, one each 300 ms, are together more than the time limit.
    let slow = "while read board; do sleep 0.3; echo 0; done";
    let ran = audit(&["--timeout", "3s"], slow);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_audited_program_is_under_the_limits_of_a_graded_one() {
    let dir = built();
    let pids = dir.path().join("pid");
    let orphan = format!("(setsid sh -c 'echo $$ > {0}; sleep 60' &)", pids.display());
    let wait = format!("while [ ! -s {} ]; do sleep 0.01; done", pids.display());
    let zero = format!("{orphan}; {wait}; sed s/.*/0/");
    let ran = run(dir.path(), &["audit", "--shape", "2x2", "--command", &zero]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let id = std::fs::read_to_string(&pids).unwrap();
    assert!(!std::path::Path::new("/proc").join(id.trim()).exists());

    let grows = "x=12345678; while :; do x=$x$x; done";
    let options = ["audit", "--shape", "2x2", "--memory", "64MiB"];
    let ran = run(dir.path(), &[&options[..], &["--command", grows]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err
            .contains("more than 64 MiB of memory; --memory allows more"),
        "{}",
        ran.err
    );
}
