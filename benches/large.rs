//! Time of searching the complete spaces of 239,500,800 states: with one thread, with two, shared by ranks, and in
//! the usual good way.

use bitvec::vec::BitVec;
use divan::Bencher;
use puzzledb::internals::{Kept, Search, SearchOptions, go_on};
use puzzledb::puzzle::{Move, Shape, UsualGoal};
use puzzledb::space::{GoalClass, Space, StateIndex};

#[path = "../src/bfs/ranks/tests/threads.rs"]
mod threads;
use threads::Threads;

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
        while let Ok(Some(level)) = search.advance(&mut go_on) {
            states += level.states();
        }
        assert_eq!(states, class.states());
    });
}

/// The same by ranks, each a thread, with the cost of their messages.
/// `mpirun -np N puzzledb stats --count --shape 3x4 --mpi` adds the cost of the transport.
#[divan::bench(args = [1, 2, 4], sample_count = 5, sample_size = 1)]
fn ours_search_of_3x4_by_ranks(bencher: Bencher, ranks: usize) {
    let class = GoalClass::new(Shape::new(3, 4).unwrap(), 11).unwrap();
    bencher.bench(|| {
        Threads::run(ranks, |exchange| {
            let mut search = {
                let mut options = SearchOptions::threads(1);
                options.exchange = exchange;
                Search::shared(class, Kept::BitOne, &options).unwrap()
            };
            search.run(&mut go_on).unwrap();
            assert!(search.is_complete());
        })
    });
}

/// Peer (b): flat bit arrays over the state indices; each board of a level is unranked, moved and
/// ranked. One thread, once: it takes half a minute.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn plain_rank_and_bit_array_3x4(bencher: Bencher) {
    let space = Space::new(&UsualGoal::Last.board(Shape::new(3, 4).unwrap())).unwrap();
    let states = space.ranking().states() as usize;
    bencher.bench(|| {
        let mut seen: BitVec<u64> = BitVec::repeat(false, states);
        let mut level: BitVec<u64> = BitVec::repeat(false, states);
        let goal = space.rank(space.goal()).unwrap().0 as usize;
        seen.set(goal, true);
        level.set(goal, true);
        let mut found = 1;
        while found < states {
            let mut next: BitVec<u64> = BitVec::repeat(false, states);
            for index in level.iter_ones() {
                let board = space.unrank(StateIndex(index as u64));
                for board in Move::ALL.into_iter().filter_map(|mv| board.slide(mv)) {
                    let index = space.rank(&board).unwrap().0 as usize;
                    if !seen.replace(index, true) {
                        next.set(index, true);
                        found += 1;
                    }
                }
            }
            level = next;
        }
    });
}
