//! How long do the complete spaces of 239,500,800 states take, with one thread and with two?

use divan::Bencher;
use puzzledb::build::Search;
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;

fn main() {
    divan::main();
}

/// The search of a whole space in memory, its allocation included.
#[divan::bench(args = [("3x4", 1), ("3x4", 2), ("2x6", 1), ("2x6", 2)], sample_count = 5, sample_size = 1)]
fn ours_search(bencher: Bencher, (shape, threads): (&str, usize)) {
    let shape: Shape = shape.parse().unwrap();
    let class = GoalClass::new(shape, shape.cells() - 1).unwrap();
    bencher.bench(|| {
        let mut search = Search::new(class, threads).unwrap();
        let mut states = 0;
        while let Some(level) = search.advance() {
            states += level.states();
        }
        assert_eq!(states, class.states());
    });
}
