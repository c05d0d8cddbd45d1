//! Bounds of a search's effort are the published ones, and no search of ours is outside them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use puzzledb::oracle::Oracle;
use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::puzzle::{Board, Move};
use puzzledb::search::{
    Algorithm, BoardHeuristic, Effort, EffortError, Efforts, ExpandedList, GoalTest, Settings,
    Ties, search,
};
use rustc_hash::FxHashSet;

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::for_goal(&"123456780".parse().unwrap()).unwrap());

fn heuristic(name: &str) -> BoardHeuristic {
    BoardHeuristic::new(&name.parse().unwrap(), ORACLE.goal()).unwrap()
}

/// Bounds with the goal test of the textbooks.
fn effort(
    oracle: &Oracle,
    board: &Board,
    algorithm: Algorithm,
    heuristic: &BoardHeuristic,
) -> Result<Effort, EffortError> {
    effort_by(
        oracle,
        board,
        algorithm,
        GoalTest::usual(algorithm),
        heuristic,
    )
}

fn effort_by(
    oracle: &Oracle,
    board: &Board,
    algorithm: Algorithm,
    goal_test: GoalTest,
    heuristic: &BoardHeuristic,
) -> Result<Effort, EffortError> {
    Efforts::new(oracle, algorithm, heuristic)?.of(board, goal_test)
}

fn bounds(board: &str, algorithm: &str, by: &str) -> Effort {
    let board: Board = board.parse().unwrap();
    effort(&ORACLE, &board, algorithm.parse().unwrap(), &heuristic(by)).unwrap()
}

#[test]
fn the_published_bounds_and_verdicts_come_out() {
    let table = include_str!("../../data/expansion-bounds.csv");
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = rows.next().unwrap().split(',').collect();
    let mut impossible = 0;
    for row in rows {
        let row: HashMap<&str, &str> = header.iter().copied().zip(row.split(',')).collect();
        let effort = bounds(row["board"], row["algorithm"], row["heuristic"]);
        let number = |column: &str| row[column].parse::<u64>().unwrap();
        let least = effort.certain.max(effort.distance.into());
        assert_eq!(least, number("least"), "{row:?} {effort:?}");
        assert_eq!(effort.most, number("most"), "{row:?} {effort:?}");
        assert!(effort.least >= least);
        match effort.judge(number("reported")) {
            Ok(()) => assert!(number("reported") <= effort.most),
            Err(error) => {
                assert!(error.starts_with("only 181440 states exist"), "{error}");
                impossible += 1;
            }
        }
    }
    assert_eq!(impossible, 2);
}

/// Boards of every distance, a few of each.
fn boards(per_distance: usize) -> Vec<Board> {
    draw(&ORACLE, Draw::PerDistance(per_distance), 0, 9).unwrap()
}

/// Order of moves for a seed.
fn order(seed: u64) -> [Move; 4] {
    let mut order = Move::ALL;
    for (i, shift) in [(3, 0), (2, 2), (1, 4)] {
        order.swap(i, (seed >> shift) as usize % (i + 1));
    }
    order
}

/// Searches boards with ties broken at random and in all other ways, under both kinds of expanded list;
/// returns the numbers of searches that met the least and the most exactly.
fn searches_stay_within(algorithm: Algorithm, by: &str, boards: &[Board]) -> [usize; 2] {
    let heuristic = heuristic(by);
    // Both kinds of list where a search takes little time.
    let lists = match by {
        "misplaced" | "euclidean" | "zero" => &[ExpandedList::Strict][..],
        _ => &[ExpandedList::Strict, ExpandedList::Reopen],
    };
    let mut met = [0; 2];
    for (seed, board) in (0..).zip(boards) {
        let effort = effort(&ORACLE, board, algorithm, &heuristic).unwrap();
        for ties in [
            Ties::Random,
            Ties::Deep,
            Ties::Shallow,
            Ties::Lifo,
            Ties::Fifo,
        ] {
            for &expanded in lists {
                let mut settings = Settings::new(algorithm);
                settings.heuristic = by.parse().unwrap();
                settings.ties = ties;
                settings.seed = seed;
                settings.order = order(seed);
                settings.expanded = Some(expanded);
                let report = search(board, ORACLE.goal(), &settings, &heuristic, None).unwrap();
                assert_eq!(report.result.unwrap().len(), usize::from(effort.distance));
                let expansions = report.figures.expansions;
                assert_eq!(
                    effort.judge(expansions),
                    Ok(()),
                    "{board} {ties:?} {effort:?}"
                );
                assert_eq!(report.figures.reexpansions, 0);
                met[0] += usize::from(expansions == effort.least);
                met[1] += usize::from(expansions == effort.most);
            }
        }
    }
    met
}

