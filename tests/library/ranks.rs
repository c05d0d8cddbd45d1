//! Several ranks that share a search write the file that one process writes.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use puzzledb::Cancel;
use puzzledb::internals::{SearchOptions, check_by, ensure_shared, go_on, join};
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{
    BuildError, Built, Checkpoints, Encoding, Notice, Plan, Table, build, ensure,
};

use crate::bytes::mend_checksums;
use crate::full::is_full;
use crate::threads::Threads;

fn plan(rows: usize, cols: usize, encoding: Encoding) -> Plan {
    let class = GoalClass::new(Shape::new(rows, cols).unwrap(), rows * cols - 1).unwrap();
    let mut plan = Plan::new(class);
    plan.encoding = Some(encoding);
    plan.threads = 1;
    plan
}

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// Builds with `ranks` ranks, up to distance `last`. Returns the result of each rank and the distance from
/// which it resumed.
fn build_by(
    ranks: usize,
    plan: &Plan,
    path: &Path,
    last: u8,
) -> Vec<(Result<bool, BuildError>, Option<u8>)> {
    Threads::run(ranks, |exchange| {
        let mut resumed = None;
        let notice = |notice: Notice| {
            if let Notice::Resumed { distance } = notice {
                resumed = Some(distance);
            }
            ControlFlow::Continue(())
        };
        // The last rank gives up: the others do too.
        let gives_up = exchange.rank() + 1 == exchange.ranks();
        let made = ensure_shared(path, plan, &exchange, notice, |progress| {
            if gives_up && progress.distance == last {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        (made.map(|table| table.is_some()), resumed)
    })
}

#[test]
#[ignore = "full run"]
fn the_file_is_that_of_one_process_for_any_number_of_ranks_in_memory_and_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.pzdb");
    let (in_memory, in_files) = if is_full() {
        (&[1, 2, 3, 4, 7][..], &[1, 2, 7][..])
    } else {
        (&[3, 7][..], &[2][..])
    };
    let mut plans = vec![
        (plan(2, 2, Encoding::Bit), &[1, 2][..], &[1, 2][..]),
        (plan(3, 2, Encoding::Bit), &[3], &[]),
        (plan(3, 3, Encoding::Bit), in_memory, in_files),
        (plan(3, 3, Encoding::Full), &[3], &[]),
        (plan(6, 2, Encoding::Bit), &[1, 4], &[3]),
    ];
    if is_full() {
        plans.push((plan(4, 3, Encoding::Bit), &[], &[4]));
    }
    for (mut plan, in_memory, in_files) in plans {
        let one = build(plan.class, plan.encoding.unwrap(), 1, &Cancel::new())
            .unwrap()
            .unwrap();
        for (counts, scratch) in [(in_memory, None), (in_files, Some("scratch"))] {
            plan.scratch = scratch.map(|name| folder.path().join(name));
            for &ranks in counts {
                let made = build_by(ranks, &plan, &path, u8::MAX);
                for (rank, (made, _)) in made.into_iter().enumerate() {
                    assert_eq!(made.unwrap(), rank == 0);
                }
                assert!(fs::read(&path).unwrap() == one, "{ranks} ranks {scratch:?}");
                assert_eq!(names(folder.path()), ["table.pzdb"]);
                fs::remove_file(&path).unwrap();
            }
        }
    }
}

/// Shapes with more than one slab have at least 12 cells.
#[test]
#[ignore = "full run"]
fn a_table_is_proved_by_ranks_and_in_files_and_a_wrong_bit_is_found_there() {
    let class = GoalClass::new(Shape::new(4, 3).unwrap(), 11).unwrap();
    let good = build(class, Encoding::Bit, 2, &Cancel::new())
        .unwrap()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let proved = |bytes: &[u8], ranks, scratch: bool| {
        let table = Table::from_bytes(bytes).unwrap();
        Threads::run(ranks, |exchange| {
            let mut options = SearchOptions::threads(1);
            options.memory = Some(200 << 20);
            options.scratch = scratch.then(|| folder.path().join("scratch"));
            options.exchange = exchange;
            check_by(&table, &options, &mut go_on).map(|proof| proof.states)
        })
    };
    for proof in proved(&good, 3, true) {
        assert_eq!(proof.unwrap(), 239_500_800);
    }
    let mut bad = good;
    let state = 150_000_001;
    bad[4096 + state / 8] ^= 1 << (state % 8);
    mend_checksums(&mut bad);
    let mut told = Vec::new();
    for (ranks, scratch) in [(3, false), (2, true)] {
        for wrong in proved(&bad, ranks, scratch) {
            told.push(wrong.unwrap_err().to_string());
        }
        assert!(names(folder.path()).is_empty());
    }
    assert!(told[0].contains("wrong at state"), "{}", told[0]);
    assert!(told.iter().all(|wrong| *wrong == told[0]), "{told:?}");
}

#[test]
fn what_some_ranks_have_begun_any_number_of_ranks_goes_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.pzdb");
    let mut plan = plan(6, 2, Encoding::Bit);
    plan.checkpoints = Checkpoints::default();
    plan.checkpoints.above = 0;
    plan.checkpoints.every = Duration::ZERO;
    let mut before = None;
    for &(ranks, last) in crate::full::sample(&[(3, 9), (1, 12), (4, 14), (7, 20)], 2) {
        for (ended, resumed) in build_by(ranks, &plan, &path, last) {
            assert!(matches!(ended, Err(BuildError::Interrupted)), "{ended:?}");
            assert_eq!(resumed, before);
        }
        before = Some(last);
        assert_eq!(names(folder.path()), [".table.pzdb.checkpoint"]);
    }
    plan.checkpoints.every = Duration::from_secs(60);
    let go_on = |_| ControlFlow::Continue(());
    let (table, built) = ensure(&path, &plan, |_| ControlFlow::Continue(()), go_on).unwrap();
    assert!(matches!(built, Built::New));
    assert_eq!(table.header().max_distance(), 80);
    assert_eq!(names(folder.path()), ["table.pzdb"]);
}

#[test]
fn what_one_rank_cannot_do_is_an_error_on_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.pzdb");
    fs::write(&path, "no table").unwrap();
    let plan = plan(3, 3, Encoding::Bit);
    let ended = build_by(3, &plan, &path, u8::MAX);
    assert!(matches!(ended[0].0, Err(BuildError::Foreign(_))));
    for (ended, _) in &ended[1..] {
        assert!(matches!(ended, Err(BuildError::OtherRank)));
    }
    assert_eq!(fs::read(&path).unwrap(), b"no table");
}

