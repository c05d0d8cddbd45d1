//! Ensuring a good table at a path: the existing one, or else a new one.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::bfs::{Alone, Exchange, Kept, LevelProgress, ScratchOptions, Search, SlabSearch};

use super::checkpoints::CheckpointFile;
use super::encode::Distances;
use super::encoding::Encoding;
use super::ensure_file::{
    Acquired, BuildError, Built, MOST_CELLS_FULL, acquire, open_table, write_error,
};
use super::file::{Disk, followed, write_file};
use super::plan::{Notice, Plan};
use super::reader::Table;
use super::shares::write_table;

/// Ensures that a good database of `plan` is at `path`: builds it if it is not, and opens it.
///
/// The folder is made if it is missing. A symbolic link is followed; one that leads nowhere is replaced by
/// the file. `notice` is called with each event of the build, and may give up waiting for another process
/// that builds the same file. `observe` is called with every finished level, in a scratch folder with every
/// slab, and may end the search. Large searches in memory write checkpoints beside the file, from which the
/// next build resumes if this one is ended or killed.
///
/// ```
/// use std::ops::ControlFlow;
/// use puzzledb::puzzle::Shape;
/// use puzzledb::space::GoalClass;
/// use puzzledb::table::{Built, Plan, ensure};
///
/// let plan = Plan::new(GoalClass::new(Shape::EIGHT_PUZZLE, 8)?);
/// let path = std::env::temp_dir().join(format!("example-{}.pzdb", std::process::id()));
/// let go_on = ControlFlow::Continue(());
/// let (table, built) = ensure(&path, &plan, |_| go_on, |_| go_on)?;
/// assert!(matches!(built, Built::New));
/// assert_eq!(table.header().max_distance(), 31);
/// let (_, built) = ensure(&path, &plan, |_| go_on, |_| go_on)?;
/// assert!(matches!(built, Built::AlreadyThere));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`BuildError`]; the file is as it was before unless the error says otherwise.
pub fn ensure(
    path: impl AsRef<Path>,
    plan: &Plan,
    notice: impl FnMut(Notice) -> ControlFlow<()>,
    observe: impl FnMut(LevelProgress) -> ControlFlow<()>,
) -> Result<(Table, Built), BuildError> {
    let made = ensure_shared(path, plan, &(Arc::new(Alone) as _), notice, observe)?;
    Ok(made.expect("this is the first rank"))
}

/// Does the work of [`ensure`] by all ranks of `exchange` together, in a folder that all of them see.
/// Returns the table on the first rank, `None` on the others. The bytes of the file are those of one
/// process.
///
/// The first rank makes full tables alone: they are small. A table that is built in shards is not returned
/// on the first rank either.
///
/// # Errors
/// [`BuildError`] on all ranks if any has one; [`BuildError::OtherRank`] on those that have none.
pub fn ensure_shared(
    path: impl AsRef<Path>,
    plan: &Plan,
    exchange: &Arc<dyn Exchange>,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    observe: impl FnMut(LevelProgress) -> ControlFlow<()>,
) -> Result<Option<(Table, Built)>, BuildError> {
    let open = |path: &Path| open_table(path, plan.class, plan.encoding);
    let acquired = match exchange.rank() {
        0 => Some(acquire(path.as_ref(), plan.force, open, || {
            notice(Notice::Waiting)
        }))
        .transpose(),
        _ => Ok(None),
    };
    let acquired = exchange.agree(acquired, || BuildError::OtherRank)?;
    let is_good = exchange.any(matches!(acquired, Some(Acquired::Good(_))));
    if is_good && let Some(folder) = &plan.scratch {
        SlabSearch::remove_finished(plan.class, Kept::BitOne, options(folder, plan, exchange));
    }
    if !is_good {
        let path = match &acquired {
            Some(Acquired::Build { path, .. }) => path.clone(),
            _ => followed(path.as_ref()),
        };
        let built = match plan.encoding() {
            Encoding::Bit => build_file(&path, plan, exchange, notice, observe),
            Encoding::Full if exchange.rank() > 0 => Ok(()),
            Encoding::Full => build_file(&path, plan, &(Arc::new(Alone) as _), notice, observe),
        };
        exchange.agree(built, || BuildError::OtherRank)?;
    }
    Ok(match acquired {
        Some(Acquired::Good(table)) => Some((table, Built::AlreadyThere)),
        Some(Acquired::Build { .. }) if plan.shards => None,
        Some(Acquired::Build { path, built, lock }) => {
            drop(lock);
            Some((Table::open(&path)?, built))
        }
        None => None,
    })
}

