//! Several ranks that share a search write the file that one process writes.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use puzzledb::bfs::{Level, Threads};
use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{
    BuildError, Built, Checkpoints, Encoding, Notice, Plan, build, ensure, ensure_shared,
};

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

/// Builds with so many ranks, up to a distance; what each rank was told, and the distance from which they
/// went on.
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
            match gives_up && progress.distance == last {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        (made.map(|table| table.is_some()), resumed)
    })
}

#[test]
fn the_file_is_that_of_one_process_for_any_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.pzdb");
    for (plan, counts) in [
        (plan(2, 2, Encoding::Bit), &[1, 2][..]),
        (plan(3, 2, Encoding::Bit), &[3]),
        (plan(3, 3, Encoding::Bit), &[1, 2, 3, 4, 7]),
        (plan(3, 3, Encoding::Full), &[3]),
        (plan(6, 2, Encoding::Bit), &[1, 3, 4]),
    ] {
        let go_on = |_: &Level<'_>| ControlFlow::Continue(());
        let one = build(plan.class, plan.encoding.unwrap(), 1, go_on)
            .unwrap()
            .unwrap();
        for &ranks in counts {
            let made = build_by(ranks, &plan, &path, u8::MAX);
            for (rank, (made, _)) in made.into_iter().enumerate() {
                assert_eq!(made.unwrap(), rank == 0);
            }
            assert!(fs::read(&path).unwrap() == one, "{ranks} ranks");
            assert_eq!(names(folder.path()), ["table.pzdb"]);
            fs::remove_file(&path).unwrap();
        }
    }
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
    for (ranks, last) in [(4, 9), (3, 14), (1, 16), (7, 20)] {
        for (ended, resumed) in build_by(ranks, &plan, &path, last) {
            assert!(matches!(ended, Err(BuildError::Interrupted)), "{ended:?}");
            assert_eq!(resumed, before);
        }
        before = Some(last);
        let parts = if ranks == 1 { 0 } else { ranks };
        assert_eq!(names(folder.path()).len(), 1 + parts);
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
    assert!(matches!(ended[0].0, Err(BuildError::InTheWay { .. })));
    for (ended, _) in &ended[1..] {
        assert!(matches!(ended, Err(BuildError::OtherRank)));
    }
    assert_eq!(fs::read(&path).unwrap(), b"no table");
    let mut in_scratch = plan.clone();
    in_scratch.scratch = Some(folder.path().join("scratch"));
    for (ended, _) in build_by(2, &in_scratch, &path, u8::MAX) {
        assert!(matches!(ended, Err(BuildError::RanksInScratch)));
    }
}

/// Its name goes to the other ranks as text.
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
