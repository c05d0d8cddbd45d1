//! Solutions within a time, and the bounds proved for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use puzzledb::internals::{Solver, anytime};
use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::pattern::{Partition, PatternBuildError, Patterns};
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal, generate_by_walk, random_board};
use puzzledb::search::{AnytimeSettings, BoardHeuristic, Bounds, HeuristicName};
use puzzledb::space::SpaceError;
use puzzledb::{Cancel, Oracle};

fn solve(
    board: &Board,
    goal: &Board,
    first: Option<&[Move]>,
    within: Option<Duration>,
) -> Result<Bounds, SpaceError> {
    let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, goal).unwrap();
    let mut settings = AnytimeSettings::new(within);
    settings.threads = 2.try_into().unwrap();
    settings.first = first.map(<[Move]>::to_vec);
    anytime(board, goal, (&heuristic, None), &settings, &|_, _| ())
}

/// Time after its end at which a search counts as hanging.
const HANGS: Duration = Duration::from_secs(600);

fn within(millis: u64) -> Option<Duration> {
    Some(Duration::from_millis(millis))
}

#[test]
#[ignore = "full run"]
fn published_boards_of_the_24_puzzle_get_good_solutions_and_true_bounds() {
    let goal = UsualGoal::First.board(Shape::new(5, 5).unwrap());
    let text = include_str!("../../data/korf24-5.csv");
    let rows = text
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let (board, optimum): (Board, usize) =
            (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        let found = solve(&board, &goal, None, within(300)).unwrap();
        assert_eq!(board.replay(&found.moves), Ok(goal));
        assert!((70..=optimum).contains(&found.at_least), "{row} {found:?}");
        assert!(
            (optimum..4 * optimum).contains(&found.moves.len()),
            "{row} {found:?}"
        );
        assert_eq!(found.at_least % 2, optimum % 2, "{row}");
    }
}

#[test]
fn with_patterns_the_bound_rises_to_the_optimum() {
    let goal = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
    let patterns = Patterns::build(&Partition::up_to(&goal, 5).unwrap()).unwrap();
    let solver = Solver::new(patterns.into(), &goal).unwrap();
    let heuristic = BoardHeuristic::from_patterns(Arc::clone(&solver.patterns), &goal).unwrap();
    for seed in 0..4 {
        let board = generate_by_walk(&goal, 60, 1, seed).next().unwrap();
        let optimum = solver.solve(&board).unwrap().distance as usize;
        for (threads, time) in [(1, None), (2, None), (1, within(1)), (2, within(20))] {
            let mut settings = AnytimeSettings::new(time);
            settings.threads = threads.try_into().unwrap();
            let found = anytime(&board, &goal, (&heuristic, None), &settings, &|_, _| ()).unwrap();
            assert_eq!(board.replay(&found.moves), Ok(goal));
            assert!(found.at_least <= optimum && optimum <= found.moves.len());
            assert!(
                time.is_some() || found.distance.is_some(),
                "{board} {found:?}"
            );
        }
    }
}

#[test]
fn every_shape_is_solved_in_time_to_any_goal() {
    for shape in [
        "2x2", "2x8", "8x2", "4x4", "5x6", "6x6", "7x7", "8x8", "2x32",
    ] {
        let shape: Shape = shape.parse().unwrap();
        for goal in UsualGoal::ALL {
            let goal = random_board(&goal.board(shape), 1);
            let board = random_board(&goal, 2);
            let started = Instant::now();
            let found = solve(&board, &goal, None, within(30)).unwrap();
            assert_eq!(board.replay(&found.moves), Ok(goal));
            assert!(started.elapsed() < HANGS, "{shape}");
        }
    }
}

#[test]
fn with_time_enough_the_solution_is_proved_to_be_a_shortest() {
    let goal: Board = "123456780".parse().unwrap();
    let oracle = Oracle::for_goal(&goal).unwrap();
    for board in draw(&oracle, Draw::PerDistance(1), 0, 1).unwrap() {
        let found = solve(&board, &goal, None, None).unwrap();
        let distance = usize::from(oracle.distance(&board).unwrap());
        assert_eq!((found.moves.len(), found.at_least), (distance, distance));
        assert!(found.distance.is_some() && board.replay(&found.moves) == Ok(goal));
    }
    for shape in ["4x4", "5x5", "8x8"] {
        let goal = UsualGoal::Spiral.board(shape.parse().unwrap());
        for board in generate_by_walk(&goal, 24, 3, 1) {
            let found = solve(&board, &goal, None, None).unwrap();
            assert!(found.distance.is_some() && found.moves.len() <= 24);
        }
    }
}

#[test]
fn a_solution_to_begin_with_is_shortened_and_never_lengthened() {
    let goal = UsualGoal::Last.board(Shape::new(5, 5).unwrap());
    for board in generate_by_walk(&goal, 20, 3, 1) {
        let best = solve(&board, &goal, None, None).unwrap().moves;
        let first = [&best[..], &[Move::Up, Move::Down].repeat(20)].concat();
        let found = solve(&board, &goal, Some(&first), None).unwrap();
        assert_eq!(found.moves.len(), best.len());
    }
    let board = random_board(&goal, 1);
    let first = solve(&board, &goal, None, within(1)).unwrap().moves;
    let found = solve(&board, &goal, Some(&first), within(20)).unwrap();
    assert!(found.moves.len() <= first.len());
    assert_eq!(board.replay(&found.moves), Ok(goal));
}

