//! Searches agree with the textbooks: node counts, and the effects of an inconsistent heuristic.

use std::sync::LazyLock;

use puzzledb::internals::best_first;
use puzzledb::oracle::Oracle;
use puzzledb::oracle::draw::{Draw, draw};
use puzzledb::oracle::generate::Request;
use puzzledb::puzzle::{Board, Move};
use puzzledb::search::{
    Algorithm, BoardHeuristic, ExpandedList, Heuristic, HeuristicName, Limits, Run, Settings,
    Sliding, Ties, search,
};

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::for_goal(&"123456780".parse().unwrap()).unwrap());

/// Inconsistent but admissible heuristic: under a strict list the solution may be too long,
/// with reopening never.
#[test]
fn reopening_mends_what_an_inconsistent_heuristic_does() {
    struct Patchy<'a>(&'a Oracle);
    impl Heuristic<Sliding<u64>> for Patchy<'_> {
        fn estimate(&self, state: &u64) -> u32 {
            let problem = Sliding::<u64>::new(self.0.goal(), self.0.goal(), Move::ALL);
            let distance = self.0.distance(&problem.board(*state)).unwrap();
            // Zero for most states, drawn as if at random, and the distance for the rest.
            match state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 {
                0 => u32::from(distance),
                _ => 0,
            }
        }
    }
    let mut reexpansions = 0;
    let mut too_long = 0;
    for board in draw(&ORACLE, Draw::PerDistance(2), 0, 9)
        .unwrap()
        .into_iter()
        .filter(|b| ORACLE.distance(b).unwrap() <= 20)
    {
        let distance = u64::from(ORACLE.distance(&board).unwrap());
        let problem = Sliding::<u64>::new(&board, ORACLE.goal(), Move::ALL);
        let cost = |expanded, reexpansions: &mut u64| {
            let options = (expanded, Ties::default(), 0);
            let mut run = Run::new(Limits::NONE);
            let f = |g: u32, h: u32| u64::from(g + h);
            let found = best_first(&problem, &Patchy(&ORACLE), f, options, &mut run).unwrap();
            *reexpansions += run.figures().reexpansions;
            found.cost
        };
        assert_eq!(
            cost(ExpandedList::Reopen, &mut reexpansions),
            distance,
            "{board}"
        );
        too_long += u64::from(cost(ExpandedList::Strict, &mut 0) > distance);
    }
    assert!(
        reexpansions > 0 && too_long > 0,
        "{reexpansions} {too_long}"
    );
}

/// Russell and Norvig's table of nodes generated, averaged over boards of a distance: breadth-first
/// with every successor counted, and A* with ties broken towards the start.
#[test]
fn nodes_generated_are_those_of_the_textbook() {
    let table = include_str!("../../data/aima-4ed-fig3.26.csv");
    let rows = table
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    for row in rows {
        let numbers: Vec<f64> = row.split(',').map(|n| n.parse().unwrap()).collect();
        let distance = numbers[0] as u8;
        if !(10..=20).contains(&distance) {
            continue; // below there are few boards, above it takes long
        }
        let request = Request::new(distance..=distance, 100, 1);
        let boards = ORACLE.generate(&request).unwrap();
        for (algorithm, heuristic, published) in [
            (Algorithm::BreadthFirst, HeuristicName::Zero, numbers[1]),
            (Algorithm::AStar, HeuristicName::Misplaced, numbers[2]),
            (Algorithm::AStar, HeuristicName::Manhattan, numbers[3]),
        ] {
            let mut settings = Settings::new(algorithm);
            settings.ties = Ties::Shallow;
            settings.heuristic = heuristic.clone();
            let by = BoardHeuristic::new(&heuristic, ORACLE.goal()).unwrap();
            let of = |board: &Board| {
                let report = search(board, ORACLE.goal(), &settings, &by, None).unwrap();
                report.figures.generated as f64
            };
            let mean = boards.iter().map(of).sum::<f64>() / 100.0;
            let ratio = mean / published;
            // The book's boards are others, and few of them: A* varies much from board to board.
            let tolerance = match algorithm {
                Algorithm::BreadthFirst => 0.06,
                _ => 0.25,
            };
            let found = format!("{distance} {algorithm} {heuristic}: {mean}, not {published}");
            assert!((ratio - 1.0).abs() < tolerance, "{found}");
        }
    }
}
