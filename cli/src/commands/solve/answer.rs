//! The answers to boards as text, in any format.

use std::fmt::Write;

use serde::Serialize;

use puzzledb::oracle::{Oracle, Oracles, QueryError, SolutionRecord};
use puzzledb::puzzle::{Board, Move, Notation, Numbering, ParseError, letters};
use puzzledb::search::AnytimeRecord;
use puzzledb::space::{MAX_DATABASE_CELLS, SpaceError};

use super::super::anytime::{Anytime, Effort};
use super::super::database::Databases;
use super::super::error::{CliError, say};
use super::super::interrupt;
use super::super::last_oracle::LastOracle;
use super::super::status::Status;
use super::super::waiting::watched;
use super::solver::Solver;
use super::steps::steps;

/// Form of the boards that are read and of the answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    pub numbering: Numbering,
    pub notation: Notation,
    /// Whether every optimal solution is written.
    pub all: bool,
    /// Whether every board on the way is drawn.
    pub steps: bool,
    pub json: bool,
    /// True for a stream of boards: the solutions of all states are counted at once, and no note explains an unsolvable
    /// board.
    pub stream: bool,
    /// Budget for boards whose optimum is in no table.
    pub effort: Effort,
}

/// Error in one line; the others can be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Space(SpaceError),
    /// There is no database for boards of this shape, or the goal is not a board of it.
    #[error("{0}")]
    Shape(String),
}

impl From<LineError> for CliError {
    fn from(error: LineError) -> CliError {
        match error {
            LineError::Parse(error) => error.into(),
            LineError::Space(error) => error.into(),
            LineError::Shape(why) => CliError::Usage(why),
        }
    }
}

/// Answers one board after the other, of any shapes.
pub(super) struct Answers<'a> {
    format: Format,
    oracle: LastOracle<'a>,
}

/// Most states of a space whose solutions are all counted at once for a stream of boards: 16 MB and some
/// milliseconds.
const MOST_COUNTED_STATES: u64 = 2_000_000;

impl<'a> Answers<'a> {
    pub(super) fn new(
        format: Format,
        databases: &'a Databases,
        oracles: &'a Oracles<'a, CliError, Oracle>,
    ) -> Answers<'a> {
        let oracle = LastOracle::new(databases, oracles);
        Answers { format, oracle }
    }

    /// Appends the answer to the board in `line` to `out`.
    ///
    /// The outer error ends the command; the inner one is this line's alone.
    pub(super) fn answer(
        &mut self,
        line: &[u8],
        out: &mut String,
    ) -> Result<Result<Status, LineError>, CliError> {
        let board = match self.format.numbering.board(line) {
            Ok(board) => board,
            Err(error) => return Ok(Err(error.into())),
        };
        let makes_patterns = !self.format.stream && self.format.effort.is_long();
        let (goal, written) = match Solver::of(&mut self.oracle, board.shape(), makes_patterns) {
            Ok(Solver::Anytime(_)) if self.format.all => {
                let why = format!(
                    "all shortest solutions are found on boards of up to {MAX_DATABASE_CELLS} cells"
                );
                return Ok(Err(LineError::Shape(why)));
            }
            Ok(Solver::Exact(oracle)) => {
                let write = || self.format.write(oracle, &board, out);
                (*oracle.goal(), self.format.watched(write))
            }
            Ok(Solver::Anytime(search)) => {
                interrupt::listen(); // Ctrl-C ends it with the best solution so far
                let write = || self.format.write_best(&board, &search, out);
                (search.goal, self.format.watched(write))
            }
            Err(CliError::Usage(why)) => return Ok(Err(LineError::Shape(why))),
            Err(error) => return Err(error),
        };
        match written {
            Ok(()) => Ok(Ok(Status::Yes)),
            Err(QueryError::Space(error @ SpaceError::Unsolvable { .. })) => {
                if !self.format.stream {
                    say("note", &error.to_string());
                }
                self.format.write_unsolvable(&board, &goal, &error, out);
                Ok(Ok(Status::No))
            }
            Err(QueryError::Space(error)) => Ok(Err(LineError::Space(error))),
            Err(error) => Err(error.into()),
        }
    }
}

impl Format {
    /// Does the work for a board, and shows its progress unless the board is one of a stream.
    fn watched<T>(&self, work: impl FnOnce() -> T) -> T {
        match self.stream {
            true => work(),
            false => watched(work),
        }
    }

    fn write(&self, oracle: &Oracle, board: &Board, out: &mut String) -> Result<(), QueryError> {
        if self.all && !self.json {
            for moves in oracle.solutions(board)? {
                self.write_line(board, &moves, out);
            }
            return Ok(());
        }
        if self.json {
            write_json(&self.record(oracle, board)?, out);
            return Ok(());
        }
        let moves = oracle.solve(board)?;
        match self.steps {
            true => steps(board, &moves, out),
            false => self.write_line(board, &moves, out),
        }
        Ok(())
    }

    /// Searches as long as it may, and writes the best solution that it finds.
    fn write_best(
        &self,
        board: &Board,
        search: &Anytime,
        out: &mut String,
    ) -> Result<(), QueryError> {
        let found = self.effort.solve(board, search, None)?;
        if self.json {
            write_json(&AnytimeRecord::new(board, &search.goal, &found), out);
        } else if self.steps {
            steps(board, &found.moves, out);
        } else {
            self.write_line(board, &found.moves, out);
            if !found.is_optimal() {
                out.pop();
                let _ = writeln!(out, "\tat least {}", found.lower_bound);
            }
        }
        Ok(())
    }

    fn write_line(&self, board: &Board, moves: &[Move], out: &mut String) {
        let _ = write!(out, "{board}\t{}\t", moves.len());
        let _ = self.notation.write(board, moves, out);
        out.push('\n');
    }

    fn record(&self, oracle: &Oracle, board: &Board) -> Result<SolutionRecord, QueryError> {
        let table = oracle.table().filter(|_| self.stream);
        if let Some(oracle) = table
            && oracle.table().ranking().states() <= MOST_COUNTED_STATES
        {
            oracle.count_all_solutions()?;
        }
        let (moves, solutions) = oracle.solve_and_count(board)?;
        let mut record = SolutionRecord::new(board, oracle.goal(), &moves, solutions);
        if self.all {
            let all = oracle.solutions(board)?;
            record.all = Some(all.map(|moves| letters(&moves)).collect());
        }
        Ok(record)
    }

    fn write_unsolvable(&self, board: &Board, goal: &Board, why: &SpaceError, out: &mut String) {
        if self.json {
            write_json(&SolutionRecord::unsolvable(board, goal, why), out);
        } else {
            let _ = writeln!(out, "{board}\tunsolvable\t");
        }
    }
}

fn write_json(record: &impl Serialize, out: &mut String) {
    *out += &serde_json::to_string(record).expect("strings and numbers");
    out.push('\n');
}
