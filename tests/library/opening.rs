//! Promise: a database is opened for the goal and the orientation that its user means.

use std::ops::ControlFlow;

use puzzledb::oracle::{Oracle, OracleError};
use puzzledb::puzzle::{Board, Shape, UsualGoal};
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, build};

/// File of the class of goals of `shape` with the blank in a cell.
fn file(shape: Shape, blank: usize) -> tempfile::NamedTempFile {
    let class = GoalClass::new(shape, blank).unwrap();
    let bytes = build(class, Encoding::Bit, 1, |_| ControlFlow::Continue(()));
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
    let other = first.for_goal(&goal).unwrap();
    let counts = other.count_all_solutions().unwrap();
    for (board, solutions) in boards.iter().zip(one_by_one) {
        assert_eq!(first.count_solutions(board), solutions);
        assert_eq!(Ok(counts.get(first.rank(board).unwrap())), solutions);
    }
    assert!(std::sync::Arc::ptr_eq(
        &first.clone().into_table(),
        &other.into_table()
    ));
}
