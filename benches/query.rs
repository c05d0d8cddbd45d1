//! Time of an opening, a distance and a solution, from a file that is copied, mapped or read by position.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Instant;

use divan::Bencher;
use divan::counter::ItemsCount;
use pathfinding::prelude::astar;
use puzzledb::Cancel;
use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::Request;
use puzzledb::puzzle::{Board, Move, Shape, UsualGoal};
use puzzledb::space::{GoalClass, StateIndex};
use puzzledb::table::{Encoding, Table, build};

fn main() {
    divan::main();
    compare_batch_with_loop();
}

/// Prints the time of a million distances by one call, as a part of that of a plain loop: the median of pairs in turn,
/// on one thread, so that what a batch does besides its look-ups shows whatever else the machine does.
fn compare_batch_with_loop() {
    let oracle = oracle(&FILES.full);
    let boards = boards(MANY).repeat(1_000_000 / MANY);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1);
    let one_thread = one_thread.build().unwrap();
    let seconds = |work: &(dyn Fn() -> Vec<u8> + Sync)| {
        let start = Instant::now();
        divan::black_box(one_thread.install(work));
        start.elapsed().as_secs_f64()
    };
    let batch = || oracle.distances_of(&boards).unwrap();
    let alone = || boards.iter().map(|board| oracle.distance(board).unwrap());
    let pair = |_| seconds(&batch) / seconds(&|| alone().collect());
    let mut ratios: Vec<f64> = (0..11).map(pair).collect();
    ratios.sort_by(f64::total_cmp);
    println!("a million distances, batch / loop: {:.2}", ratios[5]);
}

/// A file of each encoding in a temporary folder.
struct Files {
    _folder: tempfile::TempDir,
    full: PathBuf,
    bit: PathBuf,
}

static FILES: LazyLock<Files> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let file = |encoding: Encoding| {
        let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8).unwrap();
        let bytes = build(class, encoding, 1, &Cancel::new()).unwrap();
        let path = folder.path().join(encoding.name());
        std::fs::write(&path, bytes.unwrap()).unwrap();
        path
    };
    Files {
        full: file(Encoding::Full),
        bit: file(Encoding::Bit),
        _folder: folder,
    }
});

fn goal() -> Board {
    "123456780".parse().unwrap()
}

fn oracle(path: &std::path::Path) -> Oracle {
    Oracle::open(path).unwrap()
}

/// Boards drawn uniformly from the whole space.
fn boards(count: usize) -> Vec<Board> {
    let request = Request::new(0..=31, count, 1);
    oracle(&FILES.full).generate(&request).unwrap()
}

/// Opening a file, every checksum included.
#[divan::bench]
fn open_full(bencher: Bencher) {
    let path = &FILES.full;
    bencher.bench(|| Table::open(path).unwrap());
}

#[divan::bench]
fn open_bit(bencher: Bencher) {
    let path = &FILES.bit;
    bencher.bench(|| Table::open(path).unwrap());
}

const MANY: usize = 10_000;

fn distances(bencher: Bencher, oracle: Oracle) {
    let boards = boards(MANY);
    let sum = || {
        let distance = |board| u32::from(oracle.distance(board).unwrap());
        boards.iter().map(distance).sum::<u32>()
    };
    bencher.counter(ItemsCount::new(MANY)).bench(sum);
}

/// 10,000 random boards to their distances: ranking and one read each.
#[divan::bench]
fn distances_full(bencher: Bencher) {
    distances(bencher, oracle(&FILES.full));
}

#[divan::bench]
fn distances_bit(bencher: Bencher) {
    distances(bencher, oracle(&FILES.bit));
}

fn solutions(bencher: Bencher, oracle: Oracle) {
    let boards = boards(MANY);
    let mut moves = Vec::new();
    bencher.counter(ItemsCount::new(MANY)).bench_local(|| {
        let mut sum = 0;
        for board in &boards {
            oracle.solve_into(board, &mut moves).unwrap();
            sum += moves.len();
        }
        sum
    });
}

/// 10,000 random boards to whole solutions, 22 moves in the mean.
#[divan::bench]
fn solutions_full(bencher: Bencher) {
    solutions(bencher, oracle(&FILES.full));
}

#[divan::bench]
fn solutions_bit(bencher: Bencher) {
    solutions(bencher, oracle(&FILES.bit));
}

/// Access to the bytes of a `bit` file of 30 MB. Mapped and by position, each of its 1,828 chunks is verified at its
/// first touch.
#[derive(Debug)]
enum Access {
    Memory,
    Mapped,
    ByPosition,
}

