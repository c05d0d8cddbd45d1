//! Promise: `build --plan` builds nothing and prints the resources that a build takes on this machine.

use serde_json::Value;

use crate::run::run;

#[test]
#[ignore = "full run"]
fn a_plan_builds_nothing_and_says_what_each_way_takes() {
    let dir = tempfile::tempdir().unwrap();
    let asked = [
        "build",
        "--shape",
        "4x4",
        "--plan",
        "--machines",
        "16",
        "--json",
    ];
    let ran = run(dir.path(), &asked);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    let plan: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(plan["states"], 10_461_394_944_000_u64);
    for way in ["in_memory", "in_scratch"] {
        let (way, number) = (&plan[way], |key: &str| plan[way][key].as_f64().unwrap());
        // The table has a bit a state, and no machine that runs tests has 1.3 TB to spare for it.
        assert!(
            number("written") > 1.3e12 && number("disk") > 1.3e12,
            "{way}"
        );
        assert!(number("seconds") > 3600.0 && way["fits"] == false, "{way}");
    }
    let memory = |way: &str| plan[way]["memory"].as_f64().unwrap();
    assert!(
        memory("in_memory") > 2.6e12 && memory("in_scratch") < 1e12,
        "{plan}"
    );
    let on = |key: &str| plan["on_machines"][key].as_f64().unwrap();
    assert_eq!(on("machines"), 16.0);
    assert!(
        (2.6e12 / 16.0..3.5e12 / 16.0).contains(&on("memory")),
        "{plan}"
    );
    // The design's formula: 6.5 TB of planes cross, 0.8 TB of entropy.
    assert!(
        (0.8e12..6.5e12).contains(&(on("sent_by_each") * 16.0)),
        "{plan}"
    );
    assert!(on("seconds") < plan["in_memory"]["seconds"].as_f64().unwrap() / 8.0);
}

#[test]
#[ignore = "full run"]
fn a_plan_for_a_person_has_a_line_for_each_way() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(
        dir.path(),
        &[
            "build",
            "--shape",
            "3x4",
            "--plan",
            "--memory",
            "50MiB",
            "--machines",
            "4",
            "--format",
            "text",
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let line = |start: &str| {
        ran.out
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap()
    };
    assert!(line("in memory").ends_with("no"), "{}", ran.out);
    assert!(line("--scratch DIR").contains(" s "), "{}", ran.out);
    assert!(
        line("--mpi on 4").ends_with(" MiB sent by each"),
        "{}",
        ran.out
    );
}

#[test]
fn a_plan_of_patterns_says_what_their_search_takes() {
    let dir = tempfile::tempdir().unwrap();
    let build = ["build", "--shape", "5x5", "--patterns", "8"];
    let plan = |more: &[&str]| {
        let ran = run(dir.path(), &[&build[..], &["--plan"], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        ran.out
    };
    let json: Value = serde_json::from_str(&plan(&["--json"])).unwrap();
    assert_eq!(json["states"], 87_358_400_640_u64);
    let number = |key: &str| json["in_memory"][key].as_f64().unwrap();
    // Two bits a state in memory, one in the file, and checkpoints of two.
    let states = 87_358_400_640.0;
    assert!((states / 4.0 * 1.06..states / 4.0 * 1.1).contains(&number("memory")));
    assert!((states / 8.0..states / 8.0 * 1.01).contains(&number("written")));
    assert!(number("disk") > states / 2.0 && number("seconds") > 0.0);
    let text = plan(&["--memory", "20GiB", "--format", "text"]);
    let line = text.lines().find(|line| line.starts_with("in memory"));
    assert!(line.unwrap().ends_with("  no"), "{text}");
    let refused = run(
        dir.path(),
        &[&build[..], &["--plan", "--scratch", "x"]].concat(),
    );
    assert_eq!(refused.code, Some(2), "{refused:?}");
}

/// Refusal comes before the search begins, and a good file needs no memory.
#[test]
fn patterns_that_need_more_memory_than_they_may_take_are_not_begun() {
    let dir = tempfile::tempdir().unwrap();
    let build = |shape: &str, patterns: &str, memory: &str| {
        let args = ["build", "--shape", shape, "--patterns", patterns];
        run(dir.path(), &[&args[..], &["--memory", memory]].concat())
    };
    let refused = build("5x5", "8", "20GiB");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let why = "the search of these patterns needs 21.9 GiB of memory, and it may take 20.0 GiB";
    assert!(refused.err.contains(why), "{}", refused.err);
    assert_eq!(build("3x3", "4-4", "10KiB").code, Some(2));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    assert_eq!(build("3x3", "4-4", "10MiB").code, Some(0));
    assert_eq!(build("3x3", "4-4", "10KiB").code, Some(0), "it is there");
}
