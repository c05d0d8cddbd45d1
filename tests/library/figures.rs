//! Figures of a search agree with their definitions.

use std::collections::BTreeMap;

use puzzledb::puzzle::{Board, Shape};
use puzzledb::search::{
    Algorithm, BoardHeuristic, Counters, ExpandedList, HeuristicName, Settings, Ties, search,
};

fn goal() -> Board {
    "123456780".parse().unwrap()
}

fn figures_by(board: &str, settings: &Settings, heuristic: &BoardHeuristic) -> Counters {
    let board = board.parse().unwrap();
    let report = search(&board, &goal(), settings, heuristic, None).unwrap();
    report.figures
}

fn figures(board: &str, settings: &Settings) -> Counters {
    let heuristic = BoardHeuristic::new(&settings.heuristic, &goal()).unwrap();
    figures_by(board, settings, &heuristic)
}

/// Counts of the plain search below, in the order of the fields of [`Counters`].
type Counts = [u64; 9];

fn counts(figures: &Counters) -> Counts {
    [
        figures.expansions,
        figures.generated,
        figures.reexpansions,
        figures.max_queue,
        figures.closed,
        figures.depth.into(),
        figures.replaced,
        figures.loops_avoided,
        figures.attempted_reexpansions,
    ]
}

type Tiles = Vec<u8>;

/// Boards after the blank of a 3x3 board went up, down, left and right.
fn neighbours(tiles: &Tiles) -> Vec<Tiles> {
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap();
    let (row, col) = (blank / 3, blank % 3);
    let mut next = Vec::new();
    for (allowed, step) in [(row > 0, -3), (row < 2, 3), (col > 0, -1), (col < 2, 1)] {
        if allowed {
            let mut tiles = tiles.clone();
            tiles.swap(blank, (blank as isize + step) as usize);
            next.push(tiles);
        }
    }
    next
}

struct Node {
    parent: Option<Tiles>,
    g: u64,
    h: u64,
    /// Number of its last insertion into the queue.
    arrival: i64,
    open: bool,
    expansions: u64,
}

/// Estimate of a board by its tiles.
type Estimate = fn(&[u8]) -> u64;

/// Order of the queue: the node with the least of `key(g, h, arrival)` is expanded next.
type Key = fn(i64, i64, i64) -> (i64, i64, i64);

/// Best-first search. With `reopen`, a state that was expanded is opened again by a cheaper path.
fn plain(start: &str, h: Estimate, key: Key, reopen: bool) -> Counts {
    let node = |tiles: &Tiles, parent, g, arrival| Node {
        parent,
        g,
        h: h(tiles),
        arrival,
        open: true,
        expansions: 0,
    };
    let start: Tiles = start.bytes().map(|digit| digit - b'0').collect();
    let first = node(&start, None, 0, 0);
    let key = |node: &Node| key(node.g as i64, node.h as i64, node.arrival);
    let mut queue = BTreeMap::from([(key(&first), start.clone())]);
    let mut nodes = BTreeMap::from([(start, first)]);
    let (mut arrivals, mut longest, mut deepest) = (0, 0, 0);
    let (mut generated, mut replaced, mut loops, mut attempted) = (0, 0, 0, 0);
    loop {
        longest = longest.max(queue.len() as u64);
        let (_, tiles) = queue.pop_first().expect("the board can be solved");
        let best = nodes.get_mut(&tiles).unwrap();
        if tiles == [1, 2, 3, 4, 5, 6, 7, 8, 0] {
            break;
        }
        best.open = false;
        best.expansions += 1;
        deepest = deepest.max(best.g);
        let (parent, g) = (best.parent.clone(), best.g + 1);
        for next in neighbours(&tiles) {
            generated += 1;
            if parent.as_ref() == Some(&next) {
                loops += 1;
                continue;
            }
            let new = node(&next, Some(tiles.clone()), g, arrivals + 1);
            match nodes.get_mut(&next) {
                None => {
                    queue.insert(key(&new), next.clone());
                    nodes.insert(next, new);
                }
                Some(known) if known.g > g && (known.open || reopen) => {
                    replaced += u64::from(known.open);
                    queue.remove(&key(known));
                    queue.insert(key(&new), next);
                    let expansions = known.expansions;
                    *known = Node { expansions, ..new };
                }
                Some(known) => {
                    attempted += u64::from(!known.open);
                    continue;
                }
            }
            arrivals += 1;
        }
    }
    let expansions: u64 = nodes.values().map(|node| node.expansions).sum();
    let closed = nodes.values().filter(|node| node.expansions > 0).count() as u64;
    let reexpansions = expansions - closed;
    [
        expansions,
        generated,
        reexpansions,
        longest,
        closed,
        deepest,
        replaced,
        loops,
        attempted,
    ]
}

fn manhattan(tiles: &[u8]) -> u64 {
    let cells = tiles.iter().enumerate().filter(|&(_, &tile)| tile != 0);
    let distances = cells.map(|(cell, &tile)| {
        let home = usize::from(tile) - 1;
        (cell / 3).abs_diff(home / 3) + (cell % 3).abs_diff(home % 3)
    });
    distances.sum::<usize>() as u64
}

/// Admissible but not consistent: 0 for three boards of four.
fn patchy(tiles: &[u8]) -> u64 {
    match (3 * tiles[0] + tiles[4] + tiles[8]) % 4 {
        0 => manhattan(tiles),
        _ => 0,
    }
}

/// Figures, all but the memory, are those of a search that shares no code with ours.
#[test]
fn figures_are_those_of_a_plain_a_star() {
    let orders: [(Ties, Key); 4] = [
        (Ties::Deep, |g, h, arrival| (g + h, -g, -arrival)),
        (Ties::Shallow, |g, h, arrival| (g + h, g, -arrival)),
        (Ties::Lifo, |g, h, arrival| (g + h, 0, -arrival)),
        (Ties::Fifo, |g, h, arrival| (g + h, 0, arrival)),
    ];
    let estimates: [(Estimate, &[&str]); 3] = [
        (manhattan, &["123450786", "704851632", "536407182"]),
        (
            patchy,
            &["123456708", "120483765", "208135467", "704851632"],
        ),
        (|_| 0, &["120483765", "208135467"]),
    ];
    let mut reexpansions = 0;
    for (h, boards) in estimates {
        let by = BoardHeuristic::from_fn(Shape::EIGHT_PUZZLE, move |b| h(b.tiles()) as u32);
        for &board in boards {
            for (ties, key) in orders {
                for list in [ExpandedList::Strict, ExpandedList::Reopen] {
                    let mut settings = Settings::new(Algorithm::AStar);
                    (settings.ties, settings.expanded) = (ties, Some(list));
                    let found = counts(&figures_by(board, &settings, &by));
                    let reopen = list == ExpandedList::Reopen;
                    let expected = plain(board, h, key, reopen);
                    assert_eq!(found, expected, "{board} {ties:?} {list:?}");
                    reexpansions += expected[2];
                }
            }
        }
    }
    assert!(reexpansions > 0);
}

/// Lengths of the queue, by hand for the first board.
#[test]
fn the_longest_queue_of_easy_boards_is_known() {
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
