//! The search where the planes do not fit the memory: slab by slab, from files and to files.
//!
//! A slab's states share the leading Lehmer digits of their order. All moves but a few stay inside
//! a slab, so one slab of each colour is in memory at a time: the frontier to be expanded, and the
//! level before it, which becomes the next. A move of the blank from cell s to the cell below
//! rotates the tiles from s on; only where s is below the number of leading digits it crosses
//! slabs, in runs of whole words, which come from the files of the other slabs. Several ranks share
//! the slabs, each with a folder of its own.

use std::path::Path;

use crate::puzzle::Shape;
use crate::space::GoalClass;

use super::super::engine::layout::Layout;
use super::super::engine::search::{Search, memory_of_machine};
use super::super::engine::step::{Kept, Setup};
use super::super::error::SearchError;
use super::super::options::SearchOptions;
use super::super::ranks::exchange::Exchange;
use super::files::Files;
use super::folder::{Scratch, UNCOMMITTED};
use super::manifest::{Begun, Manifest};
use super::storage::MemoryFiles;

impl SearchOptions {
    /// Bytes of memory for the slabs at work, by default three quarters of the machine's memory for each of its ranks.
    fn limit(&self, class: GoalClass, kept: Kept) -> u64 {
        let own = || memory_of_machine() / self.exchange.ranks_here() as u64 / 4 * 3;
        let codes = match self.scratch {
            None => Search::disk(class, kept) / self.exchange.ranks() as u64,
            Some(_) => 0,
        };
        self.memory.unwrap_or_else(own).saturating_sub(codes)
    }
}

/// Slabs of one colour that are in memory at a time, at most, in bits a state: the level before, and as codes the level
/// before that, two files read ahead, one that is made and one that is written.
const SLABS_IN_MEMORY: u64 = 6;

/// Planes of a slab that are in memory for each digit of its number: the crossing words, as they are
/// used, and as codes that are sent, received and read ahead.
const CROSSING_IN_MEMORY: u64 = 4;

impl Search {
    /// Begins a search in coded slabs, a level at a time, or resumes the one in the options' folder, by all ranks
    /// together. Without a folder the slabs are kept in memory.
    ///
    /// ```
    /// use puzzledb::internals::{Kept, Search, SearchOptions, go_on};
    /// use puzzledb::puzzle::Shape;
    /// use puzzledb::space::GoalClass;
    ///
    /// let class = GoalClass::new(Shape::EIGHT_PUZZLE, 8)?;
    /// let folder = std::env::temp_dir().join(format!("example-{}.scratch", std::process::id()));
    /// let mut options = SearchOptions::threads(1);
    /// options.scratch = Some(folder);
    /// let mut search = Search::in_slabs(class, Kept::Nothing, &options)?;
    /// search.run(&mut go_on)?;
    /// assert_eq!(search.levels().len(), 32);
    /// search.remove();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SearchError`]; files of other searches or people in the folder are unchanged.
    /// [`SearchError::OtherRank`] where only other ranks have an error.
    pub fn in_slabs(
        class: GoalClass,
        kept: Kept,
        options: &SearchOptions,
    ) -> Result<Search, SearchError> {
        let ranks = &options.exchange;
        let manifest = Manifest {
            class,
            kept,
            proof_of: options.proof_of,
        };
        let fewest = ranks.agree(Search::fitting(class, kept, options))?;
        let scratch = match &options.scratch {
            Some(folder) => Scratch::take(folder, manifest, &**ranks)?,
            None => Scratch::new(Box::<MemoryFiles>::default(), Path::new("memory"), manifest),
        };
        Search::begin_in(scratch, fewest, options)
    }

    /// Begins or resumes a search in some files, in slabs that share `fewest` leading digits if it is new.
    fn begin_in(
        mut scratch: Scratch,
        fewest: usize,
        options: &SearchOptions,
    ) -> Result<Search, SearchError> {
        let ranks = &options.exchange;
        let found = ranks.agree(scratch.begun())?;
        let is_new = found.is_none();
        let begun = agreed_begin(&**ranks, found, fewest);
        let begun = begun.ok_or_else(|| {
            let why = "is not of the same search as the folders of the other ranks: each rank goes on only where its own is";
            SearchError::folder(&scratch.path(""), why)
        });
        let begun = begun.and_then(|begun| {
            let setup = setup(&begun, options, &scratch)?;
            scratch.begin(begun, &setup).map(|()| setup)
        });
        let setup = ranks.agree(begun);
        if setup.is_err() && is_new {
            scratch.remove();
        }
        ranks.agree(Search::begin(setup?, Some(Files::new(scratch))))
    }

