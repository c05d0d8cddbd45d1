//! Boards that a search expands in a second, beside a peer's.

use divan::Bencher;
use divan::counter::ItemsCount;
use pathfinding::prelude::astar;
use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::Request;
use puzzledb::puzzle::{Board, Move, Shape};
use puzzledb::search::{
    Algorithm, BoardHeuristic, Heuristic, HeuristicName, Problem, Settings, Sliding, search,
};

fn main() {
    divan::main();
}

const BOARDS: usize = 500;

fn goal() -> Board {
    "123456780".parse().unwrap()
}

/// Boards drawn uniformly from the whole space.
fn boards() -> Vec<Board> {
    let request = Request::new(0..=31, BOARDS, 1);
    Oracle::for_goal(&goal())
        .unwrap()
        .generate(&request)
        .unwrap()
}

/// All searches of some boards; the items are expansions.
fn expansions(bencher: Bencher, boards: &[Board], goal: &Board, settings: &Settings) {
    let heuristic = BoardHeuristic::new(&settings.heuristic, goal).unwrap();
    let run = || {
        let expansions = |board| {
            let report = search(board, goal, settings, &heuristic, None).unwrap();
            assert!(report.result.is_ok());
            report.figures.expansions
        };
        boards.iter().map(expansions).sum::<u64>()
    };
    bencher.counter(ItemsCount::new(run())).bench(run);
}

/// 500 random boards of the 8-puzzle by A*.
#[divan::bench(sample_count = 20, args = ["manhattan", "misplaced", "linear-conflict", "euclidean", "pattern:1234", "perfect"])]
fn astar_by(bencher: Bencher, heuristic: &str) {
    let mut settings = Settings::new(Algorithm::AStar);
    settings.heuristic = heuristic.parse().unwrap();
    expansions(bencher, &boards(), &goal(), &settings);
}

/// The peer: the A* of the `pathfinding` crate on the same boards, with our packed boards,
/// successors and Manhattan distance. Its items are our expansions, so the rates compare times.
#[divan::bench(sample_count = 5)]
fn astar_by_manhattan_pathfinding(bencher: Bencher) {
    let boards = boards();
    let settings = Settings::new(Algorithm::AStar);
    let manhattan = BoardHeuristic::new(&HeuristicName::Manhattan, &goal()).unwrap();
    let ours = |board| search(board, &goal(), &settings, &manhattan, None).unwrap();
    let items: u64 = boards.iter().map(|b| ours(b).figures.expansions).sum();
    bencher.counter(ItemsCount::new(items)).bench(|| {
        let length = |board: &Board| {
            let problem = Sliding::<u64>::new(board, &goal(), Move::ALL);
            let successors = |state: &u64| {
                let next = problem.successors(state).map(|s| (s.state, s.cost));
                next.collect::<Vec<_>>()
            };
            let estimate = |state: &u64| Heuristic::<Sliding<u64>>::estimate(&manhattan, state);
            let found = astar(&problem.start(), successors, estimate, |state| {
                problem.is_goal(state)
            });
            found.unwrap().1
        };
        boards.iter().map(length).sum::<u32>()
    });
}

/// Other algorithms on the same 500 boards.
#[divan::bench(sample_count = 5, args = ["greedy", "weighted-astar", "idastar", "rbfs", "bidirectional", "bidirectional-astar", "beam"])]
fn by(bencher: Bencher, algorithm: &str) {
    let settings = Settings::new(algorithm.parse().unwrap());
    let boards = match algorithm {
        "beam" => vec!["704851632".parse().unwrap()],
        _ => boards(),
    };
    expansions(bencher, &boards, &goal(), &settings);
}

/// Korf's 12th board of the 15-puzzle (1985), 45 moves from its goal.
#[divan::bench(sample_count = 5, args = ["astar", "idastar"])]
fn fifteen_puzzle_by(bencher: Bencher, algorithm: &str) {
    let shape = Shape::new(4, 4).unwrap();
    let parse = |text: &str| puzzledb::puzzle::parse_board(text.as_bytes(), Some(shape)).unwrap();
    let settings = Settings::new(algorithm.parse().unwrap());
    let board = parse("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15");
    expansions(bencher, &[board], &parse("0123456789abcdef"), &settings);
}