/// Names of files are sent to the other ranks as text.
#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_is_no_text_is_not_shared() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"a\xFF"));
    let plan = plan(3, 3, Encoding::Bit);
    let ended = build_by(2, &plan, &path, u8::MAX);
    assert!(matches!(ended[0].0, Err(BuildError::Write { .. })));
    assert!(matches!(ended[1].0, Err(BuildError::OtherRank)));
    assert!(names(folder.path()).is_empty());
}

/// Shards of a table, made by `ranks` ranks in a folder.
fn shards_of(ranks: usize, plan: &Plan, folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut plan = plan.clone();
    plan.shards = true;
    let path = folder.join(name);
    for (made, _) in build_by(ranks, &plan, &path, u8::MAX) {
        assert!(!made.unwrap(), "there is no table yet");
    }
    let shard = |rank| folder.join(format!("{name}.shard-{rank}-of-{ranks}"));
    (0..ranks).map(shard).collect()
}

#[test]
#[ignore = "full run"]
fn shards_are_joined_to_the_file_of_one_process() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, path) = (dir.path(), dir.path().join("whole.pzdb"));
    let wait = || ControlFlow::Break(());
    for (mut plan, ranks, in_files) in [
        (plan(3, 3, Encoding::Bit), 1, false),
        (plan(3, 3, Encoding::Bit), 3, true),
        (plan(6, 2, Encoding::Bit), 1, true),
        (plan(6, 2, Encoding::Bit), 4, false),
    ] {
        let one = build(plan.class, Encoding::Bit, 2, &Cancel::new())
            .unwrap()
            .unwrap();
        plan.scratch = in_files.then(|| folder.join("scratch"));
        plan.checkpoints.above = 0; // no checkpoint is written all the same
        let mut shards = shards_of(ranks, &plan, folder, "table.pzdb");
        assert_eq!(names(folder).len(), ranks);
        shards.reverse();
        let (table, built) = join(&path, &shards, false, wait).unwrap();
        assert!(fs::read(&path).unwrap() == one && matches!(built, Built::New));
        table.verify().unwrap();
        let (_, built) = join(&path, &shards, false, wait).unwrap();
        assert!(matches!(built, Built::AlreadyThere));
        assert_eq!(names(folder).len(), ranks + 1);
        names(folder)
            .iter()
            .for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    }
}

