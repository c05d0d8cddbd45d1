//! Promise: a database is opened for the goal and the orientation that its user means.

use puzzledb::Cancel;
use puzzledb::Oracle;
use puzzledb::oracle::generate::Request;
use puzzledb::oracle::{OracleError, QueryError};
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::{Board, Shape, UsualGoal};
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, build};

/// File of the class of goals of `shape` with the blank in a cell.
fn file(shape: Shape, blank: usize) -> tempfile::NamedTempFile {
    let class = GoalClass::new(shape, blank).unwrap();
    let bytes = build(class, Encoding::Bit, 1, &Cancel::new());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes.unwrap().unwrap()).unwrap();
    file
}

#[test]
fn a_database_opens_for_the_default_goal_of_boards_that_are_wider_than_high() {
    let tall = Shape::new(4, 2).unwrap();
    let file = file(tall, 7);
    let wide = Oracle::open(file.path()).unwrap();
    assert_eq!(*wide.goal(), UsualGoal::Last.board(tall.transposed()));
    let goal = UsualGoal::First.board(tall);
    let other = Oracle::open_for(file.path(), &goal).unwrap();
    assert_eq!((other.shape(), other.distance(&goal)), (tall, Ok(0)));
    let same = wide.boards_at(12).unwrap().len();
    assert_eq!(other.boards_at(12).unwrap().len(), same);
}

#[test]
fn a_database_of_other_goals_opens_only_for_a_goal_that_is_named() {
    let file = file(Shape::EIGHT_PUZZLE, 4);
    let refused = Oracle::open(file.path()).unwrap_err();
    assert!(matches!(refused, OracleError::OtherClass { .. }));
    let spiral: Board = "123804765".parse().unwrap();
    let oracle = Oracle::open_for(file.path(), &spiral).unwrap();
    assert_eq!(oracle.distance(&spiral), Ok(0));
}

#[test]
fn oracles_of_one_table_share_it_and_its_solution_counts() {
    let first = Oracle::for_shape(Shape::new(2, 3).unwrap()).unwrap();
    let boards: Vec<Board> = first.boards_at(15).unwrap().collect();
    let one_by_one: Vec<_> = boards.iter().map(|b| first.count_solutions(b)).collect();
    let goal = UsualGoal::First.board(first.shape());
    let other = first.with_goal(&goal).unwrap();
    let counts = other.count_all_solutions().unwrap();
    for (board, solutions) in boards.iter().zip(one_by_one) {
        assert_eq!(first.count_solutions(board), solutions);
        assert_eq!(
            Ok(counts[first.space().unwrap().rank(board).unwrap().0 as usize]),
            solutions
        );
    }
    assert!(std::sync::Arc::ptr_eq(
        first.table().unwrap(),
        other.table().unwrap()
    ));
}

#[test]
fn the_oracle_chooses_a_table_in_memory_a_file_or_patterns() {
    let (three, four) = (Shape::EIGHT_PUZZLE, Shape::new(4, 4).unwrap());
    let table = Oracle::for_shape(three).unwrap();
    assert!(table.table().is_some());
    assert_eq!(table.stats().unwrap().histogram.len(), 32);
    assert_eq!(table.boards_at(31).unwrap().len(), 2);

    let searches = Oracle::for_shape(four).unwrap();
    let needs_table = QueryError::NeedsTable { shape: four };
    assert_eq!(searches.stats().err(), Some(needs_table));
    assert!(searches.boards_at(1).is_err());
    for oracle in [&table, &searches] {
        let drawn = oracle.generate(&Request::new(20..=20, 2, 1)).unwrap();
        for board in drawn {
            let moves = oracle.solve(&board).unwrap();
            assert_eq!((moves.len(), oracle.distance(&board)), (20, Ok(20)));
            assert!(
                oracle
                    .judge_moves(&board, &moves)
                    .unwrap()
                    .verdict
                    .is_right()
            );
        }
    }

    let (whole, patterns) = (file(three, 8), tempfile::NamedTempFile::new().unwrap());
    let goal = UsualGoal::Last.board(three);
    let built = Patterns::build(&Partition::up_to(&goal, 4).unwrap()).unwrap();
    built.write(&mut patterns.as_file()).unwrap();
    let board: Board = "704851632".parse().unwrap();
    for path in [whole.path(), patterns.path()] {
        let (any, named) = (Oracle::open(path), Oracle::open_for(path, &goal));
        for oracle in [any.unwrap(), named.unwrap()] {
            assert_eq!((oracle.goal(), oracle.distance(&board)), (&goal, Ok(19)));
        }
    }
    let wide = UsualGoal::Last.board(four);
    assert!(Oracle::open_for(whole.path(), &wide).is_err());
    assert!(Oracle::open_for(patterns.path(), &wide).is_err());
}

#[test]
fn patterns_open_for_the_default_goal_of_boards_that_are_wider_than_high() {
    let wide = UsualGoal::Last.board(Shape::new(2, 4).unwrap());
    let first = UsualGoal::First.board(Shape::new(2, 4).unwrap());
    let centre: Board = "123804765".parse().unwrap();
    for (goal, opened) in [(&wide, Some(wide)), (&first, Some(wide)), (&centre, None)] {
        let file = tempfile::NamedTempFile::new().unwrap();
        let built = Patterns::build(&Partition::up_to(goal, 3).unwrap()).unwrap();
        built.write(&mut file.as_file()).unwrap();
        let oracle = Oracle::open(file.path());
        assert_eq!(oracle.ok().map(|oracle| *oracle.goal()), opened, "{goal}");
        assert_eq!(Oracle::open_for(file.path(), goal).unwrap().goal(), goal);
    }
}
