//! Promise: the distance between any two boards is that of a plain search, both ways round.

use std::collections::{HashMap, VecDeque};

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal};
use puzzledb::space::StateIndex;

/// Distances of all boards that can reach `goal`, by the plainest search.
fn plain(goal: Board) -> HashMap<Board, u8> {
    let mut distances = HashMap::from([(goal, 0)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(board) = queue.pop_front() {
        let distance = distances[&board];
        for next in Move::ALL.iter().filter_map(|&mv| board.slide(mv)) {
            distances.entry(next).or_insert_with(|| {
                queue.push_back(next);
                distance + 1
            });
        }
    }
    distances
}

fn pairs_agree(rows: usize, cols: usize, goals: usize, starts: usize) {
    let shape = Shape::new(rows, cols).unwrap();
    let oracle = Oracle::for_goal(&UsualGoal::Last.board(shape)).unwrap();
    let states = oracle.table().unwrap().header().states();
    let pair = |start: &Board, goal: &Board| oracle.with_goal(goal).unwrap().distance(start);
    let mut x = 11u64;
    let mut random = || {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        oracle
            .space()
            .unwrap()
            .unrank(StateIndex((x >> 33) % states))
    };
    for _ in 0..goals {
        let goal = random();
        let distances = plain(goal);
        let to_goal = Oracle::for_goal(&goal).unwrap();
        for _ in 0..starts {
            let start = random();
            assert_eq!(pair(&start, &goal), Ok(distances[&start]));
            assert_eq!(pair(&goal, &start), Ok(distances[&start]));
            let moves = to_goal.solve(&start).unwrap();
            assert_eq!(moves.len(), usize::from(distances[&start]));
            assert_eq!(start.replay(&moves), Ok(goal));
        }
        let unsolvable = random().with_two_tiles_exchanged();
        assert!(pair(&unsolvable, &goal).is_err());
    }
}

#[test]
fn of_two_by_three_boards() {
    pairs_agree(2, 3, 60, 60);
    pairs_agree(3, 2, 20, 60);
}

#[test]
fn of_the_eight_puzzle() {
    pairs_agree(3, 3, 8, 300);
}