#[test]
#[ignore = "full run"]
fn a_star_stays_within_the_bounds_however_ties_are_broken() {
    for by in [
        "manhattan",
        "misplaced",
        "linear-conflict",
        "euclidean",
        "pattern:1234",
    ] {
        let [least, most] = searches_stay_within(Algorithm::AStar, by, &boards(1));
        assert!(
            least > 0 && most > 0,
            "{by}: the bounds are never met: {least} {most}"
        );
    }
}

#[test]
#[ignore = "full run"]
fn uniform_cost_stays_within_the_bounds_however_ties_are_broken() {
    let [least, most] = searches_stay_within(Algorithm::UniformCost, "zero", &boards(1));
    assert!(least > 0 && most > 0, "{least} {most}");
}

#[test]
#[ignore = "full run"]
fn breadth_first_and_ida_star_stay_within_the_bounds_in_every_order_of_moves() {
    let orders = if crate::full::is_full() {
        &[0, 5, 17, 27, 38, 63][..]
    } else {
        &[0, 38]
    };
    for (algorithm, by, boards) in [
        (
            Algorithm::BreadthFirst,
            "zero",
            boards(1).into_iter().step_by(3),
        ),
        (
            Algorithm::IdaStar,
            "manhattan",
            boards(3).into_iter().step_by(1),
        ),
        (
            Algorithm::IdaStar,
            "linear-conflict",
            boards(1).into_iter().step_by(1),
        ),
    ] {
        let heuristic = heuristic(by);
        for board in boards {
            let effort = effort(&ORACLE, &board, algorithm, &heuristic).unwrap();
            for &seed in orders {
                let mut settings = Settings::new(algorithm);
                settings.heuristic = by.parse().unwrap();
                settings.order = order(seed);
                let report = search(&board, ORACLE.goal(), &settings, &heuristic, None).unwrap();
                let expansions = report.figures.expansions;
                assert_eq!(
                    effort.judge(expansions),
                    Ok(()),
                    "{algorithm} {board} {effort:?}"
                );
            }
        }
    }
}

#[test]
fn the_goal_itself_needs_no_expansion() {
    for algorithm in ["bfs", "ucs", "astar", "idastar"] {
        let effort = bounds("123456780", algorithm, "manhattan");
        assert_eq!(
            (effort.certain, effort.least, effort.most),
            (0, 0, 0),
            "{algorithm}"
        );
    }
}

#[test]
fn a_heuristic_of_one_s_own_has_the_bounds_of_the_built_in_one_with_equal_values() {
    let misplaced = BoardHeuristic::from_fn(ORACLE.goal().shape(), |board| {
        let cells = board.tiles().iter().zip(1..9);
        8 - cells.filter(|&(&tile, home)| tile == home).count() as u32
    });
    for board in ["704851632", "536407182"] {
        let own = effort(
            &ORACLE,
            &board.parse().unwrap(),
            Algorithm::AStar,
            &misplaced,
        );
        assert_eq!(own.unwrap(), bounds(board, "astar", "misplaced"));
    }
}

#[test]
fn what_has_no_bounds_says_why() {
    let board: Board = "704851632".parse().unwrap();
    let error = |algorithm: &str, by: &str| {
        let algorithm: Algorithm = algorithm.parse().unwrap();
        effort(&ORACLE, &board, algorithm, &heuristic(by))
            .unwrap_err()
            .to_string()
    };
    assert!(error("astar", "linear-conflict-naive").contains("not consistent"));
    assert!(error("beam", "manhattan").contains("not for beam"));
}

