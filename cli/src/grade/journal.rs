//! Record of a grading that outlives the process that writes it.
//!
//! A graded program can kill the process that runs it. The next process reads what was done by then, gives the board
//! that was at work its outcome, and runs the rest. If several boards were at work, it runs them one at a time, which
//! shows the one that kills.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use puzzledb::puzzle::Board;

use super::outcome::Grade;

/// Number of a program, and number of a board.
pub(crate) type Place = (usize, usize);

/// The programs and boards of a grading, which may not be there to be read again.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub submissions: Vec<OsString>,
    pub boards: Vec<Board>,
}

/// A note, which is written before the program runs, or before the report is written, so that no other process does
/// that again.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Entry<'a> {
    Plan(Plan),
    Begun(Place),
    Done(Place, Cow<'a, Grade>),
    Reported,
}

/// What was done of a grading, in a file if it is to outlive this process.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    file: Option<File>,
    /// The grades, each in its place.
    pub grades: BTreeMap<Place, Grade>,
    /// Places that were begun by processes that were killed, in this order.
    begun: Vec<Place>,
    /// Whether the report was begun.
    pub is_reported: bool,
}

impl Journal {
    /// Reads what earlier processes wrote to the file, and their plan if there was one.
    pub(crate) fn open(file: Option<File>) -> io::Result<(Journal, Option<Plan>)> {
        let (mut journal, mut plan) = (Journal::default(), None);
        let Some(mut file) = file else {
            return Ok((journal, plan));
        };
        let (mut text, mut length) = (Vec::new(), 0);
        file.read_to_end(&mut text)?;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let Ok(entry) = serde_json::from_slice(line) else {
                break; // its writer was killed in the middle of it
            };
            length += line.len() as u64;
            match entry {
                Entry::Plan(read) => plan = Some(read),
                Entry::Begun(place) => journal.begun.push(place),
                Entry::Done(place, grade) => drop(journal.grades.insert(place, grade.into_owned())),
                Entry::Reported => journal.is_reported = true,
            }
        }
        file.set_len(length)?;
        journal.file = Some(file);
        Ok((journal, plan))
    }

    pub(crate) fn write(&self, entry: &Entry<'_>) -> io::Result<()> {
        let Some(mut file) = self.file.as_ref() else {
            return Ok(());
        };
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        file.write_all(&line)
    }

    pub(crate) fn add(&mut self, place: Place, grade: Grade) -> io::Result<()> {
        self.write(&Entry::Done(place, Cow::Borrowed(&grade)))?;
        self.grades.insert(place, grade);
        Ok(())
    }

    /// Places that were at work when a process was killed.
    pub(crate) fn suspects(&self) -> BTreeSet<Place> {
        let begun = self.begun.iter().copied();
        begun
            .filter(|place| !self.grades.contains_key(place))
            .collect()
    }

    /// The place whose program killed the last process, if one was at work alone: the only suspect, or the one that was
    /// begun last if it was begun twice, since suspects are run one at a time.
    pub(crate) fn killer(&self) -> Option<Place> {
        let suspects = self.suspects();
        let last = self.begun.last().filter(|last| suspects.contains(last));
        let times = self.begun.iter().filter(|&place| Some(place) == last);
        match (suspects.first(), last) {
            (Some(&only), _) if suspects.len() == 1 => Some(only),
            (_, Some(&last)) if times.count() > 1 => Some(last),
            _ => None,
        }
    }
}
