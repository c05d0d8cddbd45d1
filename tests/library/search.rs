//! Guarantees of every algorithm.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::time::Duration;

use puzzledb::oracle::Oracle;
use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::puzzle::{
    Board, Move, Shape, UsualGoal, generate_by_shuffling, parse_board, parse_goal,
};
use puzzledb::search::{
    Algorithm, BoardHeuristic, ExpandedList, Failure, HeuristicName, Limits, Report, Run, Settings,
    Sliding, TraceStep, a_star, search,
};

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::for_goal(&"123456780".parse().unwrap()).unwrap());

fn boards(per_distance: usize) -> Vec<Board> {
    draw(&ORACLE, Draw::PerDistance(per_distance), 0, 9).unwrap()
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
    let mut settings = Settings::new(algorithm);
    settings.heuristic = heuristic;
    settings
}

#[test]
fn algorithms_that_promise_a_shortest_solution_find_one() {
    use HeuristicName::*;
    for board in boards(if crate::full::is_full() { 3 } else { 1 }) {
        let distance = usize::from(ORACLE.distance(&board).unwrap());
        for algorithm in Algorithm::all().filter(|&a| Settings::new(a).is_optimal()) {
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
                let settings = with(algorithm, heuristic.clone());
                assert!(settings.is_optimal());
                let report = run(&board, ORACLE.goal(), &settings);
                let found = report.result.map(|moves| moves.len());
                assert_eq!(found, Ok(distance), "{algorithm} {heuristic} {board}");
            }
        }
    }
}

#[test]
fn every_algorithm_s_solution_replays_to_the_goal_or_it_says_why_there_is_none() {
    for board in ["123456780", "123450786", "704851632", "647850321"] {
        let board: Board = board.parse().unwrap();
        for algorithm in Algorithm::all() {
            let mut settings = Settings::new(algorithm);
            settings.limits.expansions = 100_000;
            let report = run(&board, ORACLE.goal(), &settings); // replays the moves
            if board == *ORACLE.goal() {
                assert_eq!(report.result, Ok(Vec::new()), "{algorithm}");
                assert_eq!(report.figures.expansions, 0, "{algorithm}");
            } else {
                assert!(report.figures.expansions > 0, "{algorithm}");
            }
            assert!(report.figures.expansions <= 100_000);
        }
    }
}

#[test]
fn equal_seeds_search_equally_and_others_do_not() {
    let board: Board = "536407182".parse().unwrap();
    for algorithm in Algorithm::all().filter(|a| a.is_stochastic()) {
        let with_seed = |seed| {
            let mut settings = Settings::new(algorithm);
            settings.seed = seed;
            settings.limits.expansions = 20_000;
            let report = run(&board, ORACLE.goal(), &settings);
            (report.result, report.figures)
        };
        assert_eq!(with_seed(3), with_seed(3), "{algorithm}");
        let others: Vec<_> = (0..8).map(with_seed).collect();
        assert!(
            others.iter().any(|other| *other != others[0]),
            "{algorithm}"
        );
    }
}

#[test]
fn searches_that_draw_solve_most_boards_within_their_limits() {
    let settings = |algorithm| {
        let mut settings = Settings::new(algorithm);
        settings.limits.expansions = 1_000_000;
        settings
    };
    for algorithm in [
        Algorithm::RandomRestart,
        Algorithm::Annealing,
        Algorithm::Genetic,
        Algorithm::RandomWalk,
        Algorithm::RandomFrontier,
    ] {
        let boards = [
            "120483765",
            "208135467",
            "704851632",
            "536407182",
            "638541720",
        ];
        let solved = boards.iter().filter(|board| {
            let board: Board = board.parse().unwrap();
            run(&board, ORACLE.goal(), &settings(algorithm))
                .result
                .is_ok()
        });
        assert!(solved.count() >= 3, "{algorithm}");
    }
}

