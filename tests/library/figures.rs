//! The figures of a search are what they say.

use puzzledb::puzzle::Board;
use puzzledb::search::{Algorithm, BoardHeuristic, Figures, HeuristicName, Settings, Ties, search};

fn figures(board: &str, settings: &Settings) -> Figures {
    let (board, goal): (Board, Board) = (board.parse().unwrap(), "123456780".parse().unwrap());
    let heuristic = BoardHeuristic::new(&settings.heuristic, &goal).unwrap();
    search(&board, &goal, settings, &heuristic, None)
        .unwrap()
        .figures
}

/// The lengths of the queue are those of a plain A* that pushes and pops one list, counted after
/// each push, on boards where ties make no difference.
#[test]
fn figures_are_those_of_a_plain_a_star() {
    for (board, queue) in [("123456708", 3), ("120483765", 7), ("704851632", 12)] {
        let figures = figures(board, &Settings::new(Algorithm::AStar));
        assert_eq!(figures.max_queue, queue, "{board}");
        assert_eq!(figures.closed, figures.expansions);
    }
}

#[test]
fn no_algorithm_makes_more_than_four_successors_of_a_state() {
    for board in ["208135467", "638541720"] {
        for algorithm in Algorithm::all() {
            let mut settings = Settings::new(algorithm);
            settings.limits.expansions = 20_000;
            let figures = figures(board, &settings);
            assert!(
                figures.generated <= 4 * figures.expansions,
                "{algorithm} {figures:?}"
            );
            assert!(
                figures.closed <= figures.expansions,
                "{algorithm} {figures:?}"
            );
            assert!(
                figures.reexpansions < figures.expansions,
                "{algorithm} {figures:?}"
            );
        }
    }
}

#[test]
fn ties_make_no_difference_to_a_search_by_fractions() {
    let board = "638541720";
    for ties in [
        Ties::Deep,
        Ties::Shallow,
        Ties::Lifo,
        Ties::Fifo,
        Ties::Random,
    ] {
        let mut settings = Settings::new(Algorithm::WeightedAStar);
        settings.weight = 1000.0;
        settings.ties = ties;
        settings.heuristic = HeuristicName::Euclidean;
        let figures = figures(board, &settings);
        assert!(figures.expansions < 1_000, "{ties:?} {figures:?}");
    }
}
