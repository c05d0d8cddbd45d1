//! What the work for an answer may use, and where it finds oracles.

use std::fmt::Display;
use std::time::Duration;

use super::library::Library;
use super::refusal::{Refusal, RefusalCode};
use crate::basics::Cancel;
use crate::judge::OtherReading;
use crate::judge::reading::ClaimError;
use crate::oracle::Oracle;
use crate::pattern::Partition;
use crate::puzzle::Board;
use crate::search::{BoardHeuristic, HeuristicError, HeuristicName, Pattern};
use crate::space::{Frame, MAX_DATABASE_CELLS};

/// What the work for an answer may use; by default there are no limits.
#[derive(Clone, Debug)]
pub struct Run {
    /// Flag that ends the work.
    pub cancel: Cancel,
    /// Most expansions of a search, where they are limited.
    pub expansions: Option<u64>,
    /// Time of a search, without that of its heuristic.
    pub time: Duration,
    /// Most bytes of a search.
    pub memory: u64,
    /// Most bytes of the pattern databases that a heuristic makes.
    pub pattern_memory: u64,
    /// Most expansions that are kept of a search.
    pub trace: usize,
    /// Most solutions in an answer.
    pub solutions: usize,
    /// Time for reading a text for people.
    pub reading_time: Duration,
    /// Most states of a space of which all are visited.
    pub states: u64,
    /// Most states of a space that is searched on bit planes.
    pub searched_states: u64,
}

impl Default for Run {
    fn default() -> Run {
        Run {
            cancel: Cancel::new(),
            expansions: None,
            time: Duration::MAX,
            memory: u64::MAX,
            pattern_memory: u64::MAX,
            trace: usize::MAX,
            solutions: usize::MAX,
            reading_time: Duration::MAX,
            states: u64::MAX,
            searched_states: u64::MAX,
        }
    }
}

impl Run {
    /// Refuses more than the most that is allowed.
    pub(super) fn check<T: PartialOrd + ToString>(
        name: &str,
        number: Option<T>,
        most: T,
    ) -> Result<(), Refusal> {
        match number {
            Some(number) if number > most => {
                let most = most.to_string();
                let sentence = format!("{name} is {most} at most");
                Err(Refusal::new(RefusalCode::BadOption, sentence))
            }
            _ => Ok(()),
        }
    }
}

/// A question about one goal, which a record answers.
pub trait Question {
    /// The answer.
    type Record;

    /// Returns the goal, if all options are valid and within the limits.
    ///
    /// # Errors
    /// [`Refusal`]
    fn goal(&self, run: &Run) -> Result<Board, Refusal>;

    /// Returns whether the answer takes a search although the oracle has a table.
    fn searches(&self, _oracle: &Oracle) -> bool {
        false
    }

    /// Returns the answer.
    ///
    /// # Errors
    /// [`Refusal`], or why the library has no oracle.
    fn answer<L: Oracles>(&self, library: &L, run: &Run) -> Result<Self::Record, L::Error>;
}

/// Source of oracles: a [`Library`], or a program's own.
pub trait Oracles {
    /// Reason why there is no oracle, or no answer.
    type Error: From<Refusal> + Display;

    /// Returns the oracle for a goal.
    ///
    /// # Errors
    /// If there is none.
    fn oracle(&self, goal: &Board) -> Result<Oracle, Self::Error>;

    /// Returns the oracle for a distance beside another answer, which gives up sooner; `None` if there is none and the
    /// answer does without.
    ///
    /// # Errors
    /// Where that is no answer.
    fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>, Self::Error> {
        self.oracle(goal).map(Some)
    }

    /// Does one of many parts of the work with an oracle. A server waits for its turn, and refuses the answer of a database
    /// that was changed meanwhile.
    ///
    /// # Errors
    /// [`Refusal`], or why the part was not done.
    fn part<T>(
        &self,
        _oracle: &Oracle,
        work: impl FnOnce() -> Result<T, Refusal>,
    ) -> Result<T, Self::Error> {
        Ok(work()?)
    }

