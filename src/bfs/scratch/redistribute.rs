//! Resuming a search with another number of ranks, in a folder that all ranks see: the files of each slab go to
//! the folder of the rank that owns it then.
//!
//! Files are only renamed. Meanwhile a combined manifest in the common folder supersedes the ranks' manifests.
//! A run that finds one finishes the move, for any number of ranks.

use std::fs::{self, File};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use super::super::engine::layout::Layout;
use super::super::error::{ScratchError, at};
use super::super::ranks::shares::Shares;
use super::folder::{LOCK, Scratch, is_unfinished, locked, names, slab_of};
use super::manifest::{Begun, MANIFEST, Manifest, common, is_file, ranks_of};

/// Name of the combined manifest of a search whose files are being moved to other ranks.
const MOVING: &str = "moving";

/// Makes a folder ready for the ranks of `wanted`, if a search of another number of ranks is in it. Other
/// folders are left as they are.
///
/// # Errors
/// [`ScratchError`]; [`ScratchError::OtherRanks`] where the shares of some ranks are not here.
pub fn redistribute(folder: &Path, wanted: Manifest) -> Result<(), ScratchError> {
    let moving = folder.join(MOVING);
    let all = wanted.of_rank(0, 1);
    // Their locks are held until all files have moved.
    let shares = if is_file(&moving)? {
        Vec::new()
    } else {
        let Some(begun_with) = begun_with(folder)? else {
            return Ok(());
        };
        let _ = fs::remove_file(moving.with_extension("new")); // of a run that was killed
        if begun_with == wanted.ranks {
            return Ok(());
        }
        let (shares, begun) = taken(folder, wanted, begun_with)?;
        all.write(&moving, begun.digits, &begun.levels)?;
        shares
    };
    let lock = locked(File::open(&moving).map_err(at(&moving))?, &moving)?;
    if !is_file(&moving)? {
        return Ok(()); // another process has done it
    }
    let begun = all.read_open(lock.file(), &moving)?;
    let left = hand_out(folder, wanted, &begun)?;
    drop(shares); // some systems keep a folder while a file in it is open
    for share in left {
        let _ = fs::remove_file(share.join(LOCK));
        let _ = fs::remove_dir(share);
    }
    fs::remove_file(&moving).map_err(at(&moving))
}

/// The number of ranks of the search in a folder, if there is one.
fn begun_with(folder: &Path) -> Result<Option<usize>, ScratchError> {
    for share in folders(folder)? {
        if let Some(ranks) = ranks_of(&share)? {
            return Ok(Some(ranks));
        }
    }
    Ok(None)
}

/// A folder and those of ranks in it; none if it is missing.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, ScratchError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let is_number = |rank: &str| !rank.is_empty() && rank.bytes().all(|b| b.is_ascii_digit());
    let names = names(folder)?.into_iter();
    let ranks = names.filter(|name| name.strip_prefix("rank-").is_some_and(is_number));
    let ranks = ranks
        .map(|name| folder.join(name))
        .filter(|rank| rank.is_dir());
    Ok(iter::once(folder.to_owned()).chain(ranks).collect())
}

/// Takes the shares of all ranks that a search was begun with, and returns the state to resume from.
fn taken(
    folder: &Path,
    wanted: Manifest,
    begun_with: usize,
) -> Result<(Vec<Scratch>, Begun), ScratchError> {
    let other_ranks = || ScratchError::OtherRanks {
        folder: folder.to_owned(),
        begun_with,
    };
    let there = folders(folder)?;
    if begun_with > there.len() {
        return Err(other_ranks());
    }
    let shares = (0..begun_with).map(|rank| wanted.of_rank(rank, begun_with));
    let own: Vec<PathBuf> = shares.clone().map(|share| share.folder(folder)).collect();
    // Any other folder of a rank would be taken for one of the search.
    if there[1..].iter().any(|rank| !own.contains(rank)) {
        return Err(ScratchError::NotOurs(folder.to_owned()));
    }
    if own.iter().any(|own| !own.join(MANIFEST).exists()) {
        return Err(other_ranks());
    }
    let mut taken = Vec::new();
    let mut begun = Vec::new();
    for share in shares {
        let (scratch, found) = Scratch::take(folder, share)?;
        taken.push(scratch);
        begun.push(found.ok_or_else(other_ranks)?);
    }
    let begun = common(&begun).ok_or_else(|| ScratchError::Apart(folder.to_owned()))?;
    Ok((taken, begun))
}