/// 10,000 random 3x4 boards to whole solutions, 35 moves in the mean.
#[divan::bench(args = [Access::Memory, Access::Mapped, Access::ByPosition])]
#[allow(unsafe_code)]
fn solutions_bit_3x4(bencher: Bencher, access: &Access) {
    let goal = UsualGoal::Last.board(Shape::new(3, 4).unwrap());
    let class = GoalClass::new(Shape::new(4, 3).unwrap(), 11).unwrap();
    let bytes = build(class, Encoding::Bit, 2, &Cancel::new()).unwrap();
    let path = FILES.full.with_file_name("3x4");
    std::fs::write(&path, bytes.unwrap()).unwrap();
    let table = match access {
        Access::Memory => Table::from_bytes(std::fs::read(&path).unwrap()).unwrap(),
        // SAFETY: nothing writes to the file while it is mapped.
        Access::Mapped => unsafe { Table::map(&path).unwrap() },
        Access::ByPosition => Table::open(&path).unwrap(),
    };
    let oracle = Oracle::from_database(table, &goal).unwrap();
    let states = class.states();
    let mut x = 9u64;
    let boards: Vec<Board> = (0..MANY)
        .map(|_| {
            x = x
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            oracle.space().unwrap().unrank(StateIndex(x % states))
        })
        .collect();
    let mut moves = Vec::new();
    bencher.counter(ItemsCount::new(MANY)).bench_local(|| {
        let mut sum = 0;
        for board in &boards {
            oracle.solve_into(board, &mut moves).unwrap();
            sum += moves.len();
        }
        sum
    });
}

/// The peer: A* of the `pathfinding` crate with Manhattan distance, the first 1,000 of the boards.
#[divan::bench(sample_count = 3)]
fn solutions_pathfinding_astar(bencher: Bencher) {
    const FEW: usize = 1000;
    let boards = boards(MANY);
    let successors = |board: &Board| {
        let next = Move::ALL.map(|mv| board.slide(mv));
        next.into_iter().flatten().map(|board| (board, 1u8))
    };
    let manhattan = |board: &Board| {
        let cells = (0u8..).zip(board.tiles()).filter(|&(_, &tile)| tile != 0);
        cells.fold(0, |sum, (cell, &tile)| {
            let home = tile - 1;
            sum + (cell / 3).abs_diff(home / 3) + (cell % 3).abs_diff(home % 3)
        })
    };
    bencher.counter(ItemsCount::new(FEW)).bench(|| {
        let length = |board| {
            astar(board, successors, manhattan, |b| *b == goal())
                .unwrap()
                .1
        };
        boards[..FEW]
            .iter()
            .map(|b| u32::from(length(b)))
            .sum::<u32>()
    });
}

/// A table of 29 MiB, above the size that is copied in any case.
static LARGE: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let class = GoalClass::new(Shape::new(4, 3).unwrap(), 11).unwrap();
    let bytes = build(class, Encoding::Bit, 2, &Cancel::new()).unwrap();
    let path = folder.path().join("3x4.pzdb");
    std::fs::write(&path, bytes.unwrap()).unwrap();
    (folder, path)
});

/// Distances of 1,000 boards of 3x4 from an open table.
fn distances_of_large(bencher: Bencher, table: Table) {
    let goal = UsualGoal::Last.board(Shape::new(3, 4).unwrap());
    let oracle = Oracle::from_database(table, &goal).unwrap();
    let space = oracle.space().unwrap();
    let boards = (0..1_000).map(|i| space.unrank(StateIndex(i * 239_500)));
    let boards: Vec<Board> = boards.collect();
    bencher.counter(ItemsCount::new(boards.len())).bench(|| {
        let distances = boards.iter().map(|board| oracle.distance(board).unwrap());
        distances.map(u64::from).sum::<u64>()
    });
}

/// `open`, which copies the file.
#[divan::bench]
fn large_by_open(bencher: Bencher) {
    distances_of_large(bencher, Table::open(&LARGE.1).unwrap());
}

/// As `open` where there is no memory for the file: from verified copies of chunks.
#[divan::bench]
fn large_by_copies_of_chunks(bencher: Bencher) {
    let table = Table::open_by(&LARGE.1, puzzledb::table::Bytes::by_position);
    distances_of_large(bencher, table.unwrap());
}

/// `map`.
#[divan::bench]
fn large_by_map(bencher: Bencher) {
    // SAFETY: nothing else knows the temporary folder.
    #[allow(unsafe_code)]
    let table = unsafe { Table::map(&LARGE.1) };
    distances_of_large(bencher, table.unwrap());
}
