//! Promise: a change of the search engine changes no result and no counter. The digests of all algorithms, with all
//! heuristics, ties and expanded lists, are those of `search_fixture.tsv`, which was written before the engine was
//! changed.
//!
//! `PUZZLEDB_FIXTURE=write cargo test --test library search_fixture` writes the file again.

use std::collections::BTreeMap;

use puzzledb::oracle::Oracle;
use puzzledb::puzzle::{Board, Shape};
use puzzledb::search::{
    Algorithm, BoardHeuristic, Counters, ExpandedList, Failure, HeuristicName, Settings, Ties,
    search,
};
use puzzledb::space::StateIndex;

use crate::full::is_full;

/// Boards of the two columns of the file: the first are searched always, all of them by the full tests.
const BOARDS: [usize; 2] = [8, 1_000];

/// Most expansions of a search.
const EXPANSIONS: u64 = 300;

const TIES: [Ties; 5] = [
    Ties::Deep,
    Ties::Shallow,
    Ties::Lifo,
    Ties::Fifo,
    Ties::Random,
];

const LISTS: [ExpandedList; 3] = [
    ExpandedList::Strict,
    ExpandedList::Reopen,
    ExpandedList::None,
];

/// Boards of the 8-puzzle at all distances: half of them within reach of few expansions.
fn boards() -> Vec<Board> {
    let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE).unwrap();
    let near: Vec<Board> = (0..=12)
        .flat_map(|d| oracle.boards_at(d).unwrap())
        .collect();
    let mut x = 7u64;
    let mut random = |below: u64| {
        x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (x >> 33) % below
    };
    (0..BOARDS[1])
        .map(|i| match i % 2 {
            0 => near[random(near.len() as u64) as usize],
            _ => oracle.space().unwrap().unrank(StateIndex(random(181_440))),
        })
        .collect()
}

/// The searches of an algorithm: with every heuristic, tie and expanded list that changes it.
fn variants(algorithm: Algorithm) -> Vec<Settings> {
    use Algorithm as A;
    let own = Settings::new(algorithm);
    let is_plain = |name: &HeuristicName| *name != HeuristicName::Perfect;
    let heuristics: Vec<HeuristicName> = if algorithm.is_informed() {
        HeuristicName::all().filter(is_plain).collect()
    } else {
        vec![own.heuristic.clone()]
    };
    let ties: &[Ties] = match algorithm {
        A::UniformCost | A::Greedy | A::BestFirstDepth | A::AStar | A::WeightedAStar => &TIES,
        _ => &TIES[..1],
    };
    let lists: &[ExpandedList] = match algorithm {
        A::DepthFirst => &LISTS,
        _ if ties.len() > 1 => &LISTS,
        _ => &LISTS[..1],
    };
    let mut all = Vec::new();
    for heuristic in &heuristics {
        for &ties in ties {
            for &list in lists {
                let mut settings = own.clone();
                settings.heuristic = heuristic.clone();
                settings.ties = ties;
                settings.expanded = (lists.len() > 1).then_some(list);
                settings.limits.expansions = EXPANSIONS;
                settings.width = 20;
                settings.depth_limit = (algorithm == A::DepthFirst).then_some(14);
                all.push(settings);
            }
        }
    }
    all
}

/// Adds a number to an FNV-1a digest.
fn add(digest: &mut u64, number: u64) {
    for byte in number.to_le_bytes() {
        *digest = (*digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

fn add_counters(digest: &mut u64, counters: &Counters) {
    for number in [
        counters.expansions,
        counters.generated,
        counters.reexpansions,
        counters.max_queue,
        counters.closed,
        counters.depth.into(),
        counters.replaced,
        counters.loops_avoided,
        counters.attempted_reexpansions,
    ] {
        add(digest, number);
    }
}

fn digests(settings: &Settings, boards: &[Board]) -> Vec<String> {
    let goal = "123456780".parse().unwrap();
    let heuristic = BoardHeuristic::new(&settings.heuristic, &goal).unwrap();
    let mut digest = 0xcbf2_9ce4_8422_2325;
    let mut all = Vec::new();
    for (done, board) in (1..).zip(boards) {
        let report = search(board, &goal, settings, &heuristic, None).unwrap();
        match &report.result {
            Ok(moves) => moves
                .iter()
                .for_each(|mv| add(&mut digest, mv.code().into())),
            Err(Failure::Memory | Failure::Time) => panic!("{settings:?}"),
            Err(failure) => add(&mut digest, 1_000 + failure.to_string().len() as u64),
        }
        add_counters(&mut digest, &report.figures);
        if BOARDS.contains(&done) {
            all.push(format!("{digest:016x}"));
        }
    }
    all
}

#[test]
fn all_searches_find_and_count_what_they_did() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/library/search_fixture.tsv"
    );
    let write = std::env::var("PUZZLEDB_FIXTURE").is_ok_and(|value| value == "write");
    let columns = if is_full() || write { 2 } else { 1 };
    let boards = &boards()[..BOARDS[columns - 1]];
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for algorithm in Algorithm::all() {
        for settings in variants(algorithm) {
            let (heuristic, ties) = (&settings.heuristic, settings.ties);
            let name = format!(
                "{algorithm}\t{heuristic}\t{ties:?}\t{:?}",
                settings.expanded
            );
            found.insert(name, digests(&settings, boards));
        }
    }
    if write {
        let line =
            |(name, digests): (&String, &Vec<String>)| format!("{name}\t{}\n", digests.join("\t"));
        let text: String = found.iter().map(line).collect();
        std::fs::write(path, text).unwrap();
        return;
    }
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), found.len());
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, digests) = fields.split_at(4);
        let name = name.join("\t");
        assert_eq!(found[&name], digests[..columns], "{name}");
    }
}
