//! What the work for an answer may use, and where it finds oracles.

use std::fmt::Display;
use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};

use super::library::Library;
use super::refusal::{Refusal, RefusalCode};
use crate::basics::Cancel;
use crate::oracle::Oracle;
use crate::puzzle::Board;
use crate::search::{BoardHeuristic, HeuristicName};
use crate::space::{GoalClass, MAX_DATABASE_CELLS};

/// What the work for an answer may use. A limit of `None` is none.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Flag that ends the work.
    pub cancel: Cancel,
    /// Most expansions of a search.
    pub expansions: Option<u64>,
    /// Time of a search, without that of its heuristic.
    pub time: Option<Duration>,
    /// Most bytes of a search.
    pub memory: Option<u64>,
    /// Most bytes of the pattern databases that a heuristic makes.
    pub pattern_memory: Option<u64>,
    /// Most expansions that are kept of a search.
    pub trace: Option<usize>,
    /// Most solutions in an answer.
    pub solutions: Option<usize>,
    /// Time for reading a text for people.
    pub reading_time: Option<Duration>,
    /// Most states of a space of which all are visited.
    pub states: Option<u64>,
}

impl Run {
    /// Refuses more than the most that is allowed.
    pub(super) fn check<T: PartialOrd + Display>(
        name: &str,
        number: Option<T>,
        most: Option<T>,
    ) -> Result<(), Refusal> {
        match (number, most) {
            (Some(number), Some(most)) if number > most => {
                let sentence = format!("{name} is {most} at most");
                Err(Refusal::new(RefusalCode::BadOption, sentence))
            }
            _ => Ok(()),
        }
    }
}

/// A question about one goal: serde reads it from its options, and writes the record that answers it.
pub trait Question: DeserializeOwned {
    /// The answer.
    type Record: Serialize;

    /// Returns the answer, if all options are valid and within the limits.
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

    /// Waits until the answer may go on, if it takes a search: a server lets few go on at a time.
    ///
    /// # Errors
    /// Why it may not.
    fn turn(&self, _is_search: bool) -> Result<(), Self::Error> {
        Ok(())
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
        if !GoalClass::of(goal).is_ok_and(GoalClass::is_small) {
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
}

/// Returns the oracle for a distance beside another answer, which is there up to 16 cells.
///
/// # Errors
/// As [`Oracles::oracle_beside`].
pub fn distance_oracle<L: Oracles>(library: &L, goal: &Board) -> Result<Option<Oracle>, L::Error> {
    match goal.shape().cells() {
        ..=MAX_DATABASE_CELLS => library.oracle_beside(goal),
        _ => Ok(None),
    }
}

/// Returns the distance of a board beside another answer, if it is soon known.
///
/// # Errors
/// As [`Oracles::oracle_beside`], or of the query.
pub(super) fn known_distance<L: Oracles>(
    library: &L,
    run: &Run,
    (board, goal): (&Board, &Board),
) -> Result<Option<u8>, L::Error> {
    let Some(oracle) = distance_oracle(library, goal)? else {
        return Ok(None);
    };
    library.turn(oracle.table().is_none())?;
    let optimum = oracle.with_cancel(&run.cancel).optimum(board);
    Ok(optimum.map_err(Refusal::from)?.known())
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
    let oracle = if name.has(|part| *part == HeuristicName::Perfect) {
        Some(library.table(goal)?)
    } else if name.has(|part| matches!(part, HeuristicName::Patterns(_))) {
        library.oracle_beside(goal)?
    } else {
        None
    };
    let made = BoardHeuristic::of_name(name, goal, oracle.as_ref(), run.pattern_memory);
    Ok(made.map_err(Refusal::from)?)
}