#[test]
fn limits_end_a_search_and_say_so() {
    let board: Board = "647850321".parse().unwrap();
    let end = |algorithm, limits: Limits| {
        let mut settings = Settings::new(algorithm);
        settings.limits = limits;
        settings.heuristic = HeuristicName::Zero;
        let report = run(&board, ORACLE.goal(), &settings);
        (report.result.unwrap_err(), report.figures.expansions)
    };
    use Algorithm::*;
    for algorithm in [
        BreadthFirst,
        IterativeDeepening,
        UniformCost,
        AStar,
        IdaStar,
        Rbfs,
        Bidirectional,
        BidirectionalAStar,
        RandomWalk,
        RandomFrontier,
        Annealing,
        Genetic,
        RandomRestart,
    ] {
        let mut expansions = Limits::NONE;
        expansions.expansions = 1_000;
        if algorithm != RandomRestart {
            assert_eq!(
                end(algorithm, expansions),
                (Failure::Expansions, 1_000),
                "{algorithm}"
            );
            let mut time = Limits::NONE;
            time.time = Duration::ZERO;
            assert_eq!(end(algorithm, time), (Failure::Time, 0), "{algorithm}");
        }
    }
    let mut memory = Limits::NONE;
    memory.memory = 100_000;
    let (failure, expansions) = end(BreadthFirst, memory);
    assert_eq!(failure, Failure::Memory);
    assert!(expansions < 10_000);
}

