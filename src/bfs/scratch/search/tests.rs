use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::super::super::engine::levels::{LevelProgress, go_on};
use super::super::super::ranks::threads::Threads;
use super::super::storage::{MemoryFiles, ReadSeek, Storage};
use super::*;
use crate::puzzle::Shape;

fn open(
    class: GoalClass,
    kept: Kept,
    memory: Option<u64>,
    folder: &Path,
) -> Result<Search, SearchError> {
    let options = SearchOptions {
        scratch: Some(folder.to_owned()),
        memory,
        ..SearchOptions::threads(2)
    };
    Search::in_slabs(class, kept, &options)
}

/// Checks that a folder is refused for this reason.
fn assert_refused<T>(opened: Result<T, SearchError>, reason: &str) {
    match opened {
        Err(SearchError::Folder { why, .. }) => assert!(why.contains(reason), "{why}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{reason}"),
    }
}

fn class(rows: usize, cols: usize) -> GoalClass {
    GoalClass::new(Shape::new(rows, cols).unwrap(), rows * cols - 1).unwrap()
}

/// A search in memory that keeps nothing.
fn counting(class: GoalClass) -> Search {
    Search::shared(class, Kept::Nothing, &SearchOptions::threads(2)).unwrap()
}

/// Memory for slabs that share `digits` leading digits, and no more.
fn memory(class: GoalClass, digits: usize) -> Option<u64> {
    Search::memory_of_slabs(class, digits)
}

