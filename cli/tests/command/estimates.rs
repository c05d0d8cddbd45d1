//! Promise: `probe --heuristic` prints what each heuristic estimates, in every form and for boards of several shapes.

use serde_json::Value;

use puzzledb::ask::EstimatesRecord;
use puzzledb::puzzle::Board;
use puzzledb::search::{BoardHeuristic, HeuristicName};

use crate::run::{built, run};

#[test]
fn estimates_are_those_of_the_library_in_columns() {
    let dir = built();
    let boards = ["704851632", "536407182", "123456780", "123456789abcde0f"];
    let args = ["probe", "--format", "csv", "--heuristic", "all"];
    let args: Vec<&str> = args.into_iter().chain(boards).collect();
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut rows = csv::Reader::from_reader(ran.out.as_bytes());
    let names: Vec<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
    let all: Vec<String> = HeuristicName::all().map(|name| name.to_string()).collect();
    assert_eq!(
        (&*names[0], &*names[1], &names[2..]),
        ("board", "distance", &all[..])
    );
    for (row, text) in rows.records().map(Result::unwrap).zip(boards) {
        let board: Board = text.parse().unwrap();
        let goal = if text.len() == 9 {
            "123456780"
        } else {
            "123456789abcdef0"
        };
        assert_eq!(&row[0], text);
        for (name, cell) in all.iter().zip(row.iter().skip(2)) {
            let expected = match name.as_str() {
                "perfect" => row[1].parse().unwrap(),
                name => {
                    let heuristic =
                        BoardHeuristic::new(&name.parse().unwrap(), &goal.parse().unwrap());
                    heuristic.unwrap().value(&board)
                }
            };
            assert_eq!(cell.parse::<f64>().unwrap(), expected, "{name} of {text}");
        }
    }
    assert_eq!(rows.position().line(), boards.len() as u64 + 2);
}

#[test]
fn estimates_have_the_order_of_their_names_and_every_form() {
    let dir = built();
    let probe = |args: &str| {
        let args = format!("probe 536407182 {args}");
        run(dir.path(), &args.split(' ').collect::<Vec<_>>())
    };
    assert_eq!(
        probe("--heuristics h1,manhattan").out,
        "536407182\t22\t6\t12\n"
    );
    let text = probe("--heuristic manhattan --heuristic perfect --format text").out;
    assert!(text.contains("distance 22"), "{text}");
    assert!(text.contains("\nmanhattan        12    -10\n"), "{text}");
    assert!(text.contains("\nperfect          22      0\n"), "{text}");
    let json = probe("--heuristic misplaced --json").out;
    let record: EstimatesRecord = serde_json::from_str(&json).unwrap();
    assert_eq!((record.values[0].value, record.distance), (6.0, Some(22)));
    assert!(serde_json::from_str::<Value>(&json).unwrap()["moves"].is_null());
    let wrong = probe("--heuristic manhatan");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("manhattan"), "{}", wrong.err);
}
