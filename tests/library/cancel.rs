//! Work that is cancelled ends with an error that says so.

use std::time::Duration;

use puzzledb::ask::SolutionRecord;
use puzzledb::internals::{Question, Solver};
use puzzledb::oracle::generate::Request;
use puzzledb::oracle::{Limits, Oracle, OracleError, QueryError};
use puzzledb::pattern::{Partition, PatternBuildError, Patterns};
use puzzledb::puzzle::{Board, Shape, UsualGoal, parse_board, random_board};
use puzzledb::search::{
    Algorithm, BoardHeuristic, EffortError, Efforts, Failure, GoalTest, Settings, Watch,
    search_watched,
};
use puzzledb::{Cancel, Cancelled};

fn goal(shape: &str) -> Board {
    UsualGoal::First.board(shape.parse().unwrap())
}

/// Board of 80 moves, which takes hours with patterns of three tiles.
fn hard() -> Board {
    let board = parse_board(b"15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", None);
    board.unwrap()
}

fn set() -> Cancel {
    let cancel = Cancel::new();
    cancel.cancel();
    cancel
}

fn with_patterns_of_three(goal: &Board) -> Oracle {
    let partition = Partition::new(goal, &"3".parse().unwrap()).unwrap();
    Oracle::from_database(Patterns::build(&partition).unwrap(), goal).unwrap()
}

#[test]
fn every_question_to_patterns_is_cancelled() {
    let (goal, board) = (goal("4x4"), hard());
    let asked = with_patterns_of_three(&goal).with_cancel(&set());
    let cancelled = Some(QueryError::Cancelled);
    assert_eq!(asked.distance(&board).err(), cancelled);
    assert_eq!(asked.solve(&board).err(), cancelled);
    assert_eq!(asked.count_solutions(&board).err(), cancelled);
    assert_eq!(asked.solve_and_count(&board).err(), cancelled);
    assert_eq!(asked.solutions(&board).err(), cancelled);
    assert_eq!(asked.first_solutions(&board, 2).err(), cancelled);
    assert_eq!(asked.optimal_moves(&board).err(), cancelled);
    assert_eq!(asked.probe(&board).err(), cancelled);
    let far = asked.generate(&Request::new(60..=60, 1, 1)).unwrap_err();
    assert!(far.to_string().contains("cancelled"), "{far}");
    assert_eq!(SolutionRecord::solve(&asked, &board).err(), cancelled);
    // A second flag, which is not set, replaces the first; the goal is another.
    let near = random_board(&"123456780".parse().unwrap(), 1);
    let eight = with_patterns_of_three(&"123456780".parse().unwrap());
    let eight = eight.with_cancel(&set()).with_cancel(&Cancel::new());
    assert!(eight.distance(&near).is_ok());
}

/// Patterns are made by the first query. A query that is cancelled while it waits for them has no answer, and one
/// that is not cancelled makes them.
#[test]
fn the_making_of_patterns_and_the_wait_for_them_are_cancelled() {
    let (goal, board) = (goal("4x4"), hard());
    let oracle = Oracle::by_search(&goal).unwrap();
    let cancelled = oracle.clone().with_cancel(&set());
    assert_eq!(cancelled.distance(&board), Err(QueryError::Cancelled));
    let near = random_board(&goal, 1);
    let distance = oracle.distance(&near).unwrap();
    assert_eq!(
        cancelled.with_goal(&goal).unwrap().probe(&near).err(),
        Some(QueryError::Cancelled)
    );
    assert_eq!(oracle.distance(&near), Ok(distance));

    for names in ["6-6-3", "8-7"] {
        let partition = Partition::new(&goal, &names.parse().unwrap()).unwrap();
        for levels in [1, 4] {
            let cancel = Cancel::new();
            let built = Patterns::build_observed(&partition, &cancel, |progress| {
                if progress.distance >= levels {
                    cancel.cancel();
                }
            });
            assert!(
                matches!(built, Err(PatternBuildError::Cancelled)),
                "{names}"
            );
        }
    }
}

/// Cancels searches on one thread and on several, from another thread.
#[test]
fn a_search_with_patterns_ends_from_another_thread() {
    let (goal, board) = (goal("4x4"), hard());
    let partition = Partition::new(&goal, &"3".parse().unwrap()).unwrap();
    let solver = Solver::new(Patterns::build(&partition).unwrap().into(), &goal).unwrap();
    for parallel in [true, false] {
        let cancel = Cancel::new();
        let (started, starts) = std::sync::mpsc::channel();
        let ended = std::thread::scope(|scope| {
            let mut solver = solver.clone();
            (solver.search.parallel, solver.search.cancel) = (parallel, cancel.clone());
            let search = scope.spawn(move || {
                let observe = move |_, visited| {
                    if visited > 1_000_000 {
                        let _ = started.send(());
                    }
                };
                solver.run(&Question {
                    observe: &observe,
                    ..Question::new(&board)
                })
            });
            starts.recv().unwrap();
            cancel.cancel();
            search.join().unwrap()
        });
        let ended = ended.unwrap();
        assert!(ended.count == 0 && (20..80).contains(&ended.distance)); // moves at least
        assert!(ended.visited > 900_000); // a part ends within 4096
    }
}

