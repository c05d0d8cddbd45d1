use std::fs;
use std::io;
use std::ops::ControlFlow;

use super::super::super::engine::levels::{LevelProgress, go_on};
use super::super::super::ranks::exchange::Threads;
use super::*;
use crate::puzzle::Shape;

fn open(
    class: GoalClass,
    kept: Kept,
    memory: Option<u64>,
    folder: &Path,
) -> Result<SlabSearch, ScratchError> {
    let options = ScratchOptions {
        threads: 2,
        memory,
        ..ScratchOptions::new(folder)
    };
    SlabSearch::open(class, kept, options)
}

fn class(rows: usize, cols: usize) -> GoalClass {
    GoalClass::new(Shape::new(rows, cols).unwrap(), rows * cols - 1).unwrap()
}

/// A search in memory that keeps nothing.
fn counting(class: GoalClass) -> Search {
    Search::shared(class, Kept::Nothing, 2, Arc::new(Alone)).unwrap()
}

/// Memory for slabs that share `digits` leading digits, and no more.
fn memory(class: GoalClass, digits: usize) -> Option<u64> {
    SlabSearch::memory_of_slabs(class, digits)
}

/// Levels and bit 1 of all distances of a search in slabs against those of one in memory.
fn same_as_in_memory(class: GoalClass, digits: usize) {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(class, digits);
    let mut search = open(class, Kept::BitOne, memory, folder.path()).unwrap();
    let mut whole = Search::new(class, 2).unwrap();
    let m = class.shape().tiles();
    assert_eq!(
        search.layout().slabs(),
        (m + 1 - digits..=m).product::<usize>()
    );
    loop {
        let Ok(expected) = whole.advance(&mut go_on);
        let expected = expected.map(|level| level.states());
        let found = search.advance(&mut go_on).unwrap();
        assert_eq!(found.map(|level| level.states()), expected);
        if expected.is_none() {
            break;
        }
    }
    let layout = Layout::new(class);
    let mut chunks =
        (0..layout.planes()).flat_map(|cell| (0..layout.chunks()).map(move |chunk| (cell, chunk)));
    search
        .each_bit_one(0..layout.planes(), |words| {
            let (cell, chunk) = chunks.next().unwrap();
            assert!(words == whole.bit_one(layout.colour(cell)).of_chunk(cell, chunk));
            Ok(())
        })
        .unwrap();
    assert_eq!(chunks.next(), None);
    search.remove();
    assert!(!folder.path().exists());
}

#[test]
#[ignore = "full run"]
fn a_search_in_slabs_finds_what_one_in_memory_finds() {
    for (rows, cols) in [(2, 2), (3, 2), (3, 3), (5, 2)] {
        for class in GoalClass::all(Shape::new(rows, cols).unwrap()).unwrap() {
            same_as_in_memory(class, 0);
        }
    }
    same_as_in_memory(class(4, 3), 1);
}

/// Slabs that share two digits, into which two planes cross in runs shorter than a chunk.
#[test]
fn slabs_that_share_more_digits_find_the_same_beginning() {
    for (rows, cols, digits, levels) in [(6, 2, 2, 8), (4, 3, 2, 6)] {
        let class = class(rows, cols);
        let folder = tempfile::tempdir().unwrap();
        let memory = memory(class, digits);
        let mut search = open(class, Kept::Nothing, memory, folder.path()).unwrap();
        let mut whole = counting(class);
        for _ in 0..levels {
            search.advance(&mut go_on).unwrap();
            whole.advance(&mut go_on).unwrap();
        }
        assert_eq!(search.levels(), whole.levels());
    }
}

