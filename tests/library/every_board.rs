//! Promise: the oracle's answers are right for every single board.

use puzzledb::Cancel;
use puzzledb::oracle::{Oracle, check::check};
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal};
use puzzledb::space::StateIndex;
use puzzledb::table::{Encoding, Table};

fn oracle(rows: usize, cols: usize, encoding: Encoding) -> Oracle {
    let goal = UsualGoal::Last.board(Shape::new(rows, cols).unwrap());
    let table = Table::from_bytes(crate::bytes::database(rows, cols, encoding)).unwrap();
    Oracle::from_database(table, &goal).unwrap()
}

/// Distances of all boards by state index, by a plain breadth-first search.
fn plain_distances(oracle: &Oracle) -> Vec<u8> {
    let states = oracle.table().unwrap().header().states() as usize;
    let mut distances = vec![u8::MAX; states];
    let mut level = vec![*oracle.goal()];
    distances[oracle.space().unwrap().rank(oracle.goal()).unwrap().0 as usize] = 0;
    for distance in 1.. {
        let mut next_level = Vec::new();
        for next in level
            .iter()
            .flat_map(|b| Move::ALL.map(|mv| b.slide(mv)))
            .flatten()
        {
            let index = oracle.space().unwrap().rank(&next).unwrap().0 as usize;
            if distances[index] == u8::MAX {
                distances[index] = distance;
                next_level.push(next);
            }
        }
        if next_level.is_empty() {
            return distances;
        }
        level = next_level;
    }
    unreachable!()
}

fn every_board(rows: usize, cols: usize) {
    let full = oracle(rows, cols, Encoding::Full);
    let bit = oracle(rows, cols, Encoding::Bit);
    let distances = plain_distances(&full);
    let mut moves = Vec::new();
    for index in (0..full.table().unwrap().header().states()).map(StateIndex) {
        let board = full.space().unwrap().unrank(index);
        let distance = distances[index.0 as usize];
        assert_eq!(full.space().unwrap().rank(&board), Ok(index));
        assert_eq!(full.distance(&board), Ok(distance));
        assert_eq!(bit.distance(&board), Ok(distance));
        full.solve_into(&board, &mut moves).unwrap();
        assert_eq!(moves.len(), usize::from(distance));
        assert_eq!(board.replay(&moves), Ok(*full.goal()));
        assert_eq!(bit.solve(&board).as_ref(), Ok(&moves));
        let is_closer = |mv: &Move| {
            let next = board
                .slide(*mv)
                .map(|b| full.space().unwrap().rank(&b).unwrap().0 as usize);
            next.is_some_and(|next| distances[next] < distance)
        };
        let closer: Vec<Move> = Move::ALL.into_iter().filter(is_closer).collect();
        assert_eq!(full.optimal_moves(&board).as_ref(), Ok(&closer));
        assert_eq!(bit.optimal_moves(&board), Ok(closer));
    }
}

#[test]
fn of_the_eight_puzzle() {
    every_board(3, 3);
}

#[test]
fn of_the_small_shapes_in_both_orientations() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        every_board(rows, cols);
    }
}

#[test]
fn tables_of_every_class_are_proved() {
    for (rows, cols) in [(2, 2), (2, 3), (2, 4), (3, 3)] {
        let shape = Shape::new(rows, cols).unwrap();
        for class in puzzledb::space::GoalClass::all(shape).unwrap() {
            for encoding in [Encoding::Full, Encoding::Bit] {
                let bytes = puzzledb::table::build(class, encoding, 1, &Cancel::new()).unwrap();
                let proof = check(&Table::from_bytes(bytes.unwrap()).unwrap()).unwrap();
                assert_eq!(proof.states, class.states());
            }
        }
    }
}

/// Shapes of 239,500,800 states each: their tables are proved on planes and by drawn states.
#[test]
#[ignore = "full run"]
fn tables_of_the_large_spaces_are_proved_and_their_boards_solved() {
    for (rows, cols) in [(3, 4), (6, 2)] {
        let oracle = oracle(rows, cols, Encoding::Bit);
        let states = oracle.table().unwrap().header().states();
        let proof = check(oracle.table().unwrap()).unwrap();
        assert_eq!((proof.states, proof.sampled), (states, 1_000_000));
        let mut x = 5u64;
        for _ in 0..2_000 {
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let board = oracle.space().unwrap().unrank(StateIndex(x % states));
            let moves = oracle.solve(&board).unwrap();
            assert_eq!(oracle.distance(&board), Ok(moves.len() as u8));
            assert_eq!(board.replay(&moves), Ok(*oracle.goal()));
        }
    }
}

#[test]
fn all_solutions_are_different_optimal_and_as_many_as_counted() {
    let oracle = oracle(3, 3, Encoding::Full);
    let mut x = 7u64;
    for _ in 0..2_000 {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let board = oracle
            .space()
            .unwrap()
            .unrank(StateIndex((x >> 33) % 181_440));
        let all: Vec<Vec<Move>> = oracle.solutions(&board).unwrap().collect();
        assert_eq!(all.len() as u64, oracle.count_solutions(&board).unwrap());
        assert_eq!(all[0], oracle.solve(&board).unwrap());
        let distance = usize::from(oracle.distance(&board).unwrap());
        for moves in &all {
            assert_eq!(moves.len(), distance);
            assert_eq!(board.replay(moves), Ok(*oracle.goal()));
        }
        let different: std::collections::HashSet<&Vec<Move>> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }
}

#[test]
fn any_goal_is_served_by_the_table_of_its_class() {
    for goal in [
        "813402765",
        "281043765",
        "867254301",
        "120483765",
        "123804765",
    ] {
        let goal: Board = goal.parse().unwrap();
        let there = Oracle::for_goal(&goal).unwrap();
        assert_eq!(plain_distances(&there), {
            let distance = |i| {
                there
                    .distance(&there.space().unwrap().unrank(StateIndex(i)))
                    .unwrap()
            };
            (0..181_440).map(distance).collect::<Vec<u8>>()
        });
    }
}

#[test]
#[ignore = "full run"]
fn every_thread_count_makes_the_same_bytes_of_a_large_space_too() {
    let class = puzzledb::space::GoalClass::new(Shape::new(3, 4).unwrap(), 11).unwrap();
    let bytes = |threads| {
        puzzledb::table::build(class, Encoding::Bit, threads, &Cancel::new())
            .unwrap()
            .unwrap()
    };
    assert!(bytes(1) == bytes(3));
}

#[test]
fn every_thread_count_makes_the_same_bytes() {
    let shape = Shape::new(2, 5).unwrap();
    let class = puzzledb::space::GoalClass::new(shape, 9).unwrap();
    for encoding in [Encoding::Full, Encoding::Bit] {
        let bytes = |threads| {
            puzzledb::table::build(class, encoding, threads, &Cancel::new())
                .unwrap()
                .unwrap()
        };
        let one = bytes(1);
        assert!([2, 3, 7].into_iter().all(|threads| bytes(threads) == one));
    }
}