#[test]
#[ignore = "full run"]
fn shards_that_are_damaged_missing_or_of_another_table_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, path) = (dir.path(), dir.path().join("whole.pzdb"));
    let table = plan(6, 2, Encoding::Bit);
    let shards = shards_of(3, &table, folder, "a");
    let joined = |shards: &[PathBuf]| {
        let wait = || ControlFlow::Break(());
        let error = join(&path, shards, false, wait).unwrap_err().to_string();
        assert!(!path.exists(), "{error}");
        error.replace(&format!("{}/", folder.display()), "")
    };
    let of = |text: &str| {
        let named = |i: usize| shards[i].clone();
        let all: Vec<PathBuf> = text.bytes().map(|b| named(usize::from(b - b'0'))).collect();
        joined(&all)
    };
    assert_eq!(of(""), "shard 0 of 1 is missing");
    assert_eq!(of("20"), "shard 1 of 3 is missing");
    assert_eq!(
        of("0102"),
        "a.shard-0-of-3 and a.shard-0-of-3 are the same shard"
    );
    let two = shards_of(2, &table, folder, "b");
    let apart = "a.shard-0-of-3 and b.shard-1-of-2 are not shards of one table";
    assert_eq!(joined(&[shards[0].clone(), two[1].clone()]), apart);
    let mut plan = plan(6, 2, Encoding::Bit);
    plan.class = GoalClass::new(Shape::new(6, 2).unwrap(), 9).unwrap();
    let other = shards_of(3, &plan, folder, "c");
    let apart = "a.shard-0-of-3 and c.shard-1-of-3 are not shards of one table";
    assert_eq!(joined(&[shards[0].clone(), other[1].clone()]), apart);
    let good = fs::read(&shards[1]).unwrap();
    let is_named = |bytes: &[u8]| {
        fs::write(&shards[1], bytes).unwrap();
        let told = of("012");
        told == "a.shard-1-of-3 is damaged, or no shard of a table"
            || told.contains("are not shards of one")
    };
    for at in (0..good.len())
        .step_by(good.len() / 60)
        .chain([9, 13, 20, 4095, 4100, 8191])
    {
        let mut bad = good.clone();
        bad[at] ^= 4;
        assert!(is_named(&bad), "{at}");
    }
    for length in [0, 7, 4096, 8192, good.len() - 1] {
        assert!(is_named(&good[..length]), "{length}");
    }
    assert!(is_named(&[&good[..], b"x"].concat()));
    fs::write(&shards[1], &good).unwrap();
    plan.encoding = Some(Encoding::Full);
    plan.shards = true;
    let full = build_by(2, &plan, &path, u8::MAX);
    assert!(
        full.iter().all(|(made, _)| made.is_err()),
        "a full table is built whole"
    );
}

#[test]
fn a_rank_without_a_place_for_its_shard_is_an_error_on_all() {
    let dir = tempfile::tempdir().unwrap();
    let mut plan = plan(3, 3, Encoding::Bit);
    plan.shards = true;
    fs::write(dir.path().join("file"), "").unwrap();
    let told = Threads::run(3, |exchange| {
        let path = dir
            .path()
            .join(["table", "file/table", "table"][exchange.rank()]);
        let go_on = ControlFlow::Continue(());
        let made = ensure_shared(path, &plan, &exchange, |_| go_on, |_| go_on);
        made.unwrap_err().to_string()
    });
    assert!(told[1].contains("file/table.shard-1-of-3"), "{told:?}");
    assert_eq!(told[0], "another rank cannot go on");
    assert_eq!(names(dir.path()), ["file"]);
}