#[test]
fn boards_without_a_solution_say_so() {
    let goal = UsualGoal::Last.board(Shape::new(6, 6).unwrap());
    let board = random_board(&goal, 1).with_two_tiles_exchanged();
    let error = solve(&board, &goal, None, None).unwrap_err();
    let boards = (Box::new(board), Box::new(goal));
    assert_eq!(
        error,
        SpaceError::Unsolvable {
            board: boards.0,
            goal: boards.1
        }
    );
    let other = "123456780".parse().unwrap();
    assert!(matches!(
        solve(&other, &goal, None, None),
        Err(SpaceError::OtherShape { .. })
    ));
}

#[test]
fn a_search_without_end_can_be_cancelled_and_gives_what_it_has() {
    let goal = UsualGoal::Last.board(Shape::new(6, 6).unwrap());
    let heuristic = BoardHeuristic::new(&HeuristicName::Zero, &goal).unwrap();
    let board = random_board(&goal, 1);
    for threads in [1, 3] {
        let mut settings = AnytimeSettings::new(None);
        settings.threads = threads.try_into().unwrap();
        let cancel = settings.cancel.clone();
        let improvements = AtomicUsize::new(0);
        let found = anytime(&board, &goal, (&heuristic, None), &settings, &|_, _| {
            if improvements.fetch_add(1, Ordering::Relaxed) == 8 {
                cancel.cancel();
            }
        });
        let found = found.unwrap();
        assert_eq!(board.replay(&found.moves), Ok(goal));
        assert!(found.distance.is_none());
    }
}

/// Cancels a search while patterns are built and beams look for solutions. The result is that of the beams.
#[test]
#[ignore = "full run"]
fn a_search_that_is_cancelled_while_patterns_are_made_gives_what_it_has() {
    let goal = UsualGoal::Last.board(Shape::new(5, 5).unwrap());
    let heuristic = BoardHeuristic::new(&HeuristicName::LinearConflict, &goal).unwrap();
    let board = random_board(&goal, 1);
    let partition = Partition::up_to(&goal, 4).unwrap();
    for threads in [1, 2] {
        let mut settings = AnytimeSettings::new(None);
        settings.threads = threads.try_into().unwrap();
        let flag = settings.cancel.clone();
        let make = |cancel: &Cancel| {
            flag.cancel();
            assert!(cancel.is_cancelled());
            let built = Patterns::build_observed(&partition, cancel, |_| ());
            assert!(matches!(built, Err(PatternBuildError::Cancelled)));
            None
        };
        let prover = (&heuristic, Some(&make as _));
        let found = anytime(&board, &goal, prover, &settings, &|_, _| ()).unwrap();
        assert_eq!(board.replay(&found.moves), Ok(goal));
        assert!(found.at_least >= 60, "{found:?}");
    }
}

/// Patterns that are made later prove the optimum.
#[test]
fn patterns_that_are_made_meanwhile_prove_the_optimum() {
    let goal = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
    let zero = BoardHeuristic::new(&HeuristicName::Zero, &goal).unwrap();
    let patterns = Patterns::build(&Partition::up_to(&goal, 5).unwrap()).unwrap();
    let solver = Solver::new(patterns.into(), &goal).unwrap();
    let make = |_: &Cancel| BoardHeuristic::from_patterns(Arc::clone(&solver.patterns), &goal).ok();
    for (seed, threads) in [(1, 1), (2, 2), (3, 3)] {
        let board = generate_by_walk(&goal, 60, 1, seed).next().unwrap();
        let mut settings = AnytimeSettings::new(None);
        settings.threads = threads.try_into().unwrap();
        let prover = (&zero, Some(&make as _));
        let found = anytime(&board, &goal, prover, &settings, &|_, _| ()).unwrap();
        assert_eq!(
            found.moves.len() as u32,
            solver.solve(&board).unwrap().distance
        );
        assert!(found.distance.is_some() && board.replay(&found.moves) == Ok(goal));
    }
}

/// Boards of 79 and 80 moves, and shapes without a table: a doubt is an answer.
#[test]
fn an_oracle_answers_bounds_where_the_distance_is_not_proved_in_time() {
    let hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"; // 80 moves from the goal with the blank first
    let fifteen = UsualGoal::First.board(Shape::new(4, 4).unwrap());
    let board = puzzledb::puzzle::parse_board(hard.as_bytes(), None).unwrap();
    let mut boards = vec![(fifteen, board), (fifteen, board.slide(Move::Up).unwrap())];
    for &(rows, cols) in crate::full::sample(&[(4, 5), (8, 8), (5, 5), (6, 6)], 2) {
        let goal = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
        boards.push((goal, random_board(&goal, 1)));
    }
    for (goal, board) in boards {
        let oracle = Oracle::for_goal(&goal).unwrap();
        for cancelled in [false, true] {
            let mut settings = AnytimeSettings::new(within(400));
            if cancelled {
                settings.cancel.cancel();
                settings.within = None;
            }
            let found = oracle.solve_within(&board, &settings).unwrap();
            assert_eq!(board.replay(&found.moves), Ok(goal));
            assert_eq!(found.moves.len(), found.at_most);
            assert_eq!(found.distance, None, "{goal} {found:?}");
            assert!(found.at_least < found.at_most);
            assert!(cancelled || found.at_least > 40, "{goal} {found:?}");
            if goal == fifteen {
                assert!(found.at_least <= 80 && 79 <= found.at_most);
            }
        }
    }
    let three = Oracle::for_shape(Shape::EIGHT_PUZZLE).unwrap();
    let found = three.solve_within(&"647850321".parse().unwrap(), &AnytimeSettings::new(None));
    assert_eq!(found.unwrap().distance, Some(31));
}