/// Moves each file to the rank that owns its slab, writes the ranks' manifests, and returns the folders that no
/// rank has any more.
fn hand_out(folder: &Path, wanted: Manifest, begun: &Begun) -> Result<Vec<PathBuf>, ScratchError> {
    let layout = Layout::new(wanted.class).in_slabs(begun.digits);
    let layout = layout.ok_or_else(|| ScratchError::Damaged(folder.join(MOVING)))?;
    let shares = Shares::slab_by_slab(&layout, wanted.ranks);
    let rank = |rank| wanted.of_rank(rank, wanted.ranks);
    let before = folders(folder)?;
    for share in &before {
        match fs::remove_file(share.join(MANIFEST)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(share)(error)),
            _ => {}
        }
    }
    let after: Vec<PathBuf> = (0..wanted.ranks).map(|r| rank(r).folder(folder)).collect();
    for share in &after {
        fs::create_dir_all(share).map_err(at(share))?;
    }
    for share in &before {
        for name in names(share)? {
            let path = share.join(&name);
            let slab = slab_of(&name).filter(|slab| *slab < layout.slabs());
            let owner = slab.map(|slab| &after[shares.owner(slab * layout.slab_words())]);
            let moved = match owner {
                Some(owner) if owner != share => fs::rename(&path, owner.join(&name)),
                None if is_unfinished(&name) => fs::remove_file(&path),
                _ => Ok(()),
            };
            moved.map_err(at(&path))?;
        }
    }
    for (r, share) in after.iter().enumerate() {
        rank(r).write(&share.join(MANIFEST), begun.digits, &begun.levels)?;
    }
    let is_left = |share: &PathBuf| !after.contains(share);
    Ok(before.into_iter().filter(is_left).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::engine::levels;
    use super::super::super::engine::search::Search;
    use super::super::super::engine::step::Kept;
    use super::super::super::ranks::exchange::{Alone, Threads};
    use super::super::search::{ScratchOptions, SlabSearch};
    use super::*;
    use crate::puzzle::Shape;
    use crate::space::GoalClass;

    fn class() -> GoalClass {
        GoalClass::new(Shape::new(2, 6).unwrap(), 11).unwrap()
    }

    /// Resumes in a folder with `ranks` ranks until there are `count` levels, and returns them by rank.
    fn go_on(folder: &Path, ranks: usize, count: usize) -> Vec<Vec<u64>> {
        Threads::run(ranks, |exchange| {
            let options = ScratchOptions {
                memory: SlabSearch::memory_of_slabs(class(), 1),
                exchange,
                ..ScratchOptions::new(folder)
            };
            let mut search = SlabSearch::open(class(), Kept::BitOne, options).unwrap();
            while search.levels().len() < count {
                search.advance(&mut levels::go_on).unwrap();
            }
            search.levels().to_vec()
        })
    }

    /// Bit 1 of all distances.
    fn bits(search: Result<SlabSearch, ScratchError>) -> Vec<u64> {
        let (mut search, mut bits) = (search.unwrap(), Vec::new());
        search.run(&mut levels::go_on).unwrap();
        let planes = 0..search.layout().planes();
        let take = |words: &[u64]| {
            bits.extend_from_slice(words);
            Ok(())
        };
        search.each_bit_one(planes, take).unwrap();
        bits
    }

    #[test]
    fn any_numbers_of_ranks_go_on_one_after_another() {
        let mut whole = Search::new(class(), 1).unwrap();
        while whole.levels().len() < 20 {
            whole.advance(&mut levels::go_on).unwrap();
        }
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("scratch");
        let runs = [(3, 9), (1, 12), (4, 14), (2, 15), (13, 16), (5, 20)];
        for (ranks, levels) in runs {
            for found in go_on(&folder, ranks, levels) {
                assert_eq!(found, whole.levels()[..levels], "{ranks} ranks");
            }
        }
        let open =
            |folder: &Path| SlabSearch::open(class(), Kept::BitOne, ScratchOptions::new(folder));
        let alone = open(&folder);
        assert!(!folder.join("rank-0").exists());
        if crate::full::is_full() {
            assert_eq!(bits(alone), bits(open(&dir.path().join("other"))));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10))]

        /// A run that is killed while files move leaves each in the one folder or the other, and some
        /// manifests.
        #[test]
        #[ignore = "full run"]
        fn a_move_that_was_killed_is_finished_for_any_number_of_ranks(
            before in 1usize..5,
            after in 1usize..5,
            moved in prop::collection::vec(0usize..5, 40),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let expected = go_on(dir.path(), before, 12).swap_remove(0);
            let shares = folders(dir.path()).unwrap();
            let all = Manifest::new(class(), Kept::BitOne, &Alone);
            let first = all.of_rank(0, before);
            let begun = first.read(&first.folder(dir.path()).join(MANIFEST)).unwrap().unwrap();
            all.write(&dir.path().join(MOVING), begun.digits, &expected).unwrap();
            let mut moved = moved.into_iter().cycle();
            for share in shares {
                for name in names(&share).unwrap() {
                    let to = dir.path().join(format!("rank-{}", moved.next().unwrap()));
                    if slab_of(&name).is_some() {
                        fs::create_dir_all(&to).unwrap();
                        fs::rename(share.join(&name), to.join(&name)).unwrap();
                    } else if name == MANIFEST && moved.next().unwrap() > 2 {
                        fs::remove_file(share.join(&name)).unwrap();
                    }
                }
                fs::write(share.join("level-012-0000.new"), "half").unwrap();
            }
            let found = go_on(dir.path(), after, 14).swap_remove(0);
            prop_assert!(found.starts_with(&expected));
            let mut whole = Search::new(class(), 1).unwrap();
            while whole.levels().len() < 14 {
                whole.advance(&mut levels::go_on).unwrap();
            }
            prop_assert_eq!(&found[..], whole.levels());
            prop_assert!(!dir.path().join(MOVING).exists());
        }
    }

    #[test]
    fn folders_that_are_not_those_of_one_whole_search_are_left_as_they_are() {
        let dir = tempfile::tempdir().unwrap();
        let _ = go_on(dir.path(), 2, 5);
        let wanted = Manifest::new(class(), Kept::BitOne, &Alone).of_rank(0, 3);
        let other = Manifest {
            kept: Kept::Nothing,
            ..wanted
        };
        let refused = redistribute(dir.path(), other);
        assert!(
            matches!(refused, Err(ScratchError::Other { .. })),
            "{refused:?}"
        );
        fs::create_dir(dir.path().join("rank-7")).unwrap();
        let refused = redistribute(dir.path(), wanted);
        assert!(
            matches!(refused, Err(ScratchError::NotOurs(_))),
            "{refused:?}"
        );
        fs::remove_dir(dir.path().join("rank-7")).unwrap();
        let text = fs::read_to_string(dir.path().join("rank-0/manifest")).unwrap();
        let many = text.replace("of 2", "of 99999999999999");
        fs::write(dir.path().join("rank-0/manifest"), many).unwrap();
        let refused = redistribute(dir.path(), wanted);
        assert!(
            matches!(refused, Err(ScratchError::OtherRanks { .. })),
            "{refused:?}"
        );
        fs::write(dir.path().join("rank-0/manifest"), &text).unwrap();
        fs::write(dir.path().join(MOVING), "of somebody else").unwrap();
        let refused = redistribute(dir.path(), wanted);
        assert!(
            matches!(refused, Err(ScratchError::NotOurs(_))),
            "{refused:?}"
        );
        fs::remove_file(dir.path().join(MOVING)).unwrap();
        for levels in go_on(dir.path(), 3, 6) {
            assert_eq!(levels.len(), 6);
        }
    }
}
