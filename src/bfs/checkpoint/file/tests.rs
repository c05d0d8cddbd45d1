use super::super::super::engine::levels::go_on;
use super::super::super::ranks::exchange::{Alone, Threads};
use super::*;
use crate::puzzle::Shape;

fn resume(class: GoalClass, checkpoint: &[u8]) -> io::Result<Search> {
    Search::resume(class, 1, Arc::new(Alone), &mut [checkpoint]).unwrap()
}

#[test]
fn a_search_taken_up_at_any_level_ends_as_one_without_a_break() {
    for (rows, cols) in [(2, 2), (3, 2), (4, 2), (3, 3)] {
        for class in GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap() {
            let mut whole = Search::new(class, 1).unwrap();
            let mut saved = Vec::new();
            while let Ok(Some(_)) = whole.advance(&mut go_on) {
                let mut bytes = Vec::new();
                whole.save(&mut bytes).unwrap();
                saved.push(bytes);
            }
            for bytes in &saved {
                let mut resumed = resume(class, bytes).unwrap();
                let Ok(()) = resumed.run(&mut go_on);
                assert_eq!(resumed.levels(), whole.levels());
                for cell in 0..class.shape().cells() {
                    let colour = whole.pulls().layout().colour(cell);
                    let of = |search: &Search| search.bit_one(colour).of_chunk(cell, 0).to_vec();
                    assert!(of(&resumed) == of(&whole));
                }
            }
            let good = saved.swap_remove(saved.len() / 2);
            for at in (0..good.len()).step_by(1 + good.len() / 200) {
                let mut bad = good.clone();
                bad[at] ^= 16;
                assert!(resume(class, &bad).is_err());
                assert!(resume(class, &good[..at]).is_err());
            }
        }
    }
}

#[test]
fn any_number_of_ranks_goes_on_from_what_another_number_has_saved() {
    let class = GoalClass::new(Shape::new(6, 2).unwrap(), 11).unwrap();
    let run = |search: &mut Search, levels: usize| {
        while search.levels().len() < levels {
            let Ok(_) = search.advance(&mut go_on);
        }
        let mut bytes = Vec::new();
        search.save(&mut bytes).unwrap();
        bytes
    };
    let saved = |ranks, levels| {
        Threads::run(ranks, |exchange| {
            let mut search = Search::shared(class, Kept::BitOne, 1, exchange).unwrap();
            run(&mut search, levels)
        })
    };
    let resumed = |parts: &[Vec<u8>], ranks: usize, levels: usize| {
        Threads::run(ranks, |exchange| {
            let needed = Search::parts_for(class, parts.len(), &*exchange);
            let mut parts: Vec<&[u8]> = parts[needed].iter().map(Vec::as_slice).collect();
            let search = Search::resume(class, 1, exchange, &mut parts);
            search.unwrap().map(|mut search| run(&mut search, levels))
        })
    };
    for (before, after) in [(4, 3), (1, 7), (3, 1), (2, 2)] {
        let parts = saved(before, 20);
        let there = resumed(&parts, after, 24);
        let there: Vec<Vec<u8>> = there.into_iter().map(Result::unwrap).collect();
        assert!(there == saved(after, 24), "{before} to {after}");
    }
    let mut parts = saved(4, 20);
    for damaged in [parts[2].len() / 2, parts[2].len() - 1] {
        parts[2][damaged] ^= 1;
        assert!(resumed(&parts, 3, 21).iter().all(Result::is_err));
        parts[2][damaged] ^= 1;
    }
    parts[1] = saved(4, 21).swap_remove(1);
    assert!(resumed(&parts, 2, 21).iter().all(Result::is_err));
}

/// Wrong contents with a matching checksum.
#[test]
fn a_checkpoint_that_contradicts_itself_is_refused_whatever_its_checksum() {
    let class = GoalClass::new(Shape::new(3, 3).unwrap(), 8).unwrap();
    let mut search = Search::new(class, 1).unwrap();
    for _ in 0..12 {
        search.advance(&mut go_on).unwrap();
    }
    let mut good = Vec::new();
    search.save(&mut good).unwrap();
    let mended = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let end = bytes.len() - 4;
        let checksum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        resume(class, &bytes)
    };
    assert!(mended(&good).is_ok());
    let bits = |at: usize| {
        if crate::full::is_full() {
            vec![0, 1, 2, 3, 4, 5, 6, 7]
        } else {
            vec![at % 4, at % 4 + 4]
        }
    };
    let (mut refused, mut changed) = (0, 0);
    for at in 0..good.len() - 4 {
        for bit in bits(at) {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            changed += 1;
            refused += usize::from(mended(&bad).is_err());
        }
    }
    assert_eq!(refused, changed);
    let levels = MAGIC.len() + head(class).len() + 1;
    let mut exchanged = good.clone(); // the sums are right
    exchanged[levels + 8..levels + 24].rotate_left(8);
    assert!(mended(&exchanged).is_err());
}
