//! Promise: a search with pattern databases finds the answers of a table.

use std::collections::{HashMap, VecDeque};

use puzzledb::ask::SolutionRecord;
use puzzledb::internals::{Question, Solver};
use puzzledb::oracle::{Limits, Oracle, QueryError};
use puzzledb::pattern::{Partition, PartitionError, PatternNames, Patterns};
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal, parse_board};
use puzzledb::space::StateIndex;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn solver(goal: &Board, names: &str) -> Solver {
    let partition = Partition::new(goal, &names.parse().unwrap()).unwrap();
    Solver::new(Patterns::build(&partition).unwrap().into(), goal).unwrap()
}

/// Goals of all classes of 3x3, and of shapes of either orientation.
const GOALS: [(&str, &str); 7] = [
    ("3x3", "123456780"),
    ("3x3", "123804765"),
    ("3x3", "513046827"),
    ("2x5", "1234567890"),
    ("5x2", "0987654321"),
    ("2x4", "12034567"),
    ("2x2", "1230"),
];

#[test]
#[ignore = "full run"]
fn no_sum_of_patterns_is_above_the_distance_of_any_board_of_three_by_three() {
    for (goal, names) in [
        ("123456780", "4-4"),
        ("123804765", "3-3-2"),
        ("513046827", "5-3"),
    ] {
        let goal: Board = goal.parse().unwrap();
        let (oracle, solver) = (Oracle::for_goal(&goal).unwrap(), solver(&goal, names));
        let mut nearly = 0u32;
        for index in 0..181_440 {
            let board = oracle.space().unwrap().unrank(StateIndex(index));
            let distance = u32::from(oracle.distance(&board).unwrap());
            let bound = solver.bound(&board).unwrap();
            assert!(
                bound <= distance && (distance - bound).is_multiple_of(2),
                "{board}"
            );
            nearly += u32::from(bound + 4 >= distance);
        }
        assert!(nearly > 45_000, "{goal} {names}: {nearly}");
    }
}

#[test]
fn lengths_solutions_counts_and_probes_are_those_of_the_table_for_any_goal() {
    for (shape, goal) in GOALS {
        let goal = parse_board(goal.as_bytes(), Some(shape.parse().unwrap())).unwrap();
        let table = Oracle::for_goal(&goal).unwrap();
        let tiles = goal.shape().tiles();
        let patterns = Patterns::build(&Partition::up_to(&goal, 3.min(tiles)).unwrap()).unwrap();
        let oracle = Oracle::from_database(patterns, &goal).unwrap();
        let states = table.table().unwrap().header().states();
        for index in (0..states).step_by(states.div_ceil(60) as usize) {
            let board = table.space().unwrap().unrank(StateIndex(index));
            let distance = table.distance(&board).unwrap();
            assert_eq!(oracle.distance(&board).unwrap(), distance, "{board} {goal}");
            let mut expected: Vec<Vec<Move>> = table.solutions(&board).unwrap().collect();
            expected.sort_unstable();
            assert!(oracle.solutions(&board).unwrap().eq(expected.clone()));
            assert_eq!(oracle.solve(&board).unwrap(), expected[0]);
            assert_eq!(oracle.probe(&board).unwrap(), table.probe(&board).unwrap());
            assert_eq!(
                oracle.optimal_moves(&board).unwrap(),
                table.optimal_moves(&board).unwrap()
            );
        }
    }
}