/// Searches, or resumes a search, and writes the file.
fn build_file(
    path: &Path,
    plan: &Plan,
    exchange: &Arc<dyn Exchange>,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    mut observe: impl FnMut(LevelProgress) -> ControlFlow<()>,
) -> Result<(), BuildError> {
    let encoding = plan.encoding();
    if encoding == Encoding::Full && plan.class.shape().cells() > MOST_CELLS_FULL {
        return Err(BuildError::TooLargeForFull(plan.class.shape().transposed()));
    }
    if encoding == Encoding::Full && (plan.shards || plan.scratch.is_some()) {
        return Err(BuildError::FullInParts);
    }
    if let Some(folder) = &plan.scratch {
        let options = options(folder, plan, exchange);
        return build_in_slabs(path, plan, options, notice, observe);
    }
    let possible = Search::check_memory(plan.class, Kept::BitOne, plan.memory, &**exchange);
    exchange.agree(possible.map_err(BuildError::from), || BuildError::OtherRank)?;
    let _ = notice(Notice::Begins(encoding));
    let mut checkpoint = CheckpointFile::new(path, plan.checkpoints);
    checkpoint.is_used =
        encoding == Encoding::Bit && plan.class.states() > plan.checkpoints.above && !plan.shards;
    let begin = |saved: Option<&mut BufReader<File>>| {
        let (class, threads, ranks) = (plan.class, plan.threads, exchange.clone());
        let search = match saved {
            Some(file) => Search::resume(class, threads, ranks, file)?,
            None => Ok(Search::shared(class, Kept::BitOne, threads, ranks)?),
        };
        Ok(search.map(|search| Distances::new(search, encoding)))
    };
    let advance = |distances: &mut Distances| {
        let is_there = distances.advance()?;
        let levels = distances.search().levels();
        let progress = LevelProgress {
            distance: levels.len() as u8 - 1,
            slabs: (1, 1),
            states: levels.iter().sum(),
        };
        Ok(is_there.then(|| observe(progress)))
    };
    let distances = checkpoint.run(&**exchange, &mut notice, begin, advance)?;
    match encoding {
        Encoding::Bit => write_table(distances.search(), path, plan.shards)?,
        Encoding::Full => write_file(&Disk, path, |file| distances.write(file))
            .map_err(|cause| write_error(path, cause))?,
    }
    if exchange.rank() == 0 {
        let _ = checkpoint.remove(); // one that is left does no harm
    }
    Ok(())
}

/// Options of a search in a scratch folder.
fn options(folder: &Path, plan: &Plan, exchange: &Arc<dyn Exchange>) -> ScratchOptions {
    ScratchOptions {
        threads: plan.threads,
        memory: plan.memory,
        exchange: exchange.clone(),
        ..ScratchOptions::new(folder)
    }
}

/// Begins or resumes a search in a scratch folder, and writes the bit table.
fn build_in_slabs(
    path: &Path,
    plan: &Plan,
    options: ScratchOptions,
    mut notice: impl FnMut(Notice) -> ControlFlow<()>,
    mut observe: impl FnMut(LevelProgress) -> ControlFlow<()>,
) -> Result<(), BuildError> {
    let _ = notice(Notice::Begins(Encoding::Bit));
    let mut search = SlabSearch::open(plan.class, Kept::BitOne, options)?;
    if let Some(distance) = search.levels().len().checked_sub(1) {
        let distance = distance as u8;
        let _ = notice(Notice::Resumed { distance });
    }
    search.run(&mut observe)?;
    write_table(&search, path, plan.shards)?;
    search.remove();
    Ok(())
}
