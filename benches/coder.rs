//! Time of coding the blocks of a search in files, by their density.

use divan::Bencher;
use divan::counter::ItemsCount;
use puzzledb::internals::Coder;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn main() {
    divan::main();
}

/// Words of a block of large planes.
const WORDS: usize = 336;

/// A block with one bit of `2^thin` set.
fn block(thin: u32) -> Vec<u64> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let word = |_| (0..thin).fold(u64::MAX >> 4, |word, _| word & random.random::<u64>());
    (0..WORDS).map(word).collect()
}

/// Items are words.
#[divan::bench(args = [2, 4, 6, 9])]
fn write(bencher: Bencher, thin: u32) {
    let (block, mut coder, mut code) = (block(thin), Coder::default(), Vec::new());
    bencher.counter(ItemsCount::new(WORDS)).bench_local(|| {
        code.clear();
        coder.append(divan::black_box(&block), &mut code);
    });
}

/// Items are words.
#[divan::bench(args = [2, 4, 6, 9])]
fn read(bencher: Bencher, thin: u32) {
    let (mut block, mut coder, mut code) = (block(thin), Coder::default(), Vec::new());
    coder.append(&block, &mut code);
    bencher.counter(ItemsCount::new(WORDS)).bench_local(|| {
        let mut source = divan::black_box(&code[..]);
        coder.read(&mut source, &mut block).unwrap();
    });
}