#[test]
fn korf_s_boards_have_their_published_lengths_on_one_thread_and_on_several() {
    let text = include_str!("../../data/korf-100.csv");
    let goal = UsualGoal::First.board(Shape::new(4, 4).unwrap());
    let solver = solver(&goal, "6-6-3");
    let mut one_thread = solver.clone();
    one_thread.search.parallel = false;
    let (most, count) = if crate::full::is_full() {
        (55, 66)
    } else {
        (50, 32)
    };
    let mut boards = 0;
    for line in text
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
    {
        let fields: Vec<&str> = line.split(',').collect();
        let board = parse_board(fields[1].as_bytes(), None).unwrap();
        let moves: u32 = fields[2].parse().unwrap();
        if moves > most {
            continue; // those above 55 are in the benches
        }
        let solved = solver.solve(&board).unwrap();
        assert_eq!(solved.distance, moves, "{board}");
        assert_eq!(board.replay(&solved.solutions[0]), Ok(goal));
        if moves < 50 {
            assert_eq!(
                one_thread.solve(&board).unwrap().solutions,
                solved.solutions
            );
            let all = solver
                .run(&Question::all_after(&board, &solved, 1))
                .unwrap();
            assert_eq!((all.distance, &all.solutions), (moves, &solved.solutions));
        }
        boards += 1;
    }
    assert_eq!(boards, count);
}

/// Korf's 28th board has 31 solutions of 52 moves. Its first one is found within 10,000 boards, and those of its
/// neighbours within 12,000; all are counted after 67,000.
#[test]
fn a_board_whose_solutions_take_too_long_to_count_has_its_first_one() {
    let goal = UsualGoal::First.board(Shape::new(4, 4).unwrap());
    let board = parse_board(b"13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7", None).unwrap();
    let patterns = Partition::new(&goal, &"6-6-3".parse().unwrap()).unwrap();
    let patterns = Patterns::build(&patterns).unwrap();
    let patient = Oracle::from_database(patterns, &goal).unwrap();
    let (solutions, count) = patient.first_solutions(&board, 100).unwrap();
    assert_eq!((solutions.len(), count), (31, Some(31)));
    let probe = patient.probe(&board).unwrap();
    assert_eq!((probe.distance, probe.solution_count), (52, Some(31)));

    let hasty = patient.clone().with_limits(Limits::visiting(30_000));
    let first = vec![solutions[0].clone()];
    assert_eq!(hasty.first_solutions(&board, 100).unwrap(), (first, None));
    let probed = hasty.probe(&board).unwrap();
    assert_eq!((probed.distance, probed.solution_count), (52, None));
    assert_eq!(probed.steps, probe.steps);
    let record = SolutionRecord::solve(&hasty, &board).unwrap();
    assert_eq!((record.distance, record.solution_count), (Some(52), None));

    let hastier = patient.with_limits(Limits::visiting(1));
    let given_up = hastier.first_solutions(&board, 1);
    assert!(matches!(
        given_up,
        Err(QueryError::GaveUp { at_least: 30..=52 })
    ));
}

