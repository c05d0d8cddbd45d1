//! Published facts about the usual heuristics are reproduced over all 181,440 boards.

use std::collections::HashMap;

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::Board;
use puzzledb::search::audit::{Audit, audit};
use puzzledb::search::{BoardHeuristic, HeuristicName};
use puzzledb::space::StateIndex;

fn of(name: &str) -> Audit {
    let goal: Board = "123456780".parse().unwrap();
    let oracle = Oracle::for_goal(&goal).unwrap();
    let heuristic = BoardHeuristic::new(&name.parse().unwrap(), &goal).unwrap();
    audit(&oracle, |board| heuristic.value(board)).unwrap()
}

#[test]
fn the_published_truths_are_reproduced() {
    let table = include_str!("../../../data/heuristic-truths.csv");
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = rows.next().unwrap().split(',').collect();
    let mut heuristics = 0;
    for row in rows {
        let row: HashMap<&str, &str> = header.iter().copied().zip(row.split(',')).collect();
        let audit = of(row["heuristic"]);
        assert_eq!(audit.boards, 181_440);
        assert_eq!(format!("{:.6}", audit.mean), row["mean"], "{row:?}");
        assert_eq!(audit.max.to_string(), row["max"], "{row:?}");
        assert_eq!(
            audit.overestimates.to_string(),
            row["overestimates"],
            "{row:?}"
        );
        assert_eq!(
            audit.inconsistent_edges.to_string(),
            row["inconsistent_edges"],
            "{row:?}"
        );
        assert_eq!(audit.exact.to_string(), row["exact_boards"], "{row:?}");
        assert_eq!(audit.errors.values().sum::<u64>(), 181_440);
        heuristics += 1;
    }
    assert_eq!(heuristics, 7);
}

#[test]
fn the_simplest_board_that_breaks_a_promise_is_named() {
    let goal: Board = "123456780".parse().unwrap();
    let oracle = Oracle::for_goal(&goal).unwrap();
    let name = "linear-conflict-naive".parse().unwrap();
    let heuristic = BoardHeuristic::new(&name, &goal).unwrap();
    let mut wrong = Vec::new();
    for board in (0..181_440).map(|index| oracle.space().unwrap().unrank(StateIndex(index))) {
        let (value, distance) = (heuristic.value(&board), oracle.distance(&board).unwrap());
        if value > f64::from(distance) {
            wrong.push((distance, board.to_string(), value));
        }
    }
    assert_eq!(wrong.len(), 7);
    assert!(wrong.contains(&(26, "870654321".to_owned(), 28.0)));
    wrong.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));

    let naive = of("linear-conflict-naive");
    let first = naive.first_overestimate.unwrap();
    assert_eq!(
        (first.distance, first.board.to_string(), first.value),
        wrong[0]
    );
    let edge = naive.first_inconsistent.unwrap();
    assert_eq!(edge.from.slide(edge.mv), Some(edge.to));
    assert!(edge.value > edge.value_after + 1.0);
    assert!(!naive.admissible && !naive.consistent);

    let with_blank = of("misplaced-with-blank").first_overestimate.unwrap();
    assert_eq!(with_blank.board.to_string(), "123450786");
    assert_eq!((with_blank.value, with_blank.distance), (2.0, 1));
}

#[test]
fn errors_and_correlations_are_the_published_ones() {
    let two = |number: f64| format!("{number:.2}");
    assert_eq!(two(of("manhattan").mean_absolute_error), "7.97");
    assert_eq!(two(of("misplaced").mean_absolute_error), "14.86");
    let sum = of("manhattan-plus-misplaced");
    assert!(
        (0.30..0.36).contains(&(sum.overestimates as f64 / 181_440.0)),
        "{sum:?}"
    );
    assert_eq!(of("zero").correlation, None);
    assert!((of("perfect").correlation.unwrap() - 1.0).abs() < 1e-9);
}

#[test]
fn heuristics_that_call_themselves_admissible_are_proved_so_and_consistent() {
    let patterns = ["pattern:1258", "patterns:4-4"].map(|name| name.parse().unwrap());
    for name in HeuristicName::all().chain(patterns) {
        let audit = of(&name.to_string());
        assert_eq!(audit.admissible, name.is_admissible(), "{name}");
        if name.is_admissible() {
            assert!(audit.consistent, "{name}: {audit:?}");
            assert_eq!(audit.goal_value, 0.0);
        }
    }
    assert_eq!(of("perfect").exact, 181_440);
}

#[test]
fn a_heuristic_that_is_not_0_at_the_goal_is_not_consistent() {
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let one = audit(&oracle, |_| 1.0).unwrap();
    assert_eq!((one.overestimates, one.inconsistent_edges), (1, 0));
    assert!(!one.consistent);
    assert_eq!(one.first_overestimate.unwrap().board, *oracle.goal());
}