    /// Returns the error of a claim that cannot be read, whose text has these readings.
    fn unreadable(error: ClaimError, _readings: &[OtherReading]) -> Self::Error {
        Refusal::from(error).into()
    }

    /// Returns the code of an error; `None` if it is no refusal.
    fn code(_error: &Self::Error) -> Option<RefusalCode> {
        None
    }

    /// Returns the oracle for a goal, which has a table.
    ///
    /// # Errors
    /// If there is no table, and none is made at once.
    fn table(&self, goal: &Board) -> Result<Oracle, Self::Error> {
        let oracle = self.oracle_beside(goal)?;
        if let Some(oracle) = oracle.filter(|oracle| oracle.table().is_some()) {
            return Ok(oracle);
        }
        if !Frame::new(goal).is_ok_and(|frame| frame.class().is_small()) {
            let shape = goal.shape();
            let sentence = format!(
                "there is no database of {shape} boards here, and it is too large to be made in memory"
            );
            return Err(Refusal::new(RefusalCode::TooLarge, sentence).into());
        }
        Ok(Oracle::for_goal(goal).map_err(Refusal::from)?)
    }
}

impl Oracles for Library {
    type Error = Refusal;

    fn oracle(&self, goal: &Board) -> Result<Oracle, Refusal> {
        Ok(Library::oracle(self, goal)?)
    }

    fn code(error: &Refusal) -> Option<RefusalCode> {
        Some(error.code)
    }
}

/// Returns the oracle for the distance of a board, which is there up to 16 cells.
///
/// # Errors
/// Why the library has no oracle.
pub fn distance_oracle<L: Oracles>(library: &L, goal: &Board) -> Result<Option<Oracle>, L::Error> {
    match goal.shape().cells() {
        ..=MAX_DATABASE_CELLS => library.oracle_beside(goal),
        _ => Ok(None),
    }
}

/// Returns the heuristic of a name for a goal. Additive patterns are those of the oracle, where it has them.
///
/// # Errors
/// If it cannot be made, or the patterns need more memory than is allowed.
pub fn heuristic<L: Oracles>(
    name: &HeuristicName,
    goal: &Board,
    library: &L,
    run: &Run,
) -> Result<BoardHeuristic, L::Error> {
    BoardHeuristic::of_parts(name, goal, 1, &|part, shares| {
        let share = run.pattern_memory / shares;
        heuristic_part(part, goal, library, share)
    })
}

/// As [`heuristic`], of a name that is no expression, in so many bytes of memory for patterns.
fn heuristic_part<L: Oracles>(
    name: &HeuristicName,
    goal: &Board,
    library: &L,
    memory: u64,
) -> Result<BoardHeuristic, L::Error> {
    let bytes = match name {
        HeuristicName::Pattern(tiles) => Pattern::memory(goal.shape(), tiles.len()),
        HeuristicName::Patterns(names) => {
            let wanted = Partition::new(goal, names)
                .map_err(HeuristicError::from)
                .map_err(Refusal::from)?;
            let oracle = library.oracle_beside(goal)?;
            let mut made = oracle.iter().flat_map(Oracle::patterns);
            if let Some(patterns) = made.find(|patterns| *patterns.partition() == wanted) {
                let made = BoardHeuristic::from_patterns(patterns.clone(), goal);
                return Ok(made.map_err(HeuristicError::from).map_err(Refusal::from)?);
            }
            wanted.memory()
        }
        _ => 0,
    };
    if bytes > memory {
        let shape = goal.shape();
        let sentence = format!("{name} of a {shape} board is too large here: name fewer tiles");
        return Err(Refusal::new(RefusalCode::TooLarge, sentence).into());
    }
    let table = matches!(name, HeuristicName::Perfect).then(|| library.table(goal));
    let table = table.transpose()?;
    let table = |_: &Board| Ok(table.clone().expect("perfect has a table"));
    let made = BoardHeuristic::of_part(name, goal, &table);
    Ok(made.map_err(Refusal::from)?)
}