/// Shape 3x5 has no table here, so a plain search from the goal gives the distances of boards near it.
#[test]
fn boards_of_other_shapes_without_a_table_are_solved_to_any_goal() {
    for (shape, goal, most) in [
        ("3x5", "last", 24),
        ("5x3", "spiral", 24),
        ("2x8", "first", 30),
    ] {
        let shape: Shape = shape.parse().unwrap();
        let goal = puzzledb::puzzle::parse_goal(goal, shape).unwrap();
        let oracle = Oracle::by_search(&goal).unwrap();
        let (mut board, mut x) = (goal, 5u64);
        for step in 0..most {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            board = board
                .slide(Move::from_code((x >> 60) as u8))
                .unwrap_or(board);
            let moves = oracle.solve(&board).unwrap();
            assert!(
                moves.len() <= step + 1 && board.replay(&moves) == Ok(goal),
                "{board}"
            );
            if let Some(next) = moves.first().and_then(|&mv| board.slide(mv)) {
                assert_eq!(
                    usize::from(oracle.distance(&next).unwrap()),
                    moves.len() - 1
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_answered_is_refused_with_the_reason() {
    let goal: Board = "123456780".parse().unwrap();
    let solver = solver(&goal, "4-4");
    let unsolvable: Board = "123456870".parse().unwrap();
    assert_eq!(solver.solve(&unsolvable), None);
    assert_eq!(solver.bound(&unsolvable), None);
    let oracle = Oracle::from_database(Patterns::clone(&solver.patterns), &goal).unwrap();
    assert!(matches!(
        oracle.solve(&unsolvable),
        Err(QueryError::Space(_))
    ));
    let hard = "867254301".parse().unwrap();
    let mut hasty = solver.clone();
    hasty.search.most_nodes = 10;
    let gave_up = hasty.solve(&hard).unwrap();
    assert!(gave_up.count == 0 && (10..=31).contains(&gave_up.distance)); // moves at least
    let refused = |goal: &Board, names: &str| {
        names
            .parse()
            .and_then(|names: PatternNames| Partition::new(goal, &names))
            .unwrap_err()
    };
    for (names, why) in [
        ("4-x", "names no patterns"),
        ("", "names no patterns"),
        ("1-4,4-8", "tile 4 is named twice"),
        ("5-5", "10 tiles in all, and a 3x3 board has 8"),
        ("1-9,", "names no patterns"),
        ("1,9", "the tiles 1 to 8"),
        ("0-4", "1 to 10 tiles"),
    ] {
        let error = refused(&goal, names).to_string();
        assert!(error.contains(why), "{names}: {error}");
    }
    let edge: Board = "123456708".parse().unwrap();
    let other = Solver::new(solver.patterns.clone(), &edge);
    assert!(matches!(other, Err(PartitionError::OtherClass { .. })));
}

#[test]
fn patterns_named_by_their_sizes_are_tiles_that_are_close_together() {
    let goal = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
    let partition = |names: &str| Partition::new(&goal, &names.parse().unwrap()).unwrap();
    assert_eq!(partition("7-8"), partition("9-15,1-8"));
    assert_eq!(partition("6-6-3").sizes(), [6, 6, 3]);
}

/// Distances of a pattern by a plain search on boards where 255 stands for all other tiles.
fn plain_distances(shape: Shape, start: Vec<u8>) -> HashMap<Vec<u8>, u32> {
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut open = VecDeque::from([start]);
    while let Some(board) = open.pop_front() {
        let blank = board.iter().position(|&tile| tile == 0).unwrap();
        for to in Move::ALL.iter().filter_map(|&mv| shape.step(blank, mv)) {
            let mut next = board.clone();
            next.swap(blank, to);
            let free = board[to] == 255;
            let there = known[&board] + u32::from(!free);
            if known.get(&next).is_none_or(|&known| known > there) {
                known.insert(next.clone(), there);
                if free {
                    open.push_front(next)
                } else {
                    open.push_back(next)
                }
            }
        }
    }
    known
}

/// Cells in the region of `cell` among those that are not in `set`.
fn region(shape: Shape, set: u32, cell: usize) -> Vec<usize> {
    let (mut found, mut open) = (vec![cell], vec![cell]);
    while let Some(cell) = open.pop() {
        for to in Move::ALL.iter().filter_map(|&mv| shape.step(cell, mv)) {
            if set >> to & 1 == 0 && !found.contains(&to) {
                found.push(to);
                open.push(to);
            }
        }
    }
    found
}

/// First cells of the regions of a set, in order.
fn regions(shape: Shape, set: u32) -> Vec<usize> {
    let free = (0..shape.cells()).filter(|cell| set >> cell & 1 == 0);
    free.filter(|&cell| region(shape, set, cell).iter().min() == Some(&cell))
        .collect()
}

/// Reads the file by the format's description, without the library's reader.
#[test]
fn a_file_of_patterns_is_read_from_the_description_of_its_format() {
    let (shape, goal) = (Shape::EIGHT_PUZZLE, "123456780".parse().unwrap());
    let partition = Partition::new(&goal, &"1+2+4+7,3+5+8".parse().unwrap()).unwrap();
    let mut file = std::io::Cursor::new(Vec::new());
    Patterns::build(&partition)
        .unwrap()
        .write(&mut file)
        .unwrap();
    let bytes = file.into_inner();
    assert_eq!(
        bytes[16..37],
        [
            3, 3, 1, 8, 3, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0
        ]
    );
    let section = |i: usize| {
        let at = 37 + 21 * i;
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        (bytes[at], &bytes[number(at + 1)..][..number(at + 9)])
    };
    assert_eq!(section(0), (4, &[4, 0, 1, 3, 6, 3, 2, 4, 7][..]));
    let sums = (0..3).map(|i| crc32fast::hash(section(i).1).to_le_bytes()); // a chunk each
    assert_eq!(section(3), (6, &sums.collect::<Vec<_>>().concat()[..]));
    for (i, cells) in [&[0, 1, 3, 6][..], &[2, 4, 7]].into_iter().enumerate() {
        let mut start = vec![255; 9];
        start[8] = 0;
        (1..)
            .zip(cells)
            .for_each(|(label, &cell)| start[cell] = label);
        let k = cells.len();
        let orders: usize = (1..=k).product();
        let (mut first, mut blocks) = (HashMap::new(), 0);
        for set in (0..1u32 << 9).filter(|set| set.count_ones() as usize == k) {
            first.insert(set, blocks);
            blocks += regions(shape, set).len();
        }
        let (kind, bits) = section(i + 1);
        assert_eq!((kind, bits.len()), (5, (blocks * orders).div_ceil(8)));
        for (board, distance) in plain_distances(shape, start) {
            let is_tile = |&&(_, &tile): &&(usize, &u8)| !matches!(tile, 0 | 255);
            let placed: Vec<(usize, &u8)> = board.iter().enumerate().collect();
            let tiles: Vec<u8> = placed
                .iter()
                .filter(is_tile)
                .map(|&(_, &tile)| tile)
                .collect();
            let set = placed
                .iter()
                .filter(is_tile)
                .fold(0, |set, &(cell, _)| set | 1 << cell);
            let blank = board.iter().position(|&tile| tile == 0).unwrap();
            let regions = regions(shape, set);
            let own = *region(shape, set, blank).iter().min().unwrap();
            let block = first[&set] + regions.iter().position(|&cell| cell == own).unwrap();
            let order = (0..k).fold(0, |rank, i| {
                let smaller = tiles[i + 1..]
                    .iter()
                    .filter(|&&tile| tile < tiles[i])
                    .count();
                rank * (k - i) + smaller
            });
            let number = block * orders + order;
            let bit = bits[number / 8] >> (number % 8) & 1;
            assert_eq!(u32::from(bit), distance >> 1 & 1, "{board:?}");
        }
    }
}

/// Distances are not above the largest known one, whatever the bits of a file with right checksums.
#[test]
fn no_answer_is_above_the_largest_known_distance() {
    let goal = UsualGoal::Last.board(Shape::new(2, 2).unwrap());
    let partition = Partition::new(&goal, &"3".parse().unwrap()).unwrap();
    let mut file = std::io::Cursor::new(Vec::new());
    let patterns = Patterns::build(&partition).unwrap();
    patterns.write(&mut file).unwrap();
    let good = file.into_inner();
    let oracle = Oracle::for_shape(goal.shape()).unwrap();
    let boards: Vec<Board> = (0..12)
        .map(|i| oracle.space().unwrap().unrank(StateIndex(i)))
        .collect();
    let (mut random, mut refused, mut wrong) = (ChaCha8Rng::seed_from_u64(7), 0, 0);
    for _ in 0..3000 {
        let mut bytes = good.clone();
        bytes[8192..8195].copy_from_slice(&random.random::<[u8; 3]>()); // the section of 24 bits
        crate::bytes::mend_checksums(&mut bytes);
        let patterns = Patterns::from_bytes(bytes).unwrap();
        let solver = Solver::new(patterns.into(), &goal).unwrap();
        let oracle = Oracle::from_database(Patterns::clone(&solver.patterns), &goal).unwrap();
        for board in &boards {
            let found = solver.solve(board);
            match (&found, solver.bound(board)) {
                (Some(found), Some(bound)) => {
                    assert!(found.distance <= 6 && bound <= 6, "{board}");
                    wrong += u32::from(found.distance > 4);
                }
                (answer, _) => {
                    assert_eq!(*answer, None, "{board}");
                    assert_eq!(oracle.solve(board), Err(QueryError::WrongTable), "{board}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1000 && wrong > 0, "{refused} {wrong}");
}