    /// The fewest leading digits with which a search of `class` takes at most the memory of these options on each rank.
    ///
    /// # Errors
    /// [`SearchError::TooLittleMemory`] if even the smallest slabs take more.
    pub fn fitting(
        class: GoalClass,
        kept: Kept,
        options: &SearchOptions,
    ) -> Result<usize, SearchError> {
        let given = options.limit(class, kept);
        let for_ranks = Layout::for_ranks(class, options.exchange.ranks()).digits;
        let mut needed = u64::MAX;
        for digits in for_ranks.. {
            match Search::memory_of_slabs(class, digits) {
                Some(needed) if needed <= given => return Ok(digits),
                Some(more) => needed = more,
                None => break,
            }
        }
        SearchError::check_memory(class, true, needed, (Some(given), None)).map(|()| for_ranks)
    }

    /// Bytes of memory of a search whose slabs share `digits` leading digits; `None` if slabs cannot be
    /// that small.
    pub fn memory_of_slabs(class: GoalClass, digits: usize) -> Option<u64> {
        let layout = Layout::new(class).in_slabs(digits)?;
        let cells = layout.planes().div_ceil(2) as u64;
        let planes = cells * SLABS_IN_MEMORY + digits as u64 * CROSSING_IN_MEMORY;
        Some(planes * layout.slab_words() as u64 * 8 + (8 << 20))
    }

    /// Approximate bytes of disk of a search: the two widest levels, what is not committed, and if distances are kept
    /// every level for which bit 1 of the distance is set. Coded levels have 0.9 to 1.3 times the entropy of their bits.
    pub fn disk(class: GoalClass, kept: Kept) -> u64 {
        let p = density(class.shape());
        let entropy = -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
        let kept = match kept {
            Kept::BitOne => 0.45 / p, // half of the levels, of which most are less dense
            Kept::Nothing => 0.0,
        };
        let levels = class.states() as f64 / 8.0 * entropy * (1.1 + kept);
        levels as u64 + UNCOMMITTED + (1 << 20)
    }

    /// Removes the files of a search that has found all levels, or was being removed, and the folder if nothing else is in
    /// it. The search must have the same number of ranks. For a caller that has the table which was written from these
    /// files. Other folders are left as they are, and errors are ignored.
    pub(crate) fn remove_finished(class: GoalClass, kept: Kept, options: &SearchOptions) {
        let ranks = &options.exchange;
        let is_there = options.scratch.as_ref().is_some_and(|path| path.is_dir());
        if ranks.any(is_there)
            && let Ok(search) = Search::in_slabs(class, kept, options)
            && !ranks.any(!search.is_complete() && !search.levels().is_empty())
        {
            search.remove();
        }
    }
}

/// What is searched, if there is memory for the slabs, and disk for a search that is new.
fn setup(begun: &Begun, options: &SearchOptions, scratch: &Scratch) -> Result<Setup, SearchError> {
    let Manifest { class, kept, .. } = scratch.manifest;
    let exchange = &options.exchange;
    let layout = Layout::new(class).in_slabs(begun.digits);
    let layout = layout.ok_or_else(|| scratch.damaged())?;
    let needed = Search::memory_of_slabs(class, begun.digits).unwrap_or(u64::MAX);
    let limit = (Some(options.limit(class, kept)), None);
    SearchError::check_memory(class, true, needed, limit)?;
    if begun.levels.is_empty() {
        let (ranks, here) = (exchange.ranks(), exchange.ranks_here());
        scratch.check_disk(Search::disk(class, kept) / ranks as u64 * here as u64)?;
    }
    Setup::new(&layout.slab_by_slab(exchange.ranks()), kept, options)
}

/// Share of the states of a colour that the widest level has, from the published numbers of states at each distance.
fn density(shape: Shape) -> f64 {
    match (shape.cols(), shape.cells()) {
        (2, 16..) => 0.07,
        (2, 14..) => 0.083,
        (2, 12..) => 0.109,
        (3, 15..) => 0.128,
        (4, _) => 0.149,
        _ => 0.18, // 3x4; smaller ones take little
    }
}

/// State from which all ranks begin, given the state that each has found, and the fewest leading digits that suit this
/// one: the levels that all have finished. `None` if their folders are not those of one search.
fn agreed_begin(exchange: &dyn Exchange, found: Option<Begun>, fewest: usize) -> Option<Begun> {
    let found = found.filter(|begun| !begun.levels.is_empty());
    let own = found.unwrap_or(Begun {
        ranks: exchange.ranks(),
        digits: fewest,
        levels: Vec::new(),
    });
    let all = exchange.told(&own);
    // New ranks begin as the others did, or as the one with the smallest slabs.
    let model = (all.iter()).max_by_key(|begun| (begun.levels.len(), begun.digits))?;
    let is_of_one = |begun: &Begun| {
        begun.levels.is_empty()
            || begun.digits == model.digits && model.levels.starts_with(&begun.levels)
    };
    let fewest = all.iter().map(|begun| begun.levels.len()).min()?;
    // A search may be ended when some ranks have finished a level and others have not.
    let are_of_one = all.iter().all(is_of_one) && model.levels.len() <= fewest + 1;
    are_of_one.then(|| Begun {
        digits: model.digits,
        levels: model.levels[..fewest].to_vec(),
        ..own
    })
}

#[cfg(test)]
mod tests;