/// Look-ups take no time, so they are answered. Queries that go through many states are cancelled.
#[test]
fn what_goes_through_a_table_is_cancelled() {
    let shape: Shape = "3x3".parse().unwrap();
    let oracle = Oracle::for_shape(shape).unwrap();
    let (goal, board): (Board, Board) = (*oracle.goal(), "867254301".parse().unwrap());
    let cancelled = oracle.clone().with_cancel(&set());
    let error = Some(QueryError::Cancelled);
    assert_eq!(cancelled.distance(&board), Ok(31));
    assert_eq!(cancelled.solve(&board).map(|moves| moves.len()), Ok(31));
    assert_eq!(cancelled.count_solutions(&board).err(), error);
    assert_eq!(cancelled.probe(&board).err(), error);
    assert_eq!(cancelled.count_all_solutions().err(), error);
    assert_eq!(cancelled.detailed_stats().err(), error);
    assert_eq!(cancelled.distances().err(), error);
    let at = cancelled.boards_at(31).err().unwrap();
    assert!(matches!(at, OracleError::Query(QueryError::Cancelled)));
    let mut unique = Request::new(20..=20, 1, 1);
    unique.unique = true;
    assert!(cancelled.generate(&unique).is_err());
    let zero = BoardHeuristic::new(&"zero".parse().unwrap(), &goal).unwrap();
    for algorithm in [Algorithm::AStar, Algorithm::IdaStar] {
        let efforts = Efforts::new(&cancelled, algorithm, &zero);
        let bounds = efforts.and_then(|efforts| efforts.of(&board, GoalTest::Late));
        let error = bounds.unwrap_err();
        let is_cancelled = matches!(error, EffortError::Query(QueryError::Cancelled))
            || matches!(
                &error,
                EffortError::Oracle(OracleError::Query(QueryError::Cancelled))
            );
        assert!(is_cancelled, "{error}");
    }
    // An oracle keeps the flag for another goal, and the original oracle has none.
    let other = cancelled.with_goal(&"012345678".parse().unwrap()).unwrap();
    assert_eq!(other.detailed_stats().err(), error);
    assert!(oracle.detailed_stats().is_ok());
    oracle.count_all_solutions().unwrap(); // a look-up from now on, for all oracles that share them
    assert_eq!(cancelled.count_solutions(&board), Ok(40));
}

#[test]
fn every_algorithm_is_cancelled() {
    let (board, goal): (Board, Board) =
        ("867254301".parse().unwrap(), "123456780".parse().unwrap());
    for algorithm in Algorithm::all() {
        let settings = Settings::new(algorithm);
        let heuristic = BoardHeuristic::new(&settings.heuristic, &goal).unwrap();
        let watch = Watch::with_cancel(&set());
        let report = search_watched(&board, &goal, &settings, &heuristic, watch).unwrap();
        assert_eq!(report.result, Err(Failure::Cancelled), "{algorithm}");
    }
    assert_eq!(Failure::Cancelled.to_string(), Cancelled.to_string());
    let over = Cancel::new().within(Duration::ZERO);
    assert_eq!(over.check(), Err(Cancelled));
}

/// Korf's 28th board has 31 solutions. Its distance and the first of them need no count.
#[test]
fn a_count_has_a_bound_of_its_own() {
    let (goal, board) = (
        goal("4x4"),
        parse_board(b"13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7", None),
    );
    let board = board.unwrap();
    let partition = Partition::new(&goal, &"6-6-3".parse().unwrap()).unwrap();
    let all = Oracle::from_database(Patterns::build(&partition).unwrap(), &goal).unwrap();
    let few = all.clone().with_limits(Limits {
        counted: 1,
        ..Limits::DEFAULT
    });
    let (moves, count) = all.solve_and_count(&board).unwrap();
    assert_eq!((moves.len(), count), (52, Some(31)));
    assert_eq!(few.solve_and_count(&board), Ok((moves, None)));
    let (counted, not_counted) = (all.probe(&board).unwrap(), few.probe(&board).unwrap());
    assert_eq!(
        (counted.solution_count, not_counted.solution_count),
        (Some(31), None)
    );
    assert_eq!(counted.steps, not_counted.steps);
    assert_eq!(all.optimal_moves(&board), few.optimal_moves(&board));
    // Queries for the count alone, or for all solutions, are answered.
    assert_eq!(few.count_solutions(&board), Ok(31));
    assert_eq!(few.first_solutions(&board, 3).unwrap().1, Some(31));
    assert_eq!(few.probe(&goal).unwrap().distance, 0);
    assert_eq!(few.optimal_moves(&goal), Ok(vec![]));
}
