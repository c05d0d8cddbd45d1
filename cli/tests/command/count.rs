//! Promise: `count` counts the boards at each distance without a table.

use crate::run::run;

#[test]
fn the_counts_are_those_of_the_table() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        &["--shape", "2x4", "--format", "text"][..],
        &["--goal", "123804765", "--csv"],
        &["--shape", "2x5", "--json"],
    ] {
        let counted = run(dir.path(), &[&["count"], args].concat());
        assert_eq!(counted.code, Some(0), "{counted:?}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        if args.contains(&"--json") {
            let record: serde_json::Value = serde_json::from_str(&counted.out).unwrap();
            assert_eq!(
                (&record["states"], &record["max_distance"]),
                (&1_814_400.into(), &55.into())
            );
            assert_eq!(record["histogram"][55]["states"], 2);
        } else if args.contains(&"--csv") {
            assert!(
                counted.out.starts_with("distance,states\n0,1\n1,4\n2,8\n"),
                "{}",
                counted.out
            );
        } else {
            assert!(
                counted.out.contains("20160 states") && counted.out.contains("max distance     36")
            );
        }
    }
}

/// Counts of 3x4 as published, in 32 MB.
#[test]
fn the_counts_of_3x4_are_the_published_ones() {
    let dir = tempfile::tempdir().unwrap();
    let counted = run(dir.path(), &["count", "--shape", "3x4", "--csv"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/3x4-levels-corner.csv");
    let published = std::fs::read_to_string(path).unwrap();
    let published = published.lines().filter(|line| !line.starts_with('#'));
    assert!(
        counted.out.lines().skip(1).eq(published.skip(1)),
        "{counted:?}"
    );
}
