//! The manifest of a search in slabs: the search, and the number of states of each finished level.
//!
//! It is a few lines of text with a checksum. All ranks have the same.

use std::path::Path;

use crate::space::GoalClass;

use super::super::engine::step::Kept;
use super::super::error::SearchError;

/// The file's name.
pub const MANIFEST: &str = "manifest";

/// Begin of every manifest, before the version.
const TITLE: &str = "puzzledb scratch ";

/// Version of the manifest and of the slabs' files.
const VERSION: u32 = 3;

/// State of a begun search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Leading digits that the states of a slab share.
    pub digits: usize,
    /// Number of ranks that worked on it last.
    pub ranks: usize,
    /// Number of states of each finished level.
    pub levels: Vec<u64>,
}

/// Search that a manifest is of.
#[derive(Clone, Copy, Debug)]
pub struct Manifest {
    pub class: GoalClass,
    pub kept: Kept,
    /// The checksum of the table that the search verifies.
    pub proof_of: Option<u32>,
    pub ranks: usize,
}

impl Manifest {
    /// Reads the text of the manifest at a path.
    ///
    /// # Errors
    /// [`SearchError::NotOurs`] if it is not a manifest, [`SearchError::Other`] if it is of another search or
    /// version; [`SearchError::Damaged`].
    pub fn parse(&self, text: &str, path: &Path) -> Result<Begun, SearchError> {
        let folder = path.parent().unwrap_or(path).to_owned();
        let Some(version) = text.strip_prefix(TITLE) else {
            return Err(SearchError::NotOurs(folder));
        };
        if let Some(rest) = text.strip_prefix(&self.head()) {
            let begun = read_numbers(rest).filter(|begun| self.is_of(text, begun));
            return begun.ok_or_else(|| SearchError::Damaged(path.to_owned()));
        }
        let found = match version.strip_prefix(&format!("{VERSION}\n")) {
            Some(rest) => rest.lines().next().unwrap_or_default().to_owned(),
            None => "in the files of another version of puzzledb".to_owned(),
        };
        Err(SearchError::Other { folder, found })
    }

    /// Returns whether a text is that of the manifest of a possible state.
    fn is_of(&self, text: &str, begun: &Begun) -> bool {
        let manifest = Manifest {
            ranks: begun.ranks,
            ..*self
        };
        let add = |sum: u64, states: &u64| sum.checked_add(*states);
        let sum = begun.levels.iter().try_fold(0, add);
        sum.is_some_and(|sum| sum <= self.class.states() && begun.levels.len() < 256)
            && manifest.text(begun.digits, &begun.levels) == text
    }

    /// The text of the manifest.
    pub fn text(&self, digits: usize, levels: &[u64]) -> String {
        let (head, ranks) = (self.head(), self.ranks);
        let numbers: String = levels.iter().map(|states| format!(" {states}")).collect();
        let text = format!("{head}ranks {ranks}\nleading digits {digits}\nlevels{numbers}\n");
        format!("{text}CRC-32 {:08x}\n", crc32fast::hash(text.as_bytes()))
    }

    /// First lines of the manifest.
    fn head(&self) -> String {
        let keeps = match (self.proof_of, self.kept) {
            (Some(checksum), _) => format!("proof {checksum:08x}"),
            (None, Kept::Nothing) => "counts".to_owned(),
            (None, Kept::BitOne) => "distances".to_owned(),
        };
        format!("{TITLE}{VERSION}\n{keeps} of {}\n", self.class.name())
    }
}

/// State from which all ranks resume: the levels that all have finished. `None` if they are not of one
/// search.
///
/// A search may be ended when some ranks have finished a level and others have not.
pub fn common(begun: &[Begun]) -> Option<Begun> {
    let first = begun.first()?;
    let most = begun.iter().max_by_key(|begun| begun.levels.len())?;
    let fewest = begun.iter().map(|begun| begun.levels.len()).min()?;
    let is_of_one =
        |begun: &Begun| begun.digits == first.digits && most.levels.starts_with(&begun.levels);
    (begun.iter().all(is_of_one) && most.levels.len() <= fewest + 1).then(|| Begun {
        levels: most.levels[..fewest].to_vec(),
        ..first.clone()
    })
}

/// Reads the numbers of the lines behind the head of a text: ranks, digits, levels.
fn read_numbers(text: &str) -> Option<Begun> {
    let numbers = |line: &str| -> Vec<u64> {
        let words = line.split(' ');
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let mut lines = text.lines().map(numbers);
    let (ranks, digits, levels) = (lines.next()?, lines.next()?, lines.next()?);
    Some(Begun {
        ranks: *ranks.first()? as usize,
        digits: *digits.first()? as usize,
        levels,
    })
}
