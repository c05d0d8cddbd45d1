//! One board's answer as text, for any form of output and from any thread.

use std::fmt::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::oracle::{Oracle, QueryError, SolutionCounts, SolutionRecord};
use crate::puzzle::{Board, Move, Notation, ParseError, Shape, letters, parse_board};
use crate::space::SpaceError;

use super::super::database::Databases;
use super::super::error::{CliError, say};
use super::super::status::Status;
use super::steps::steps;

/// How answers are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub notation: Notation,
    pub all: bool,
    pub steps: bool,
    pub json: bool,
}

/// What is wrong with one line; the others can be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Space(SpaceError),
    /// No database serves boards of this shape, or the goal is no board of it.
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

/// Answers boards of any shape; an oracle is fetched when the first board of its shape comes.
pub(super) struct Answers<'a> {
    form: Form,
    shape: Option<Shape>,
    databases: &'a Databases,
    /// Are there so many boards that all states' solutions are counted at once, and that nobody
    /// reads why each one cannot be solved?
    many: bool,
    fetching: Mutex<()>,
    /// By rows and columns.
    oracles: [[OnceLock<Answerer>; SIDES]; SIDES],
}

/// One more than the longest side of a shape: 2x12 has 24 cells.
const SIDES: usize = 13;

/// The most states whose solutions are counted at once.
const FEW_STATES: u64 = 2_000_000;

struct Answerer {
    oracle: Oracle,
    /// Those of all states, once it is known whether they are worth it.
    counts: OnceLock<Option<SolutionCounts>>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        form: Form,
        shape: Option<Shape>,
        databases: &'a Databases,
        many: bool,
    ) -> Answers<'a> {
        Answers {
            form,
            shape,
            databases,
            many,
            fetching: Mutex::new(()),
            oracles: Default::default(),
        }
    }

    /// Appends the answer to the board in `line` to `out`.
    ///
    /// The outer error ends everything; the inner one is this line's alone.
    pub(super) fn answer(
        &self,
        line: &[u8],
        out: &mut String,
    ) -> Result<Result<Status, LineError>, CliError> {
        let board = match parse_board(line, self.shape) {
            Ok(board) => board,
            Err(error) => return Ok(Err(error.into())),
        };
        let answerer = match self.answerer(board.shape()) {
            Err(CliError::Usage(why)) => return Ok(Err(LineError::Shape(why))),
            other => other?,
        };
        match self.write(answerer, &board, out) {
            Ok(()) => Ok(Ok(Status::Yes)),
            Err(QueryError::Space(error @ SpaceError::Unsolvable { .. })) => {
                if !self.many {
                    say("note", &error.to_string());
                }
                self.write_unsolvable(&board, answerer.oracle.goal(), &error, out);
                Ok(Ok(Status::No))
            }
            Err(QueryError::Space(error)) => Ok(Err(LineError::Space(error))),
            Err(error) => Err(error.into()),
        }
    }

    fn answerer(&self, shape: Shape) -> Result<&Answerer, CliError> {
        let place = &self.oracles[shape.rows()][shape.cols()];
        if let Some(answerer) = place.get() {
            return Ok(answerer);
        }
        let _one_at_a_time = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answerer) = place.get() {
            return Ok(answerer);
        }
        let oracle = self.databases.oracle(shape)?;
        Ok(place.get_or_init(|| Answerer {
            oracle,
            counts: OnceLock::new(),
        }))
    }

    fn write(&self, by: &Answerer, board: &Board, out: &mut String) -> Result<(), QueryError> {
        let oracle = &by.oracle;
        if self.form.all && !self.form.json {
            for moves in oracle.solutions(board)? {
                self.write_line(board, &moves, out);
            }
            return Ok(());
        }
        let moves = oracle.solve(board)?;
        if self.form.json {
            let json = self.json(by, board, &moves)?;
            let json = serde_json::to_string(&json).expect("strings and numbers");
            let _ = writeln!(out, "{json}");
        } else if self.form.steps {
            steps(board, &moves, out);
        } else {
            self.write_line(board, &moves, out);
        }
        Ok(())
    }

    fn write_line(&self, board: &Board, moves: &[Move], out: &mut String) {
        let _ = write!(out, "{board}\t{}\t", moves.len());
        let _ = self.form.notation.write(board, moves, out);
        out.push('\n');
    }

    fn json(
        &self,
        by: &Answerer,
        board: &Board,
        moves: &[Move],
    ) -> Result<SolutionRecord, QueryError> {
        let oracle = &by.oracle;
        let counts = match by.counts.get() {
            Some(counts) => counts,
            // Eight bytes a state and some milliseconds, for small spaces and many boards.
            None if self.many && oracle.table().ranking().states() <= FEW_STATES => {
                let counts = SolutionCounts::new(oracle.table())?;
                by.counts.get_or_init(|| Some(counts))
            }
            None => by.counts.get_or_init(|| None),
        };
        let solutions = match counts {
            Some(counts) => counts.get(oracle.rank(board)?),
            None => oracle.count_solutions(board)?,
        };
        let all = match self.form.all {
            true => Some(
                oracle
                    .solutions(board)?
                    .map(|moves| letters(&moves))
                    .collect(),
            ),
            false => None,
        };
        Ok(SolutionRecord {
            all,
            ..SolutionRecord::new(board, oracle.goal(), moves, solutions)
        })
    }

    fn write_unsolvable(&self, board: &Board, goal: &Board, why: &SpaceError, out: &mut String) {
        if self.form.json {
            let json = SolutionRecord::unsolvable(board, goal, why);
            let json = serde_json::to_string(&json).expect("strings and numbers");
            let _ = writeln!(out, "{json}");
        } else {
            let _ = writeln!(out, "{board}\tunsolvable\t");
        }
    }
}