/// Levels and bit 1 of all distances of a search in slabs against those of one in memory.
fn same_as_in_memory(class: GoalClass, digits: usize) {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(class, digits);
    let mut search = open(class, Kept::BitOne, memory, folder.path()).unwrap();
    let mut whole = Search::new(class, 2).unwrap();
    let m = class.shape().tiles();
    assert_eq!(
        search.layout().slabs,
        (m + 1 - digits..=m).product::<usize>()
    );
    loop {
        let expected = whole.advance(&mut go_on).unwrap();
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
    for &(rows, cols, digits, levels) in crate::full::sample(&[(6, 2, 2, 8), (4, 3, 2, 6)], 1) {
        let class = class(rows, cols);
        let folder = tempfile::tempdir().unwrap();
        let memory = Search::memory_of_slabs(class, digits);
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
        assert_refused(open(), "is in use by another search");
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
                Err(SearchError::Interrupted) => {
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

/// The first levels of a search by ranks in one folder, or in one of each rank, or the error of each. Rank 1 ends the
/// search after `slabs` slabs.
fn by_ranks(
    ranks: usize,
    path: &Path,
    is_shared: bool,
    levels: usize,
    slabs: usize,
) -> Vec<Result<Vec<u64>, SearchError>> {
    let class = class(6, 2);
    Threads::run(ranks, |exchange| {
        let rank = exchange.rank();
        let own = if is_shared { 0 } else { rank };
        let options = SearchOptions {
            scratch: Some(path.join(own.to_string())),
            memory: memory(class, 1),
            exchange,
            ..SearchOptions::threads(1)
        };
        let (mut search, mut left) = (Search::in_slabs(class, Kept::BitOne, &options)?, slabs);
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

/// The first levels of the same search in memory.
fn first_levels(count: usize) -> Vec<u64> {
    let mut whole = counting(class(6, 2));
    while whole.levels().len() < count {
        whole.advance(&mut go_on).unwrap();
    }
    whole.levels().to_vec()
}

#[test]
fn ended_on_one_rank_a_search_ends_on_all_and_goes_on_with_any_number_in_a_shared_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (ranks, slabs) in [(3, 2), (3, 30), (2, 17), (4, 11), (13, 5)] {
        for (rank, ended) in by_ranks(ranks, path, true, 30, slabs)
            .into_iter()
            .enumerate()
        {
            match ended {
                Err(SearchError::Interrupted) => assert_eq!(rank, 1),
                Err(SearchError::OtherRank) => assert_ne!(rank, 1),
                ended => panic!("{ended:?}"),
            }
        }
    }
    let expected = first_levels(20);
    for (ranks, levels) in [(1, 14), (5, 16), (2, 20)] {
        for found in by_ranks(ranks, path, true, levels, usize::MAX) {
            assert_eq!(found.unwrap(), expected[..levels], "{ranks} ranks");
        }
    }
    let alone = |folder| open(class(6, 2), Kept::BitOne, None, folder);
    if crate::full::is_full() {
        let bits = |folder| {
            let (mut search, mut bits) = (alone(folder).unwrap(), Vec::new());
            search.run(&mut go_on).unwrap();
            let take = |words: &[u64]| {
                bits.extend_from_slice(words);
                Ok(())
            };
            search
                .each_bit_one(0..search.layout().planes(), take)
                .unwrap();
            bits
        };
        assert!(bits(&path.join("0")) == bits(&path.join("other")));
    }
}

#[test]
fn a_search_in_folders_of_each_rank_goes_on_with_as_many() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let expected = first_levels(13);
    let manifest = path.join("2/manifest");
    let run = |ranks, levels| by_ranks(ranks, path, false, levels, usize::MAX);
    assert_eq!(run(3, 11)[0].as_ref().unwrap(), &expected[..11]);
    let before = fs::read(&manifest).unwrap();
    assert_eq!(run(3, 12)[0].as_ref().unwrap(), &expected[..12]);
    // State after a kill when two ranks have finished a level, and one has not.
    fs::write(&manifest, &before).unwrap();
    for found in run(3, 13) {
        assert_eq!(found.unwrap(), expected);
    }
    // The folders of searches that are levels apart are not those of one.
    let good = fs::read(&manifest).unwrap();
    fs::write(&manifest, before).unwrap();
    for ended in run(3, 13) {
        assert_refused(ended, "is not of the same search");
    }
    fs::write(&manifest, good).unwrap();
    for ranks in [1, 2] {
        let ended = run(ranks, 13).swap_remove(0);
        assert_refused(ended, "begun with 3 ranks");
    }
    assert_eq!(run(3, 13)[2].as_ref().unwrap(), &expected);
}

#[test]
fn a_folder_that_will_not_do_is_told_and_left() {
    let class = class(3, 3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let open = |kept, memory| open(class, kept, memory, path);
    assert!(matches!(
        open(Kept::BitOne, Some(1000)),
        Err(SearchError::TooLittleMemory { in_slabs: true, .. })
    ));
    fs::write(path.join("letter"), "dear").unwrap();
    assert_refused(open(Kept::BitOne, None), "no scratch folder");
    fs::write(path.join("manifest"), "of something else").unwrap();
    assert_refused(open(Kept::BitOne, None), "no scratch folder");
    fs::remove_file(path.join("letter")).unwrap();
    fs::remove_file(path.join("manifest")).unwrap();
    let mut search = open(Kept::BitOne, None).unwrap();
    for _ in 0..20 {
        search.advance(&mut go_on).unwrap();
    }
    drop(search);
    assert_refused(
        open(Kept::Nothing, None),
        "another search (distances of 3x3)",
    );
    let manifest = fs::read_to_string(path.join("manifest")).unwrap();
    fs::write(path.join("manifest"), manifest.replacen('4', "3", 1)).unwrap();
    assert_refused(open(Kept::BitOne, None), "remove the folder to begin anew");
    fs::write(path.join("manifest"), manifest).unwrap();
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
            matches!(&error, SearchError::Damaged(path) if *path == level),
            "{error}"
        );
    }
    fs::remove_file(&level).unwrap();
    let mut search = open(Kept::BitOne, None).unwrap();
    assert!(matches!(
        search.advance(&mut go_on),
        Err(SearchError::Io { .. })
    ));
    fs::write(
        path.join("manifest"),
        "puzzledb scratch 4\ndistances of 3x3\nranks",
    )
    .unwrap();
    drop(search);
    assert!(matches!(
        open(Kept::BitOne, None),
        Err(SearchError::Damaged(_))
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
        for entry in fs::read_dir(path).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (bytes, file) in &files {
            fs::write(file, bytes).unwrap();
        }
    };
    let expected = finish().unwrap();
    let part = if crate::full::is_full() { 1 } else { 11 };
    let (mut refused, mut harmless) = (0, 0);
    for (bytes, file) in &files {
        for at in (0..bytes.len()).step_by(part) {
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
    assert!(
        refused * part > 200,
        "{refused} refused, {harmless} harmless"
    );
}

#[test]
#[cfg(unix)]
fn links_and_pipes_with_the_names_of_our_files_are_refused() {
    for name in [
        "lock",
        "manifest",
        "owner",
        "manifest-0.new",
        "level-000-0000.new",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "years of work").unwrap();
        let scratch = folder.path().join("scratch");
        fs::create_dir(&scratch).unwrap();
        let open = || open(class(3, 3), Kept::BitOne, None, &scratch);
        let place = scratch.join(name);
        std::os::unix::fs::symlink(&victim, &place).unwrap();
        assert_refused(open(), "no scratch folder");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "years of work");
        fs::remove_file(&place).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(&place).status();
        assert!(pipe.unwrap().success());
        assert_refused(open(), "no scratch folder");
    }
}

/// A storage that loses its power before a change.
#[derive(Debug)]
struct Faulty {
    /// Files as the search sees them.
    now: MemoryFiles,
    disk: Mutex<PoweredDisk>,
    free: Option<u64>,
}

#[derive(Debug)]
struct PoweredDisk {
    /// Files that have been committed.
    files: BTreeMap<String, Vec<u8>>,
    /// Those that have not, of which the last may be in part.
    new: BTreeMap<String, Vec<u8>>,
    /// Those that have been removed since the last commit.
    removed: Vec<(String, Vec<u8>)>,
    /// Changes that are left until the power is cut.
    left: usize,
    random: ChaCha8Rng,
}

impl PoweredDisk {
    fn change(&mut self) -> io::Result<()> {
        self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(())
    }
}

impl Faulty {
    fn new(files: BTreeMap<String, Vec<u8>>, left: usize, random: ChaCha8Rng) -> Faulty {
        let now = MemoryFiles::default();
        for (name, bytes) in &files {
            now.write(name, &[bytes]).unwrap();
        }
        Faulty {
            now,
            disk: Mutex::new(PoweredDisk {
                files,
                new: BTreeMap::new(),
                removed: Vec::new(),
                left,
                random,
            }),
            free: None,
        }
    }

    /// The files after a power cut, which gives some of the removed ones back and leaves parts of those that were not
    /// committed, or after a kill.
    fn survivors(&self, is_kill: bool) -> (BTreeMap<String, Vec<u8>>, ChaCha8Rng) {
        let mut disk = self.disk.lock().unwrap();
        let removed = std::mem::take(&mut disk.removed);
        for (name, bytes) in removed {
            if !is_kill && disk.random.random_bool(0.5) {
                disk.files.insert(name, bytes);
            }
        }
        for (name, mut bytes) in std::mem::take(&mut disk.new) {
            let written = disk.random.random_range(0..=bytes.len());
            match disk.random.random_range(0..4) {
                _ if is_kill => {}
                0 => continue,
                1 => bytes.truncate(written),
                2 => bytes[written..].fill(0),
                _ => {}
            }
            disk.files.insert(name, bytes);
        }
        let random = ChaCha8Rng::seed_from_u64(disk.random.random());
        (disk.files.clone(), random)
    }
}

impl Storage for Arc<Faulty> {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>> {
        self.now.open(name)
    }

    fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let mut disk = self.disk.lock().unwrap();
        let (changed, mut bytes) = (disk.change(), parts.concat());
        if changed.is_err() {
            bytes.pop();
        }
        disk.new.insert(name.to_owned(), bytes);
        changed.and_then(|()| self.now.write(name, parts))
    }

    /// The files reach the disk in any order, and some of them do not.
    fn commit(&self, manifest: Option<&str>) -> io::Result<()> {
        let disk = &mut *self.disk.lock().unwrap();
        let mut names: Vec<String> = disk.new.keys().cloned().collect();
        names.shuffle(&mut disk.random);
        for name in names {
            disk.change()?;
            let bytes = disk.new.remove(&name).unwrap();
            disk.files.insert(name, bytes);
        }
        if let Some(text) = manifest {
            disk.change()?;
            disk.files.insert("manifest".into(), text.into());
            self.now.write("manifest", &[text.as_bytes()])?;
        }
        disk.removed.clear();
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let disk = &mut *self.disk.lock().unwrap();
        disk.change()?;
        disk.new.remove(name);
        let removed = disk.files.remove(name);
        disk.removed
            .extend(removed.map(|bytes| (name.to_owned(), bytes)));
        self.now.remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.now.names()
    }

    fn free(&self) -> Option<u64> {
        self.free
    }
}

/// The levels, and bit 1 of all distances of a search of `class` in slabs with these files.
fn search_in(
    class: GoalClass,
    digits: usize,
    levels: usize,
    storage: Box<dyn Storage>,
) -> Result<(Vec<u64>, Vec<u64>), SearchError> {
    let options = SearchOptions {
        scratch: Some("nowhere".into()),
        ..SearchOptions::threads(1)
    };
    let manifest = Manifest {
        class,
        kept: Kept::BitOne,
        proof_of: None,
    };
    let mut scratch = Scratch::new(storage, Path::new("nowhere"), manifest);
    scratch.uncommitted = 300;
    let mut search = Search::begin_in(scratch, digits, &options)?;
    while search.levels().len() < levels && search.advance(&mut go_on)?.is_some() {}
    let mut bits = Vec::new();
    let take = |words: &[u64]| {
        bits.extend_from_slice(words);
        Ok(())
    };
    let planes = 0..search.layout().planes();
    search
        .each_bit_one(planes, take)
        .map_err(super::super::super::error::at(Path::new("")))?;
    Ok((search.levels().to_vec(), bits))
}

/// The power is cut, or the search killed, before each of many changes, again and again until the search ends.
#[test]
fn after_power_cuts_and_kills_at_any_change_the_levels_and_bits_are_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let part = if crate::full::is_full() { 1 } else { 4 };
    for (class, digits, levels, step) in [(class(3, 2), 0, 99, 1), (class(6, 2), 1, 12, 40)] {
        let expected = search_in(class, digits, levels, Box::<MemoryFiles>::default()).unwrap();
        for first in (0..400).step_by(step * part) {
            let (mut files, mut cuts, mut left) = (BTreeMap::new(), 0, first);
            let found = loop {
                let storage = Arc::new(Faulty::new(files, left, random));
                match search_in(class, digits, levels, Box::new(storage.clone())) {
                    Ok(found) => {
                        random = storage.survivors(true).1;
                        break found;
                    }
                    Err(SearchError::Io { cause, .. }) => {
                        assert_eq!(cause.kind(), io::ErrorKind::BrokenPipe, "{cause}");
                        (files, random) = storage.survivors(cuts % 2 == 1);
                        (cuts, left) = (cuts + 1, random.random_range(10..400));
                    }
                    Err(error) => panic!("{first}: {error}"),
                }
            };
            assert!(found == expected, "{first}");
        }
    }
}

#[test]
fn before_a_level_that_will_not_fit_a_search_ends_and_goes_on_where_there_is_room() {
    let (class, random) = (class(6, 2), || ChaCha8Rng::seed_from_u64(3));
    let storage = Arc::new(Faulty::new(BTreeMap::new(), usize::MAX, random()));
    search_in(class, 1, 5, Box::new(storage.clone())).unwrap();
    let mut storage = Faulty::new(storage.survivors(true).0, usize::MAX, random());
    storage.free = Some(5_000);
    let storage = Arc::new(storage);
    let ended = search_in(class, 1, 40, Box::new(storage.clone()));
    let is_told = matches!(ended, Err(SearchError::LittleDisk { free: 5_000, .. }));
    assert!(is_told, "{ended:?}");
    let storage = Faulty::new(storage.survivors(true).0, usize::MAX, random());
    let storage: Box<dyn Storage> = Box::new(Arc::new(storage));
    let manifest = Manifest {
        class,
        kept: Kept::BitOne,
        proof_of: None,
    };
    let begun = Scratch::new(storage, Path::new(""), manifest)
        .begun()
        .unwrap()
        .unwrap();
    assert!(begun.levels.len() > 5, "{begun:?}");
    assert_eq!(begun.levels, first_levels(begun.levels.len()));
}

/// Most bytes in the folder, as measured.
#[test]
fn the_estimate_of_disk_is_true_within_three_tenths() {
    for (rows, cols, kept, megabytes) in [
        (6, 2, Kept::Nothing, 34.6),
        (4, 3, Kept::Nothing, 39.6),
        (7, 2, Kept::Nothing, 2692.0),
        (6, 2, Kept::BitOne, 96.4),
        (4, 3, Kept::BitOne, 84.1),
    ] {
        let estimate = Search::disk(class(rows, cols), kept) as f64 / 1e6;
        let ratio = estimate / megabytes;
        assert!((0.7..1.3).contains(&ratio), "{rows}x{cols}: {estimate}");
    }
}

#[test]
fn coded_slabs_in_memory_give_the_same_levels_and_leave_nothing() {
    for (class, memory, count) in [(class(3, 3), 100 << 20, 32), (class(6, 2), 60 << 20, 20)] {
        let options = SearchOptions {
            memory: Some(memory),
            ..SearchOptions::threads(1)
        };
        let mut search = Search::in_slabs(class, Kept::Nothing, &options).unwrap();
        let mut whole = counting(class);
        while whole.levels().len() < count {
            whole.advance(&mut go_on).unwrap();
            search.advance(&mut go_on).unwrap();
        }
        assert_eq!(search.levels(), whole.levels());
        search.remove();
        let memory = Some(Search::disk(class, Kept::Nothing));
        let ended = Search::in_slabs(class, Kept::Nothing, &SearchOptions { memory, ..options });
        let is_told = matches!(
            ended,
            Err(SearchError::TooLittleMemory { in_slabs: true, .. })
        );
        assert!(is_told, "{ended:?}");
    }
}
