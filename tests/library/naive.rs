//! Promise: the distances are those of the plainest search there is. It is written without a line of
//! the library: boards are strings, the visited ones are in a hash map.

use std::collections::HashMap;

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Shape, parse_board};

/// Distance of every board that can be reached from `goal`.
fn breadth_first(rows: usize, columns: usize, goal: &str) -> HashMap<String, u8> {
    let mut distances = HashMap::from([(goal.to_owned(), 0)]);
    let mut level = vec![goal.to_owned()];
    for distance in 1.. {
        let mut next_level = Vec::new();
        for board in &level {
            let blank = board.find('0').unwrap();
            let (row, column) = (blank / columns, blank % columns);
            let mut cells = Vec::new();
            if row > 0 {
                cells.push(blank - columns);
            }
            if row + 1 < rows {
                cells.push(blank + columns);
            }
            if column > 0 {
                cells.push(blank - 1);
            }
            if column + 1 < columns {
                cells.push(blank + 1);
            }
            for cell in cells {
                let mut tiles = board.clone().into_bytes();
                tiles.swap(blank, cell);
                let next = String::from_utf8(tiles).unwrap();
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance);
                    next_level.push(next);
                }
            }
        }
        if next_level.is_empty() {
            return distances;
        }
        level = next_level;
    }
    unreachable!()
}

fn all_distances_agree(rows: usize, columns: usize) {
    let shape = Shape::new(rows, columns).unwrap();
    let parse = |text: &str| parse_board(text.as_bytes(), Some(shape)).unwrap();
    for blank in 0..rows * columns {
        let mut tiles: Vec<String> = (1..rows * columns).map(|tile| tile.to_string()).collect();
        tiles.insert(blank, "0".to_owned());
        let goal = tiles.concat();
        let oracle = Oracle::for_goal(&parse(&goal)).unwrap();
        let distances = breadth_first(rows, columns, &goal);
        assert_eq!(
            distances.len() as u64,
            oracle.table().unwrap().header().states()
        );
        for (board, distance) in distances {
            assert_eq!(
                oracle.distance(&parse(&board)),
                Ok(distance),
                "{board} to {goal}"
            );
        }
    }
}

#[test]
fn all_distances_of_2x2_are_those_of_strings_in_a_hash_map() {
    all_distances_agree(2, 2);
}

#[test]
fn all_distances_of_2x3_are_those_of_strings_in_a_hash_map() {
    all_distances_agree(2, 3);
}

#[test]
fn all_distances_of_2x4_are_those_of_strings_in_a_hash_map() {
    all_distances_agree(2, 4);
}

#[test]
fn all_distances_of_3x3_are_those_of_strings_in_a_hash_map() {
    all_distances_agree(3, 3);
}