#[test]
fn ended_in_any_slab_a_search_goes_on_from_the_level_before() {
    let class = class(6, 2);
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(class, 1);
    let open = || open(class, Kept::BitOne, memory, folder.path());
    let mut whole = Search::new(class, 2).unwrap();
    while whole.levels().len() < 12 {
        whole.advance(&mut go_on).unwrap();
    }
    let mut interrupted = 0;
    for slabs in [0, 3, 17, 40, 29, usize::MAX] {
        let mut search = open().unwrap();
        assert!(matches!(open(), Err(ScratchError::Busy(_))));
        let mut left = slabs;
        let mut observe = |_: LevelProgress| match left.checked_sub(1) {
            Some(less) => {
                left = less;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        while search.levels().len() < 12 {
            match search.advance(&mut observe) {
                Ok(states) => assert!(states.is_some()),
                Err(ScratchError::Interrupted) => {
                    interrupted += 1;
                    break;
                }
                Err(error) => panic!("{error}"),
            }
        }
        if slabs == usize::MAX {
            assert_eq!(search.levels(), whole.levels());
        }
    }
    assert_eq!(interrupted, 5);
}

/// The first levels of a search by ranks, each with its folder in this one, or its error. Rank 1 ends the
/// search after `slabs` slabs.
fn by_ranks(
    ranks: usize,
    path: &Path,
    levels: usize,
    slabs: usize,
) -> Vec<Result<Vec<u64>, ScratchError>> {
    let class = class(6, 2);
    Threads::run(ranks, |exchange| {
        let rank = exchange.rank();
        let options = ScratchOptions {
            memory: memory(class, 1),
            exchange,
            ..ScratchOptions::new(path)
        };
        let (mut search, mut left) = (SlabSearch::open(class, Kept::Nothing, options)?, slabs);
        let mut observe = |_: LevelProgress| match left {
            0 if rank == 1 => ControlFlow::Break(()),
            _ => {
                left = left.saturating_sub(1);
                ControlFlow::Continue(())
            }
        };
        while search.levels().len() < levels {
            search.advance(&mut observe)?;
        }
        Ok(search.levels().to_vec())
    })
}

/// The files of the ranks' folders.
fn files_of_ranks(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = |path: &Path| {
        let entries = fs::read_dir(path).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    let files = entries(path).into_iter().flat_map(|rank| entries(&rank));
    files
        .map(|file| (file.clone(), fs::read(file).unwrap()))
        .collect()
}

#[test]
fn ended_on_one_rank_a_search_ends_on_all_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for slabs in [2, 30] {
        for (rank, ended) in by_ranks(3, path, 12, slabs).into_iter().enumerate() {
            match ended {
                Err(ScratchError::Interrupted) => assert_eq!(rank, 1),
                Err(ScratchError::Search(SearchError::OtherRank)) => assert_ne!(rank, 1),
                ended => panic!("{ended:?}"),
            }
        }
    }
    let (share, elsewhere) = (path.join("rank-1"), tempfile::tempdir().unwrap());
    let elsewhere = elsewhere.path().join("rank-1");
    fs::rename(&share, &elsewhere).unwrap();
    for ranks in [1, 2, 4] {
        for (rank, ended) in by_ranks(ranks, path, 12, 0).into_iter().enumerate() {
            match ended {
                Err(ScratchError::OtherRanks { begun_with: 3, .. }) => assert_eq!(rank, 0),
                Err(ScratchError::Search(SearchError::OtherRank)) => assert_ne!(rank, 0),
                ended => panic!("{ended:?}"),
            }
        }
    }
    fs::rename(&elsewhere, &share).unwrap();
    let levels = by_ranks(3, path, 11, usize::MAX).swap_remove(0).unwrap();
    let before = files_of_ranks(path);
    let found = by_ranks(3, path, 12, usize::MAX);
    assert!(found[0].as_ref().unwrap().starts_with(&levels));
    // State after a kill when one rank has finished a level, and the others have not.
    for (file, bytes) in &before {
        if !file.ends_with("rank-2/manifest") {
            fs::write(file, bytes).unwrap();
        }
    }
    let mut whole = counting(class(6, 2));
    while whole.levels().len() < 13 {
        whole.advance(&mut go_on).unwrap();
    }
    for found in by_ranks(3, path, 13, usize::MAX) {
        assert_eq!(found.unwrap(), whole.levels());
    }
    // The folders of searches that are levels apart are not those of one.
    let manifest = before
        .iter()
        .find(|(file, _)| file.ends_with("rank-2/manifest"));
    let (manifest, bytes) = manifest.unwrap();
    fs::write(manifest, bytes).unwrap();
    for ended in by_ranks(3, path, 13, 0) {
        assert!(matches!(ended, Err(ScratchError::Apart(_))), "{ended:?}");
    }
}

#[test]
fn a_folder_that_will_not_do_is_told_and_left() {
    let class = class(3, 3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let open = |kept, memory| open(class, kept, memory, path);
    assert!(matches!(
        open(Kept::BitOne, Some(1000)),
        Err(ScratchError::LittleMemory { .. })
    ));
    fs::write(path.join("letter"), "dear").unwrap();
    assert!(matches!(
        open(Kept::BitOne, None),
        Err(ScratchError::NotOurs(_))
    ));
    fs::write(path.join("manifest"), "of something else").unwrap();
    assert!(matches!(
        open(Kept::BitOne, None),
        Err(ScratchError::NotOurs(_))
    ));
    fs::remove_file(path.join("letter")).unwrap();
    fs::remove_file(path.join("manifest")).unwrap();
    let mut search = open(Kept::BitOne, None).unwrap();
    for _ in 0..20 {
        search.advance(&mut go_on).unwrap();
    }
    drop(search);
    assert!(matches!(
        open(Kept::Nothing, None),
        Err(ScratchError::Other { .. })
    ));
    let level = path.join("level-019-0000");
    let good = fs::read(&level).unwrap();
    let damages: [fn(&mut Vec<u8>); 3] = [
        |bytes| bytes[50] ^= 1,
        |bytes| bytes.truncate(99),
        |bytes| bytes.clear(),
    ];
    for damage in damages {
        let mut bad = good.clone();
        damage(&mut bad);
        fs::write(&level, &bad).unwrap();
        let mut search = open(Kept::BitOne, None).unwrap();
        let error = search.advance(&mut go_on).unwrap_err();
        assert!(
            matches!(&error, ScratchError::Damaged(path) if *path == level),
            "{error}"
        );
    }
    fs::remove_file(&level).unwrap();
    let mut search = open(Kept::BitOne, None).unwrap();
    assert!(matches!(
        search.advance(&mut go_on),
        Err(ScratchError::Io { .. })
    ));
    fs::write(
        path.join("manifest"),
        "puzzledb scratch 1\ndistances of 3x3\nleading",
    )
    .unwrap();
    drop(search);
    assert!(matches!(
        open(Kept::BitOne, None),
        Err(ScratchError::Damaged(_))
    ));
}

/// Each byte of each file of a folder, and each length that a file can be cut to.
#[test]
fn a_changed_byte_or_a_cut_is_an_error_or_changes_no_result() {
    let class = class(2, 2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let finish = || -> io::Result<(Vec<u64>, Vec<u64>)> {
        let search = open(class, Kept::BitOne, None, path);
        let mut search = search.map_err(io::Error::other)?;
        search.run(&mut go_on).map_err(io::Error::other)?;
        let mut bits = Vec::new();
        search.each_bit_one(0..class.shape().cells(), |words| {
            bits.extend_from_slice(words);
            Ok(())
        })?;
        Ok((search.levels().to_vec(), bits))
    };
    let mut search = open(class, Kept::BitOne, None, path).unwrap();
    while search.levels().len() < 6 {
        search.advance(&mut go_on).unwrap();
    }
    drop(search);
    let files: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|file| (fs::read(&file).unwrap(), file))
        .collect();
    let restore = || {
        for (bytes, file) in &files {
            fs::write(file, bytes).unwrap();
        }
    };
    let expected = finish().unwrap();
    let (mut refused, mut harmless) = (0, 0);
    for (bytes, file) in &files {
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            for bad in [&changed[..], &bytes[..at]] {
                restore();
                fs::write(file, bad).unwrap();
                match finish() {
                    Ok(found) => {
                        harmless += 1;
                        assert_eq!(found, expected, "{} {at}", file.display());
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 200, "{refused} refused, {harmless} harmless");
}

#[test]
#[cfg(unix)]
fn links_and_pipes_with_the_names_of_our_files_are_refused() {
    for name in ["lock", "manifest", "manifest.new", "level-000-0000.new"] {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "years of work").unwrap();
        let scratch = folder.path().join("scratch");
        fs::create_dir(&scratch).unwrap();
        let open = || open(class(3, 3), Kept::BitOne, None, &scratch);
        let place = scratch.join(name);
        std::os::unix::fs::symlink(&victim, &place).unwrap();
        assert!(matches!(open(), Err(ScratchError::NotOurs(_))), "{name}");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "years of work");
        fs::remove_file(&place).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(&place).status();
        assert!(pipe.unwrap().success());
        assert!(matches!(open(), Err(ScratchError::NotOurs(_))), "{name}");
    }
}
