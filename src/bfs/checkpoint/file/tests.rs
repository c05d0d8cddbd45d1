use std::io::Cursor;
use std::sync::{Arc, Mutex};

use super::super::super::engine::levels::go_on;
use super::super::super::ranks::exchange::Exchange;
use super::super::super::ranks::threads::Threads;
use super::*;
use crate::puzzle::Shape;

fn resume(class: GoalClass, checkpoint: &[u8]) -> io::Result<Search> {
    let options = SearchOptions::threads(1);
    Search::resume(class, &options, &mut Cursor::new(checkpoint)).unwrap()
}

fn save(search: &mut Search) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    search.save(&mut bytes).unwrap();
    bytes.into_inner()
}

#[test]
fn a_search_taken_up_at_any_level_ends_as_one_without_a_break() {
    for (rows, cols) in [(2, 2), (3, 2), (4, 2), (3, 3)] {
        for class in GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap() {
            let mut whole = Search::new(class, 1).unwrap();
            let mut saved = Vec::new();
            while let Ok(Some(_)) = whole.advance(&mut go_on) {
                saved.push(save(&mut whole));
            }
            for bytes in &saved {
                let mut resumed = resume(class, bytes).unwrap();
                resumed.run(&mut go_on).unwrap();
                assert_eq!(resumed.levels(), whole.levels());
                for cell in 0..class.shape().cells() {
                    let colour = whole.layout().colour(cell);
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

/// One thread of a rank.
fn by(exchange: Arc<dyn Exchange>) -> SearchOptions {
    SearchOptions {
        exchange,
        ..SearchOptions::threads(1)
    }
}

#[test]
fn any_number_of_ranks_writes_the_same_file_and_goes_on_from_it() {
    let class = GoalClass::new(Shape::new(6, 2).unwrap(), 11).unwrap();
    let run = |search: &mut Search, levels: usize, file: &Mutex<Cursor<Vec<u8>>>| {
        while search.levels().len() < levels {
            search.advance(&mut go_on).unwrap();
        }
        search.save(&mut *file.lock().unwrap()).unwrap();
    };
    let saved = |ranks, levels| {
        let file = Mutex::default();
        Threads::run(ranks, |exchange| {
            let mut search = Search::shared(class, Kept::BitOne, &by(exchange)).unwrap();
            run(&mut search, levels, &file);
        });
        file.into_inner().unwrap().into_inner()
    };
    let resumed = |from: &[u8], ranks: usize, levels: usize| {
        let file = Mutex::default();
        let ended = Threads::run(ranks, |exchange| {
            let search = Search::resume(class, &by(exchange), &mut Cursor::new(from));
            search
                .unwrap()
                .map(|mut search| run(&mut search, levels, &file))
        });
        let ended: io::Result<Vec<()>> = ended.into_iter().collect();
        ended.map(|_| file.into_inner().unwrap().into_inner())
    };
    let (mut from, later) = (saved(1, 20), saved(1, 24));
    for (before, after) in [(4, 3), (1, 7), (3, 1), (2, 2)] {
        assert!(saved(before, 20) == from, "{before}");
        assert!(resumed(&from, after, 24).unwrap() == later, "{after}");
    }
    let damaged = (0..from.len() / 2).rfind(|&at| from[at] != 0).unwrap();
    for damaged in [damaged, from.len() - 1] {
        from[damaged] ^= 1;
        assert!(resumed(&from, 3, 21).is_err());
        from[damaged] ^= 1;
    }
    from[..100].copy_from_slice(&later[..100]);
    assert!(resumed(&from, 2, 21).is_err());
}
