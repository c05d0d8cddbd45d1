//! Time of rows of cells by the array door, beside the same boards one by one and by `distances_of`.
//!
//! All are timed in turn in one run, on all cores, so that the ratios hold whatever else the machine does.

use std::hint::black_box;
use std::time::Instant;

use puzzledb::oracle::{Oracle, Rows};
use puzzledb::puzzle::{Board, Shape};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

/// Rows of a question.
const MANY: usize = 10_000_000;

/// Boards that are answered one by one.
const FEW: usize = 1_000_000;

fn main() {
    let oracle = Oracle::for_shape(Shape::EIGHT_PUZZLE).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let states: Vec<u64> = (0..MANY).map(|_| random.random_range(0..181_440)).collect();
    let mut cells = vec![0; MANY * 9];
    oracle
        .boards_into(Rows::States(&states), &mut cells)
        .unwrap();
    let boards = cells.chunks_exact(9);
    let boards: Vec<Board> = boards
        .map(|row| Board::new(oracle.shape(), row).unwrap())
        .collect();
    let (mut bytes, mut words) = (vec![0; MANY], vec![0; MANY]);
    oracle.solution_counts_into(&cells, &mut words).unwrap(); // makes all counts

    let mut times: Vec<(&str, usize, Vec<f64>)> = Vec::new();
    for _ in 0..5 {
        let mut time = |name, rows, work: &mut dyn FnMut()| {
            let begun = Instant::now();
            work();
            let seconds = begun.elapsed().as_secs_f64();
            match times.iter_mut().find(|(known, ..)| *known == name) {
                Some((.., all)) => all.push(seconds),
                None => times.push((name, rows, vec![seconds])),
            }
        };
        time("one by one, on one core", FEW, &mut || {
            let distances = boards[..FEW].iter().map(|board| oracle.distance(board));
            assert!(black_box(distances.map(Result::unwrap).max()) == Some(31));
        });
        time("distances_of boards", MANY, &mut || {
            black_box(oracle.distances_of(&boards).unwrap());
        });
        time("distances of rows", MANY, &mut || {
            oracle.distances_into(&cells, &mut bytes).unwrap();
        });
        time("distances of states", MANY, &mut || {
            let states = Rows::States(&states);
            oracle.distances_into(states, &mut bytes).unwrap();
        });
        time("closer moves of rows", MANY, &mut || {
            oracle.closer_moves_into(&cells, &mut bytes).unwrap();
        });
        time("counts of rows", MANY, &mut || {
            oracle.solution_counts_into(&cells, &mut words).unwrap();
        });
        time("states of rows", MANY, &mut || {
            oracle.states_into(&cells, &mut words).unwrap();
        });
        let mut written = std::mem::take(&mut cells);
        time("boards of states", MANY, &mut || {
            let states = Rows::States(&states);
            oracle.boards_into(states, &mut written).unwrap();
        });
        cells = written;
    }
    for (name, rows, mut seconds) in times {
        seconds.sort_by(f64::total_cmp);
        let million = rows as f64 / 1e6;
        let [best, median] = [0, seconds.len() / 2].map(|i| million / seconds[i]);
        println!("{name:<24} {median:>7.1} M/s, {best:>7.1} at best");
    }
}
