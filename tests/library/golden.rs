//! Promise: the tables agree with published figures. The sources are named in `data/README.md` and at
//! the top of each file.

use std::collections::BTreeMap;

use puzzledb::oracle::{Oracle, StatsRecord};
use puzzledb::puzzle::{Board, Shape, UsualGoal, parse_board};
use puzzledb::space::GoalClass;

/// Rows of a CSV file in `data/` by column name, without comments.
fn rows(file: &str) -> Vec<BTreeMap<String, String>> {
    let path = format!("{}/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let cells = line.split(',').map(str::to_owned);
        names.iter().map(|&n| n.to_owned()).zip(cells).collect()
    };
    lines.map(row).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> u64 {
    row[column].parse().unwrap()
}

fn oracle(rows: usize, cols: usize) -> Oracle {
    Oracle::for_goal(&UsualGoal::Last.board(Shape::new(rows, cols).unwrap())).unwrap()
}

fn stats_of_eight_puzzle() -> StatsRecord {
    oracle(3, 3).detailed_stats().unwrap()
}

#[test]
fn levels_are_the_published_ones_in_both_orientations() {
    for (r, c) in [(2, 2), (2, 3), (2, 4), (2, 5)] {
        let published = rows(&format!("{r}x{c}-levels-corner.csv"));
        let states: Vec<u64> = published.iter().map(|row| number(row, "states")).collect();
        for (r, c) in [(r, c), (c, r)] {
            assert_eq!(
                oracle(r, c).table().unwrap().header().levels(),
                states,
                "{r}x{c}"
            );
        }
    }
}

#[test]
fn diameters_are_the_published_ones() {
    for row in rows("diameters.csv") {
        let (r, c) = (number(&row, "rows") as usize, number(&row, "cols") as usize);
        if r == 1 || r * c > 10 {
            continue;
        }
        let oracle = oracle(r, c);
        let header = oracle.table().unwrap().header();
        assert_eq!(header.states(), number(&row, "states"));
        assert_eq!(u64::from(header.max_distance()), number(&row, "diameter"));
        let last = header.levels().last().copied();
        assert_eq!(last, Some(number(&row, "states_at_diameter")));
    }
}

/// Shapes of 239,500,800 states, by the search alone, without a table.
#[test]
fn the_levels_of_larger_shapes_are_the_published_ones() {
    use puzzledb::internals::{Search, go_on};
    use puzzledb::space::GoalClass;
    let levels = |shape: Shape| {
        let class = GoalClass::new(shape, shape.cells() - 1).unwrap();
        let mut search = Search::new(class, 2).unwrap();
        let mut levels = Vec::new();
        while let Ok(Some(level)) = search.advance(&mut go_on) {
            levels.push(level.states());
        }
        levels
    };
    let published = rows("3x4-levels-corner.csv");
    let published: Vec<u64> = published.iter().map(|row| number(row, "states")).collect();
    assert_eq!(levels(Shape::new(3, 4).unwrap()), published);
    let two_by_six = levels(Shape::new(2, 6).unwrap());
    let row = rows("diameters.csv")
        .into_iter()
        .find(|r| r["rows"] == "2" && r["cols"] == "6");
    let row = row.unwrap();
    assert_eq!(two_by_six.len() as u64 - 1, number(&row, "diameter"));
    assert_eq!(
        two_by_six.last().copied(),
        Some(number(&row, "states_at_diameter"))
    );
    assert_eq!(two_by_six.iter().sum::<u64>(), number(&row, "states"));
}

#[test]
fn the_eight_puzzle_is_the_published_one_distance_by_distance() {
    let stats = stats_of_eight_puzzle();
    let published = rows("3x3-levels.csv");
    assert_eq!(stats.histogram.len(), published.len());
    for (distance, published) in published.iter().enumerate() {
        let row = &stats.histogram[distance];
        assert_eq!(distance as u64, number(published, "depth"));
        assert_eq!(row.states, number(published, "states"));
        assert_eq!(
            row.solutions,
            Some(number(published, "optimal_solutions_sum"))
        );
        assert_eq!(row.min_solutions, Some(number(published, "min")));
        assert_eq!(row.max_solutions, Some(number(published, "max")));
        for (cell, &states) in row.blank_cells.iter().flatten().enumerate() {
            assert_eq!(states, number(published, &format!("blank_cell_{cell}")));
        }
    }
    assert_eq!((stats.states, stats.max_distance), (181_440, 31));
    assert!((stats.mean_distance - 21.972_398_589).abs() < 1e-9);
    let range = stats.optimal_solutions.unwrap();
    assert_eq!((range.total, range.min, range.max), (500_880, 1, 64));
    let hardest = stats.hardest.unwrap();
    assert_eq!(
        hardest,
        ["647850321", "867254301"].map(|h| h.parse().unwrap())
    );
    for board in &hardest {
        assert_eq!(oracle(3, 3).count_solutions(board), Ok(40));
    }
}

#[test]
fn as_many_boards_as_published_have_k_solutions() {
    let oracle = oracle(3, 3);
    let counts = oracle.count_all_solutions().unwrap();
    let mut found = BTreeMap::<u64, u64>::new();
    for &count in counts {
        *found.entry(count).or_default() += 1;
    }
    let published = rows("3x3-heuristics-solcount.csv");
    let published = published
        .iter()
        .map(|row| (number(row, "k"), number(row, "states")));
    assert_eq!(found, published.collect());
}

#[test]
fn the_boards_of_the_sources_have_their_distances_and_counts() {
    for row in rows("seed-boards.csv") {
        let goal: Board = row["goal"].parse().unwrap();
        let board: Board = row["board"].parse().unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        let distance = oracle
            .distance(&board)
            .map_or("unsolvable".to_owned(), |d| d.to_string());
        assert_eq!(distance, row["distance"], "{board} to {goal}");
        if let Ok(solutions) = row["optimal_solutions"].parse::<u64>() {
            assert_eq!(oracle.count_solutions(&board), Ok(solutions));
            assert_eq!(oracle.solutions(&board).unwrap().count() as u64, solutions);
        }
    }
}

#[test]
fn the_published_antipodes_are_at_their_distances() {
    for row in rows("antipodes-3x3-and-others.csv") {
        let shape: Shape = row["shape"].parse().unwrap();
        if shape.cells() > 10 {
            continue;
        }
        let goal = match row["blank_home"].as_str() {
            "last corner" => UsualGoal::Last.board(shape),
            _ => "102345678".parse().unwrap(),
        };
        let board = parse_board(row["board"].as_bytes(), Some(shape)).unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        assert_eq!(
            u64::from(oracle.distance(&board).unwrap()),
            number(&row, "distance")
        );
        assert_eq!(
            u64::from(oracle.table().unwrap().header().max_distance()),
            number(&row, "distance")
        );
    }
}

#[test]
fn the_three_homes_of_the_blank_have_hoeys_extremes() {
    for row in rows("hoey-8puzzle-metrics.csv") {
        if row["move"] != "tile" {
            continue; // the multi-tile metric
        }
        let goal: Board = match row["blank_home"].as_str() {
            "corner" => "012345678",
            "edge" => "102345678",
            _ => "123804765",
        }
        .parse()
        .unwrap();
        let oracle = Oracle::for_goal(&goal).unwrap();
        let header = oracle.table().unwrap().header();
        assert_eq!(
            u64::from(header.max_distance()),
            number(&row, "max_distance")
        );
        assert_eq!(
            header.levels().last().copied(),
            Some(number(&row, "states"))
        );
    }
}

#[test]
fn the_course_files_have_the_lengths_in_their_names() {
    let folder = format!("{}/data/cos226", env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let (_, claim) = name.split_once('-').unwrap();
        let board = parse_board(&std::fs::read(&path).unwrap(), None).unwrap();
        let goal = UsualGoal::Last.board(board.shape());
        let distance = Oracle::for_goal(&goal).unwrap().distance(&board);
        match claim.parse::<u8>() {
            Ok(length) => assert_eq!(distance, Ok(length), "{name}"),
            Err(_) => assert!(
                claim.starts_with("unsolvable") && distance.is_err(),
                "{name}"
            ),
        }
        files += 1;
    }
    assert_eq!(files, 45);
}

#[test]
fn the_largest_known_distances_are_the_published_ones() {
    for row in rows("diameters.csv") {
        let (rows, cols) = (number(&row, "rows") as usize, number(&row, "cols") as usize);
        let Ok(shape) = Shape::new(rows, cols) else {
            continue; // 1x2
        };
        if let Ok(class) = GoalClass::new(shape, shape.cells() - 1) {
            let known = class.largest_known_distance().map(u64::from);
            assert_eq!(known, Some(number(&row, "diameter")), "{shape}");
        }
    }
    let edge = GoalClass::new(Shape::EIGHT_PUZZLE, 7).unwrap();
    assert_eq!(edge.largest_known_distance(), None);
}

/// Of 15! / 2 boards of 3x5, those at an even distance have the blank on a cell of the colour of the goal's.
#[test]
fn the_levels_of_3x5_add_up_to_all_its_boards_of_each_colour() {
    let orders: u64 = (3..=14).product(); // of the tiles, of one parity
    for (place, blank) in [
        ("corner", 14),
        ("cell13", 13),
        ("cell12", 12),
        ("cell9", 9),
        ("cell8", 8),
        ("cell7", 7),
    ] {
        let levels = rows(&format!("3x5-levels-{place}.csv"));
        for parity in 0..2 {
            let of_parity = levels
                .iter()
                .filter(|row| number(row, "distance") % 2 == parity);
            let cells = (0..15).filter(|cell| (cell + blank) % 2 == parity).count() as u64;
            let states: u64 = of_parity.map(|row| number(row, "states")).sum();
            assert_eq!(states, cells * orders, "{place}, {parity}");
        }
    }
}
