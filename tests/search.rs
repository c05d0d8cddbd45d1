//! Every algorithm finds what it promises.

use std::sync::LazyLock;

use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::{Request, generate};
use puzzledb::puzzle::Board;
use puzzledb::search::{Algorithm, BoardHeuristic, HeuristicName, Report, Settings, search};

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::in_memory(&"123456780".parse().unwrap()).unwrap());

fn boards(per_distance: usize) -> Vec<Board> {
    let draw = |distance: u8| {
        let available = ORACLE.table().header().levels()[usize::from(distance)];
        let request = Request {
            distances: distance..=distance,
            unique: false,
            count: per_distance.min(available as usize),
            seed: u64::from(distance),
        };
        generate(&ORACLE, &request).unwrap()
    };
    (0..=31).flat_map(draw).collect()
}

fn run(board: &Board, goal: &Board, settings: &Settings) -> Report {
    let heuristic = BoardHeuristic::new(&settings.heuristic, goal).unwrap();
    let report = search(board, goal, settings, &heuristic, None).unwrap();
    if let Ok(moves) = &report.result {
        assert_eq!(board.replay(moves), Ok(*goal), "{settings:?} {board}");
    }
    report
}

fn with(algorithm: Algorithm, heuristic: HeuristicName) -> Settings {
    Settings {
        heuristic,
        ..Settings::new(algorithm)
    }
}

/// Is a shortest solution promised?
fn is_optimal(algorithm: Algorithm) -> bool {
    use Algorithm::*;
    matches!(
        algorithm,
        BreadthFirst
            | IterativeDeepening
            | UniformCost
            | AStar
            | IdaStar
            | Rbfs
            | Bidirectional
            | BidirectionalAStar
    )
}

#[test]
fn algorithms_that_promise_a_shortest_solution_find_one() {
    use HeuristicName::*;
    for board in boards(3) {
        let distance = usize::from(ORACLE.distance(&board).unwrap());
        for algorithm in Algorithm::all().filter(|&a| is_optimal(a)) {
            let slow = matches!(
                algorithm,
                Algorithm::IterativeDeepening | Algorithm::IdaStar | Algorithm::Rbfs
            );
            let heuristics = if !algorithm.is_informed() {
                vec![Zero]
            } else if slow {
                vec![LinearConflict]
            } else {
                vec![
                    Misplaced,
                    Manhattan,
                    Euclidean,
                    Inversion,
                    Perfect,
                    Pattern(vec![1, 2, 3]),
                ]
            };
            if algorithm == Algorithm::IterativeDeepening && distance > 15 {
                continue;
            }
            for heuristic in heuristics {
                let report = run(&board, ORACLE.goal(), &with(algorithm, heuristic.clone()));
                let found = report.result.map(|moves| moves.len());
                assert_eq!(found, Ok(distance), "{algorithm} {heuristic} {board}");
            }
        }
    }
}