#[test]
fn a_search_ends_when_its_observer_says_so() {
    let board: Board = "647850321".parse().unwrap();
    let settings = Settings::new(Algorithm::AStar);
    let heuristic = BoardHeuristic::new(&settings.heuristic, ORACLE.goal()).unwrap();
    let mut seen = Vec::new();
    let mut observer = |step: &TraceStep| {
        seen.push(*step);
        if seen.len() < 10 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let report = search(
        &board,
        ORACLE.goal(),
        &settings,
        &heuristic,
        Some(&mut observer),
    )
    .unwrap();
    assert_eq!(report.result, Err(Failure::Stopped));
    assert_eq!(seen.len(), 10);
    assert_eq!((seen[0].board, seen[0].parent, seen[0].g), (board, None, 0));
    for step in &seen {
        assert_eq!(step.h, heuristic.value(&step.board));
        assert_eq!(step.f, step.g as f64 + step.h);
        if let Some(parent) = step.parent {
            assert!(
                Move::ALL
                    .iter()
                    .any(|&mv| parent.slide(mv) == Some(step.board))
            );
        }
    }
}

#[test]
fn an_unsolvable_space_is_searched_through_and_no_further() {
    let odd: Board = "123456870".parse().unwrap();
    for algorithm in [
        Algorithm::BreadthFirst,
        Algorithm::UniformCost,
        Algorithm::Greedy,
        Algorithm::AStar,
        Algorithm::RandomFrontier,
    ] {
        let report = run(&odd, ORACLE.goal(), &Settings::new(algorithm));
        assert_eq!(report.result, Err(Failure::Exhausted), "{algorithm}");
        assert_eq!(report.figures.expansions, 181_440, "{algorithm}");
    }
    let report = run(
        &odd,
        ORACLE.goal(),
        &Settings::new(Algorithm::Bidirectional),
    );
    assert_eq!(report.result, Err(Failure::Exhausted));
}

/// Lengths by a consistent heuristic are the same with each kind of expanded list.
#[test]
fn expanded_lists_and_orders_of_moves_keep_a_star_s_promise() {
    for board in boards(1)
        .into_iter()
        .filter(|b| ORACLE.distance(b).unwrap() <= 18)
    {
        let distance = usize::from(ORACLE.distance(&board).unwrap());
        for expanded in [
            ExpandedList::Strict,
            ExpandedList::Reopen,
            ExpandedList::None,
        ] {
            for order in [Move::ALL, [Move::Right, Move::Left, Move::Down, Move::Up]] {
                let mut settings = Settings::new(Algorithm::AStar);
                settings.expanded = Some(expanded);
                settings.order = order;
                let report = run(&board, ORACLE.goal(), &settings);
                assert_eq!(
                    report.result.map(|m| m.len()),
                    Ok(distance),
                    "{expanded:?} {board}"
                );
            }
        }
    }
}

/// Board up to 60 moves away.
fn mixed(mut board: Board) -> Board {
    for i in 0..60usize {
        let mv = Move::from_code((i * i + i / 3) as u8);
        board = board.slide(mv).unwrap_or(board);
    }
    board
}

#[test]
fn other_shapes_and_goals_are_searched_too() {
    for (shape, goal) in [
        ("2x2", "1230"),
        ("2x5", "1234567890"),
        ("5x2", "0123456789"),
        ("3x3", "123804765"),
        ("4x4", "123456789abcdef0"),
        ("4x4", "fedcba9876543210"),
        ("3x6", "123456789abcdefgh0"),
        ("5x5", "0123456789abcdefghijklmno"),
        ("6x6", "last"),
        ("8x8", "first"),
    ] {
        let shape: Shape = shape.parse().unwrap();
        let goal = parse_goal(goal, shape).unwrap();
        let board = mixed(goal);
        let truth = (shape.cells() <= 10).then(|| {
            let oracle = Oracle::for_goal(&goal).unwrap();
            usize::from(oracle.distance(&board).unwrap())
        });
        let algorithms = [
            Algorithm::AStar,
            Algorithm::IdaStar,
            Algorithm::BidirectionalAStar,
        ];
        let lengths = algorithms.map(|algorithm| {
            let settings = with(algorithm, HeuristicName::LinearConflict);
            run(&board, &goal, &settings).result.unwrap().len()
        });
        assert!(lengths[0] > 0, "{shape}");
        assert_eq!(lengths, [truth.unwrap_or(lengths[0]); 3], "{shape} {board}");
    }
}

#[test]
fn failures_tell_what_was_in_the_way() {
    let board: Board = "638541720".parse().unwrap();
    let end = |settings: Settings| run(&board, ORACLE.goal(), &settings).result;
    for algorithm in [Algorithm::DepthFirst, Algorithm::IterativeDeepening] {
        let mut shallow = Settings::new(algorithm);
        shallow.depth_limit = Some(8);
        assert_eq!(end(shallow), Err(Failure::DepthLimit), "{algorithm}");
    }
    let mut narrow = with(Algorithm::Beam, HeuristicName::Misplaced);
    narrow.width = 2;
    assert_eq!(end(narrow), Err(Failure::Narrow));
    let climber = Settings::new(Algorithm::HillClimbing);
    assert_eq!(end(climber), Err(Failure::Stuck));
}

/// Closures that compute the Manhattan distance guide every search as the built-in one does,
/// which is incremental.
#[test]
fn a_heuristic_of_one_s_own_searches_as_the_built_in_one_with_equal_values() {
    for (shape, goal) in [
        ("3x3", "123456780"),
        ("3x3", "123804765"),
        ("4x4", "123456789abcdef0"),
        ("5x5", "123456789abcdefghijklmno0"),
    ] {
        let goal = parse_board(goal.as_bytes(), Some(shape.parse().unwrap())).unwrap();
        let board = mixed(goal);
        let own = BoardHeuristic::from_fn(goal.shape(), move |board| {
            let cols = board.shape().cols();
            let distance = |(cell, tile): (usize, &u8)| {
                let home = goal.tiles().iter().position(|t| t == tile).unwrap();
                (cell / cols).abs_diff(home / cols) + (cell % cols).abs_diff(home % cols)
            };
            let tiles = board
                .tiles()
                .iter()
                .enumerate()
                .filter(|&(_, &tile)| tile != 0);
            tiles.map(distance).sum::<usize>() as u32
        });
        for algorithm in Algorithm::all().filter(|a| a.is_informed()) {
            let mut settings = with(algorithm, HeuristicName::Manhattan);
            settings.limits.expansions = 10_000;
            let built_in = run(&board, &goal, &settings);
            let report = search(&board, &goal, &settings, &own, None).unwrap();
            assert_eq!(report.result, built_in.result, "{algorithm} {board}");
            assert_eq!(report.figures, built_in.figures, "{algorithm} {board}");
            if algorithm == Algorithm::AStar && board.shape().cells() <= 16 {
                let problem = Sliding::<u64>::new(&board, &goal, Move::ALL);
                let mut run = Run::new(settings.limits);
                let solution = a_star(&problem, &own, &mut run);
                assert_eq!(solution.map(|found| found.actions), report.result);
                assert_eq!(*run.figures(), report.figures);
            }
        }
    }
}

#[test]
fn sums_of_patterns_are_the_same_told_from_a_neighbour_and_computed_anew() {
    for (shape, goal, patterns) in [
        ("3x3", "123456780", "patterns:4-4"),
        ("3x3", "123804765", "patterns:1-3"),
        ("4x4", "123456789abcdef0", "patterns:5-5-5"),
        ("4x4", "0123456789abcdef", "patterns:1-4,5-6"),
    ] {
        let goal = parse_board(goal.as_bytes(), Some(shape.parse().unwrap())).unwrap();
        let name: HeuristicName = patterns.parse().unwrap();
        let incremental = BoardHeuristic::new(&name, &goal).unwrap();
        let twin = BoardHeuristic::new(&name, &goal).unwrap();
        let anew = BoardHeuristic::from_fn(goal.shape(), move |board| twin.value(board) as u32);
        for algorithm in [Algorithm::AStar, Algorithm::IdaStar, Algorithm::Beam] {
            let mut settings = with(algorithm, HeuristicName::Zero);
            settings.limits.expansions = 5_000;
            let run = |heuristic| search(&mixed(goal), &goal, &settings, heuristic, None).unwrap();
            let (fast, slow) = (run(&incremental), run(&anew));
            assert_eq!(fast.result, slow.result, "{algorithm} {patterns}");
            assert_eq!(fast.figures, slow.figures, "{algorithm} {patterns}");
        }
    }
}

/// Greedy search as a sorted list: the least `h`, of those the largest `g`, of those the one that came last. Returns its
/// expansions and the length of its solution.
fn plain_greedy(board: &Board, goal: &Board, h: &BoardHeuristic) -> (u64, usize) {
    let mut known = HashMap::from([(*board, (0, false))]);
    let mut waiting = BTreeMap::from([((h.value(board) as u32, Reverse(0), Reverse(0)), *board)]);
    let (mut inserted, mut expansions) = (0, 0);
    while let Some(((_, Reverse(g), _), board)) = waiting.pop_first() {
        if known[&board] != (g, false) {
            continue;
        }
        if board == *goal {
            return (expansions, g);
        }
        expansions += 1;
        known.insert(board, (g, true));
        for next in Move::ALL.into_iter().filter_map(|mv| board.slide(mv)) {
            if known.get(&next).is_none_or(|&(old, _)| g + 1 < old) {
                known.insert(next, (g + 1, false));
                inserted += 1;
                let key = (h.value(&next) as u32, Reverse(g + 1), Reverse(inserted));
                waiting.insert(key, next);
            }
        }
    }
    unreachable!("the board is solvable")
}

/// Ways of greedy searches are long: their depths differ beyond any bound.
#[test]
fn ties_go_to_the_farthest_from_the_start_on_long_ways_too() {
    let goal = UsualGoal::Last.board(Shape::new(4, 4).unwrap());
    let name = HeuristicName::Manhattan;
    let heuristic = BoardHeuristic::new(&name, &goal).unwrap();
    let mut settings = with(Algorithm::Greedy, name);
    settings.expanded = Some(ExpandedList::Reopen);
    let mut longest = 0;
    for board in generate_by_shuffling(&goal, 60, 3) {
        let found = search(&board, &goal, &settings, &heuristic, None).unwrap();
        let length = found.result.unwrap().len();
        assert_eq!(
            (found.figures.expansions, length),
            plain_greedy(&board, &goal, &heuristic),
            "{board}"
        );
        longest = longest.max(length);
    }
    assert!(longest > 150, "{longest}");
}