/// Neighbours of a board in an order of moves.
fn neighbours(board: Board, order: [Move; 4]) -> impl Iterator<Item = (Move, Board)> {
    let slide = move |mv| Some((mv, board.slide(mv)?));
    order.into_iter().filter_map(slide)
}

/// Expansions of a breadth-first search that shares no code with the library's.
fn plain_breadth_first(board: Board, goal_test: GoalTest, order: [Move; 4]) -> u64 {
    let goal = *ORACLE.goal();
    let (mut queue, mut seen) = (VecDeque::from([board]), FxHashSet::from_iter([board]));
    let mut expansions = 0;
    while let Some(board) = queue.pop_front() {
        if board == goal {
            return expansions; // an early test ends here for the goal itself only
        }
        expansions += 1;
        for (_, next) in neighbours(board, order) {
            if goal_test == GoalTest::Early && next == goal {
                return expansions;
            }
            if seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    unreachable!("the board can be solved")
}

/// Expansions and the length of the solution of an A* that shares no code with the library's.
/// `salt` orders boards with equal f.
fn plain_a_star(
    board: Board,
    goal_test: GoalTest,
    h: &dyn Fn(&Board) -> u64,
    salt: u64,
) -> (u64, u64) {
    let goal = *ORACLE.goal();
    let tie = |board: &Board| {
        let mut hasher = DefaultHasher::new();
        (salt, board).hash(&mut hasher);
        hasher.finish()
    };
    let mut queue =
        BinaryHeap::from([Reverse((h(&board), tie(&board), 0, board.tiles().to_vec()))]);
    let mut expanded = FxHashSet::default();
    while let Some(Reverse((_, _, g, tiles))) = queue.pop() {
        let board = Board::new(goal.shape(), &tiles).unwrap();
        if board == goal {
            return (expanded.len() as u64, g);
        }
        if !expanded.insert(board) {
            continue;
        }
        for (_, next) in neighbours(board, Move::ALL) {
            if goal_test == GoalTest::Early && next == goal {
                return (expanded.len() as u64, g + 1);
            }
            let tiles = next.tiles().to_vec();
            queue.push(Reverse((g + 1 + h(&next), tie(&next), g + 1, tiles)));
        }
    }
    unreachable!("the board can be solved")
}

/// Expansions of an IDA* that shares no code with the library's.
fn plain_ida_star(
    board: Board,
    goal_test: GoalTest,
    h: &dyn Fn(&Board) -> u64,
    order: [Move; 4],
) -> u64 {
    let (mut expansions, mut threshold) = (0, h(&board));
    loop {
        let mut next_threshold = u64::MAX;
        let mut stack = vec![(board, 0, None)];
        while let Some((board, g, last)) = stack.pop() {
            let f = g + h(&board);
            if f > threshold {
                next_threshold = next_threshold.min(f);
                continue;
            }
            if board == *ORACLE.goal() {
                return expansions;
            }
            expansions += 1;
            for (mv, next) in neighbours(board, order) {
                if goal_test == GoalTest::Early && next == *ORACLE.goal() {
                    return expansions;
                }
                if last != Some(mv.opposite()) {
                    stack.push((next, g + 1, Some(mv)));
                }
            }
        }
        threshold = next_threshold;
    }
}

const BOTH: [GoalTest; 2] = [GoalTest::Early, GoalTest::Late];

#[test]
fn a_plain_breadth_first_search_stays_within_the_bounds_of_its_goal_test() {
    let zero = heuristic("zero");
    for board in boards(1).into_iter().step_by(4) {
        let [early, late] = BOTH.map(|goal_test| {
            let with = |algorithm| effort_by(&ORACLE, &board, algorithm, goal_test, &zero).unwrap();
            let effort = with(Algorithm::BreadthFirst);
            for seed in [0, 27] {
                let expansions = plain_breadth_first(board, goal_test, order(seed));
                assert_eq!(effort.judge(expansions), Ok(()), "{board} {effort:?}");
            }
            let same = with(Algorithm::UniformCost);
            assert_eq!(
                (effort.certain, effort.least, effort.most),
                (same.certain, same.least, same.most)
            );
            effort
        });
        assert_eq!(early.with_other_test, (late.least, late.most));
        assert!(early.most <= late.least, "{board} {early:?} {late:?}");
    }
}

#[test]
fn the_bounds_of_a_late_breadth_first_search_count_whole_levels() {
    for board in boards(1).into_iter().step_by(6) {
        let d = ORACLE.distance(&board).unwrap();
        let (mut level, mut seen, mut nearer) = (vec![board], FxHashSet::from_iter([board]), 0);
        for _ in 0..d {
            nearer += level.len() as u64;
            let next = level.iter().flat_map(|&board| neighbours(board, Move::ALL));
            level = next
                .map(|(_, next)| next)
                .filter(|&next| seen.insert(next))
                .collect();
        }
        let effort = effort_by(
            &ORACLE,
            &board,
            Algorithm::BreadthFirst,
            GoalTest::Late,
            &heuristic("zero"),
        );
        let effort = effort.unwrap();
        assert_eq!(
            (effort.certain, effort.least, effort.most),
            (nearer, nearer, nearer + level.len() as u64 - 1)
        );
    }
}

#[test]
#[ignore = "full run"]
fn plain_a_star_and_ida_star_stay_within_the_bounds_of_their_goal_test() {
    let mut met = [[0; 2]; 2];
    for by in ["manhattan", "pattern:1234", "misplaced"] {
        let heuristic = heuristic(by);
        let h = |board: &Board| heuristic.value(board) as u64;
        for board in boards(1).into_iter().step_by(3) {
            let d = ORACLE.distance(&board).unwrap();
            for (which, goal_test) in BOTH.into_iter().enumerate() {
                let bounds =
                    |algorithm| effort_by(&ORACLE, &board, algorithm, goal_test, &heuristic);
                let effort = bounds(Algorithm::AStar).unwrap();
                for salt in [1, 2] {
                    let (expansions, length) = plain_a_star(board, goal_test, &h, salt);
                    assert_eq!(length, u64::from(d), "{board} {by} {goal_test}");
                    assert_eq!(effort.judge(expansions), Ok(()), "{board} {by} {effort:?}");
                    met[which][0] += usize::from(expansions == effort.least);
                    met[which][1] += usize::from(expansions == effort.most);
                }
                if d > 20 || by == "misplaced" {
                    continue; // large trees
                }
                let effort = bounds(Algorithm::IdaStar).unwrap();
                for seed in [0, 27] {
                    let expansions = plain_ida_star(board, goal_test, &h, order(seed));
                    assert_eq!(effort.judge(expansions), Ok(()), "{board} {by} {effort:?}");
                }
            }
        }
    }
    let is_met = met.iter().flatten().all(|&times| times > 0);
    assert!(is_met, "the bounds are never met: {met:?}");
}

#[test]
fn an_impossible_number_names_the_goal_test_that_makes_it_possible() {
    let board: Board = "704851632".parse().unwrap();
    let zero = heuristic("zero");
    let judge = |goal_test, expanded| {
        let algorithm = Algorithm::BreadthFirst;
        let effort = effort_by(&ORACLE, &board, algorithm, goal_test, &zero);
        effort.unwrap().judge(expanded)
    };
    let late = plain_breadth_first(board, GoalTest::Late, Move::ALL);
    let early = plain_breadth_first(board, GoalTest::Early, Move::ALL);
    let error = judge(GoalTest::Early, late).unwrap_err();
    let words = "; possible if the goal is tested late, when a board is taken from the queue: ";
    assert!(error.contains(words), "{error}");
    let error = judge(GoalTest::Late, early).unwrap_err();
    let words = "; possible if the goal is tested early, when a board is generated: ";
    assert!(error.contains(words), "{error}");
    for neither in [1, 181_440] {
        let error = judge(GoalTest::Early, neither).unwrap_err();
        assert!(!error.contains("possible if"), "{error}");
    }
}
