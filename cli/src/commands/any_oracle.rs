//! Oracles for a goal: its table, or searches with patterns.

use std::sync::{Arc, PoisonError};

use puzzledb::oracle::{Oracle, OracleError, Oracles, PatternOracle};
use puzzledb::puzzle::Board;
use puzzledb::space::{Frame, MAX_DATABASE_CELLS};

use super::database::{Databases, usual_sizes};
use super::error::{CliError, say};
use super::interrupt;
use super::waiting::progress;

impl Databases {
    /// Oracles for any goal, each fetched once a class as [`Databases::any_oracle_for`] does.
    pub(super) fn oracles(&self) -> Oracles<'_, CliError, Oracle> {
        Oracles::new(|goal| self.any_oracle_for(goal))
    }

    /// Returns the oracles of [`Databases::oracles`], which give up boards that a search with patterns does not solve
    /// soon.
    pub(super) fn oracles_in_time(&self) -> Oracles<'_, CliError, Oracle> {
        Oracles::new(|goal| Ok(self.any_oracle_for(goal)?.visiting_at_most(VISITED_IN_TIME)))
    }

    /// Returns the oracle for the optimum of boards that other searches solve. It gives up after some 0.1 s; `None` for
    /// goals of more than 16 cells.
    pub(super) fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        let oracle = self.any_oracle_if_possible(goal)?;
        Ok(oracle.map(|oracle| oracle.visiting_at_most(VISITED_BESIDE)))
    }

    /// Returns the oracle for a goal; `None` for goals of more than 16 cells.
    pub(super) fn any_oracle_if_possible(&self, goal: &Board) -> Result<Option<Oracle>, CliError> {
        match goal.shape().cells() {
            ..=MAX_DATABASE_CELLS => self.any_oracle_for(goal).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the oracle for a goal: a table if there is one or it is small, and else a search with patterns.
    pub(super) fn any_oracle_for(&self, goal: &Board) -> Result<Oracle, CliError> {
        Frame::new(goal)?; // a proof for a larger board may take days
        if let Some((file, path)) = self.patterns(None, goal)? {
            let patterns = Arc::clone(file.patterns());
            let oracle = PatternOracle::from_patterns(patterns, goal);
            let misfit = |error: OracleError| {
                CliError::Database(format!("{} does not fit: {error}", path.display()))
            };
            return Ok(self.searching(oracle.map_err(misfit)?));
        }
        Ok(match self.oracle_if_available(goal)? {
            Some(oracle) => Oracle::Table(oracle),
            None => self.searching(PatternOracle::new(goal)?),
        })
    }

    /// Makes the oracle show the progress of its searches and end with Ctrl-C, and keeps it for
    /// [`Databases::note_larger_patterns`].
    fn searching(&self, oracle: PatternOracle) -> Oracle {
        let oracle = oracle
            .with_progress(progress())
            .with_cancel(interrupt::flag());
        let mut searching = self
            .searching
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        searching.push(oracle.clone());
        Oracle::Patterns(oracle)
    }

    /// Prints a note if searches made larger patterns than there were.
    pub(super) fn note_larger_patterns(&self) {
        let searching = self
            .searching
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for oracle in searching.iter().filter(|oracle| oracle.has_made_larger()) {
            let (goal, shape) = (oracle.goal(), oracle.shape());
            if let Ok(sizes) = usual_sizes(goal) {
                let build = self.build_command(goal);
                let note = format!(
                    "the {shape} boards were worth larger patterns, which were made in memory: `{build} --patterns \
                     {sizes}` keeps them in a file"
                );
                say("note", &note);
            }
        }
    }
}

/// Boards that a search visits in a second or two; random boards of the 15-puzzle need less than a
/// million.
const VISITED_IN_TIME: u64 = 20_000_000;

/// Boards that a search visits in 0.1 s.
const VISITED_BESIDE: u64 = 1_000_000;
