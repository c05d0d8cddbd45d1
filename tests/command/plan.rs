//! Promise: `build --plan` builds nothing and says what a build takes on this machine.

use serde_json::Value;

use crate::run::run;

#[test]
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
        line("--mpi on 4").contains(" MiB sent by each, "),
        "{}",
        ran.out
    );
}
