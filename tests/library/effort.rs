//! The bounds of a search's effort are the published ones, and no search of ours leaves them.

use std::collections::HashMap;
use std::sync::LazyLock;

use puzzledb::oracle::Oracle;
use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::puzzle::{Board, Move};
use puzzledb::search::{
    Algorithm, BoardHeuristic, Effort, ExpandedList, Impossible, Settings, Ties, effort, search,
};

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::in_memory(&"123456780".parse().unwrap()).unwrap());

fn heuristic(name: &str) -> BoardHeuristic {
    BoardHeuristic::new(&name.parse().unwrap(), ORACLE.goal()).unwrap()
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
                assert_eq!(error, Impossible::MoreThanExist { states: 181_440 });
                impossible += 1;
            }
        }
    }
    assert_eq!(impossible, 2);
}

/// A few boards of every distance.
fn boards(per_distance: usize) -> Vec<Board> {
    draw(&ORACLE, Draw::PerDistance(per_distance), 0, 9).unwrap()
}

/// The orders of moves, one for each seed.
fn order(seed: u64) -> [Move; 4] {
    let mut order = Move::ALL;
    for (i, shift) in [(3, 0), (2, 2), (1, 4)] {
        order.swap(i, (seed >> shift) as usize % (i + 1));
    }
    order
}

/// Searches boards with ties broken at random and in all other ways, under both kinds of expanded list;
/// returns how often the least and the most were met exactly.
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
fn a_star_stays_within_the_bounds_however_ties_are_broken() {
    for (by, per_distance) in [
        ("manhattan", 6),
        ("misplaced", 1),
        ("linear-conflict", 2),
        ("euclidean", 1),
        ("pattern:1234", 2),
    ] {
        let [least, most] = searches_stay_within(Algorithm::AStar, by, &boards(per_distance));
        assert!(
            least > 0 && most > 0,
            "{by}: the bounds are never met: {least} {most}"
        );
    }
}

#[test]
fn uniform_cost_stays_within_the_bounds_however_ties_are_broken() {
    let [least, most] = searches_stay_within(Algorithm::UniformCost, "zero", &boards(1));
    assert!(least > 0 && most > 0, "{least} {most}");
}

#[test]
fn breadth_first_and_ida_star_stay_within_the_bounds_in_every_order_of_moves() {
    for (algorithm, by, per_distance) in [
        (Algorithm::BreadthFirst, "zero", 1),
        (Algorithm::IdaStar, "manhattan", 3),
        (Algorithm::IdaStar, "linear-conflict", 1),
    ] {
        let heuristic = heuristic(by);
        for board in boards(per_distance) {
            let effort = effort(&ORACLE, &board, algorithm, &heuristic).unwrap();
            for seed in [0, 5, 17, 27, 38, 63] {
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
