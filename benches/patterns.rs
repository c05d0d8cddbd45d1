//! Speed of building pattern databases, and of solving boards of the 15-puzzle with them.
//!
//! `cargo bench --bench patterns`. The boards are Korf's 100 (data/korf-100.csv) and the 17 that
//! take 80 moves, the most there are (Brüngger, Marzetta, Fukuda and Nievergelt, 1999). The items are
//! boards that a search visits. Peers' solvers are not among the dependencies: their licences do not allow
//! it (`slidy`, SSPL).

use std::sync::{Arc, OnceLock};

use divan::Bencher;
use divan::counter::ItemsCount;
use puzzledb::internals::Solver;
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::{Board, Shape, UsualGoal, parse_board};

fn main() {
    divan::main();
}

fn goal(usual: UsualGoal) -> Board {
    usual.board(Shape::new(4, 4).unwrap())
}

fn partition(names: &str) -> Partition {
    Partition::new(&goal(UsualGoal::First), &names.parse().unwrap()).unwrap()
}

/// A solver by 7-8 on one thread, for either goal with the blank in a corner.
fn large(usual: UsualGoal) -> Solver {
    static PATTERNS: OnceLock<Arc<Patterns>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| Patterns::build(&partition("7-8")).unwrap().into());
    on_one_thread(patterns.clone(), &goal(usual))
}

fn on_one_thread(patterns: Arc<Patterns>, goal: &Board) -> Solver {
    let mut solver = Solver::new(patterns, goal).unwrap();
    solver.search.parallel = false;
    solver
}

/// Korf's boards with their distances.
fn korf() -> Vec<(Board, u32)> {
    let lines = include_str!("../data/korf-100.csv").lines();
    let boards = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let read = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (
            parse_board(fields[1].as_bytes(), None).unwrap(),
            fields[2].parse().unwrap(),
        )
    };
    boards.map(read).collect()
}

fn solve(bencher: Bencher, boards: &[(Board, u32)], solver: &Solver) {
    let run = || {
        let visited = |(board, distance): &(Board, u32)| {
            let solved = solver.solve(board).unwrap();
            assert_eq!(solved.distance, *distance, "{board}");
            solved.visited
        };
        boards.iter().map(visited).sum::<u64>()
    };
    bencher.counter(ItemsCount::new(run())).bench(run);
}

#[divan::bench(sample_count = 5, args = ["6-6-3", "7-8"])]
fn build(names: &str) -> u64 {
    Patterns::build(&partition(names)).unwrap().states()
}

#[divan::bench(sample_count = 5)]
fn korf_by_7_8(bencher: Bencher) {
    solve(bencher, &korf(), &large(UsualGoal::First));
}

#[divan::bench(sample_count = 3)]
fn korf_by_6_6_3(bencher: Bencher) {
    let goal = goal(UsualGoal::First);
    let patterns = Patterns::build(&partition("6-6-3")).unwrap();
    let solver = on_one_thread(patterns.into(), &goal);
    solve(bencher, &korf(), &solver);
}

#[divan::bench(sample_count = 1)]
fn boards_of_80_moves_by_7_8(bencher: Bencher) {
    let boards: Vec<(Board, u32)> = HARDEST
        .map(|text| (parse_board(text.as_bytes(), None).unwrap(), 80))
        .to_vec();
    solve(bencher, &boards, &large(UsualGoal::Last));
}

const HARDEST: [&str; 17] = [
    "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1",
    "0 12 10 13 15 11 14 9 3 7 2 5 4 8 6 1",
    "0 11 9 13 12 15 10 14 3 7 6 2 4 8 5 1",
    "0 15 9 13 11 12 10 14 3 7 6 2 4 8 5 1",
    "0 12 9 13 15 11 10 14 3 7 6 2 4 8 5 1",
    "0 12 14 13 15 11 9 10 3 7 6 2 4 8 5 1",
    "0 12 10 13 15 11 14 9 3 7 6 2 4 8 5 1",
    "0 12 11 13 15 14 10 9 3 7 6 2 4 8 5 1",
    "0 12 10 13 15 11 9 14 7 3 6 2 4 8 5 1",
    "0 12 9 13 15 11 14 10 3 8 6 2 4 7 5 1",
    "0 12 9 13 15 11 10 14 8 3 6 2 4 7 5 1",
    "0 12 14 13 15 11 9 10 8 3 6 2 4 7 5 1",
    "0 12 9 13 15 11 10 14 7 8 6 2 4 3 5 1",
    "0 12 10 13 15 11 14 9 7 8 6 2 4 3 5 1",
    "0 12 9 13 15 8 10 14 11 7 6 2 4 3 5 1",
    "0 12 9 13 15 11 10 14 3 7 5 6 4 8 2 1",
    "0 12 9 13 15 11 10 14 7 8 5 6 4 3 2 1",
];
