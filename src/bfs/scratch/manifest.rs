//! The manifest of a search in slabs: the search, and the number of states of each finished level.
//!
//! It is a line of text that names the version and one that names the search, then one of JSON and its CRC-32. All ranks
//! have the same.

use std::path::Path;

use crate::basics::crc32;
use serde::{Deserialize, Serialize};

use crate::space::GoalClass;

use super::super::checkpoint::blocks::are_levels;
use super::super::engine::step::Kept;
use super::super::error::SearchError;

/// The file's name.
pub const MANIFEST: &str = "manifest";

/// The first line, before the version.
const TITLE: &str = "puzzledb scratch ";

/// The first line, with the version of the manifest and of the slabs' files.
const FIRST_LINE: &str = "puzzledb scratch 4";

/// State of a begun search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Number of ranks that worked on it last.
    pub ranks: usize,
    /// Leading digits that the states of a slab share.
    pub digits: usize,
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
}

impl Manifest {
    /// Reads the text of the manifest at a path.
    ///
    /// # Errors
    /// [`SearchError::Folder`] if it is not a manifest, or one of another search or version;
    /// [`SearchError::Damaged`].
    pub fn parse(&self, text: &str, path: &Path) -> Result<Begun, SearchError> {
        let folder = path.parent().unwrap_or(path);
        let mut lines = text.lines();
        let [first, search, json] = [(); 3].map(|()| lines.next().unwrap_or_default());
        let found = match first {
            FIRST_LINE if search == self.search() => {
                let begun: Option<Begun> = serde_json::from_str(json).ok();
                let is_possible = |it: &Begun| are_levels(&it.levels, self.class.states());
                let begun = begun.filter(|it| is_possible(it) && self.text(it) == text);
                return begun.ok_or_else(|| SearchError::Damaged(path.to_owned()));
            }
            FIRST_LINE => search,
            first if first.starts_with(TITLE) => {
                "in the files of another version of puzzledb: remove the folder to begin anew"
            }
            _ => return Err(SearchError::not_ours(folder)),
        };
        let why = format!("holds another search ({found}); it is left as it is");
        Err(SearchError::folder(folder, why))
    }

    /// The text of the manifest.
    pub fn text(&self, begun: &Begun) -> String {
        let json = serde_json::to_string(begun).expect("numbers are JSON");
        let checksum = crc32::hash(json.as_bytes());
        let search = self.search();
        format!("{FIRST_LINE}\n{search}\n{json}\nCRC-32 {checksum:08x}\n")
    }

    /// The second line.
    fn search(&self) -> String {
        let class = self.class.name();
        match (self.proof_of, self.kept) {
            (Some(checksum), _) => format!("proof {checksum:08x} of {class}"),
            (None, Kept::Nothing) => format!("counts of {class}"),
            (None, Kept::BitOne) => format!("distances of {class}"),
        }
    }
}
