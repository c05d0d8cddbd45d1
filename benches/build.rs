//! Time of building the whole 3x3 table, beside the usual ways to search the same boards.

use std::collections::{HashMap, VecDeque};

use divan::Bencher;
use puzzledb::Cancel;
use puzzledb::internals::{Search, go_on};
use puzzledb::puzzle::{Board, Move, Shape};
use puzzledb::space::{GoalClass, Space, StateIndex};
use puzzledb::table::{Encoding, build};

fn main() {
    divan::main();
}

fn class() -> GoalClass {
    GoalClass::new(Shape::EIGHT_PUZZLE, 8).unwrap()
}

fn table(bencher: Bencher, encoding: Encoding) {
    bencher.bench(|| build(class(), encoding, 1, &Cancel::new()).unwrap());
}

/// The bytes of a whole `full` file: search, distances, parents, checksums; one thread.
#[divan::bench]
fn ours_full_table(bencher: Bencher) {
    table(bencher, Encoding::Full);
}

/// The same in the `bit` encoding.
#[divan::bench]
fn ours_bit_table(bencher: Bencher) {
    table(bencher, Encoding::Bit);
}

/// The search alone.
#[divan::bench]
fn ours_search_only(bencher: Bencher) {
    bencher.bench(|| {
        let mut search = Search::new(class(), 1).unwrap();
        let mut states = 0;
        while let Ok(Some(level)) = search.advance(&mut go_on) {
            states += level.states();
        }
        assert_eq!(states, 181_440);
    });
}

/// Peer (a): a queue and the standard hash map from a board's nine bytes to its distance.
#[divan::bench(sample_count = 20)]
fn plain_hash_map(bencher: Bencher) {
    bencher.bench(|| {
        let goal = [1u8, 2, 3, 4, 5, 6, 7, 8, 0];
        let mut distances = HashMap::from([(goal, 0u8)]);
        let mut queue = VecDeque::from([(goal, 8usize)]);
        while let Some((board, blank)) = queue.pop_front() {
            let distance = distances[&board];
            for mv in Move::ALL {
                if let Some(to) = Shape::EIGHT_PUZZLE.step(blank, mv) {
                    let mut next = board;
                    next.swap(blank, to);
                    distances.entry(next).or_insert_with(|| {
                        queue.push_back((next, to));
                        distance + 1
                    });
                }
            }
        }
        assert_eq!(distances.len(), 181_440);
        distances
    });
}

/// Peer (b): a flat array of distances; each board is unranked, moved and ranked.
#[divan::bench(sample_count = 20)]
fn plain_rank_and_array(bencher: Bencher) {
    let goal: Board = "123456780".parse().unwrap();
    bencher.bench(|| {
        let space = Space::new(&goal).unwrap();
        let mut distances = vec![u8::MAX; 181_440];
        let start = space.rank(&goal).unwrap();
        distances[start.0 as usize] = 0;
        let mut queue = VecDeque::from([start]);
        while let Some(StateIndex(index)) = queue.pop_front() {
            let board = space.unrank(StateIndex(index));
            for next in Move::ALL.into_iter().filter_map(|mv| board.slide(mv)) {
                let next = space.rank(&next).unwrap();
                if distances[next.0 as usize] == u8::MAX {
                    distances[next.0 as usize] = distances[index as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        assert!(!distances.contains(&u8::MAX));
        distances
    });
}
