//! An oracle as a class.

use std::time::Duration;

use numpy::{Element, PyReadonlyArray1, PyReadwriteArray1};
use puzzledb::ask::{Refusal, SolutionRecord};
use puzzledb::internals::goal_of;
use puzzledb::judge::ClaimRecord;
use puzzledb::oracle::generate::Request;
use puzzledb::oracle::{Oracle, QueryError, Rows, RowsError};
use puzzledb::puzzle::{Board, ParseError};
use puzzledb::search::{AnytimeSettings, audit_values};
use puzzledb::{Cancel, letters};
use pyo3::prelude::*;

use crate::run::run;
use crate::{json, refusal, shape_of};

/// Rows, and states of a space, that are answered at once on the caller's thread.
const FEW_ROWS: usize = 4096;
const FEW_STATES: u64 = 10_000_000;

/// The memory of values.
type Bytes<'py> = PyReadwriteArray1<'py, u8>;
type Words<'py> = PyReadwriteArray1<'py, u64>;

/// An oracle.
#[pyclass(frozen, module = "puzzledb._puzzledb")]
pub struct Handle(Oracle);

/// Boards or numbers of states in an array; a number for the states from there on.
#[derive(FromPyObject)]
enum Array<'py> {
    Cells(PyReadonlyArray1<'py, u8>),
    States(PyReadonlyArray1<'py, u64>),
    From(u64),
}

impl Handle {
    fn board(&self, cells: &[u8]) -> PyResult<Board> {
        Board::new(self.0.shape(), cells).map_err(|why| refusal(ParseError::from(why)))
    }

    /// Answers at once if `is_quick`, and otherwise so that Ctrl-C ends it.
    fn ask<T: Send, E: Into<Refusal> + Send>(
        &self,
        py: Python<'_>,
        is_quick: bool,
        answer: impl FnOnce(&Oracle, &Cancel) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        let space = self.0.space();
        let states = space.map_or(u64::MAX, |space| space.ranking().states());
        match is_quick && states <= FEW_STATES {
            true => answer(&self.0, &Cancel::new()).map_err(refusal),
            false => run(py, |cancel| {
                answer(&self.0.clone().with_cancel(cancel), cancel)
            }),
        }
    }

    /// Fills the memory of an array with the values of rows.
    fn fill<'r, T: Element + Copy>(
        &self,
        py: Python<'_>,
        rows: &'r Array<'_>,
        mut values: PyReadwriteArray1<'_, T>,
        fill: impl FnOnce(&Oracle, Rows<'r>, &mut [T]) -> Result<(), RowsError> + Send,
    ) -> PyResult<()> {
        let rows = match rows {
            Array::Cells(cells) => Rows::Cells(cells.as_slice()?),
            Array::States(states) => Rows::States(states.as_slice()?),
            Array::From(first) => Rows::From(*first),
        };
        let values = values.as_slice_mut()?;
        let is_quick = values.len() <= FEW_ROWS;
        self.ask(py, is_quick, |oracle, _| fill(oracle, rows, values))
    }
}

#[pymethods]
impl Handle {
    /// Opens a file, or makes an oracle. A file without a goal has its own.
    #[new]
    fn new(
        py: Python<'_>,
        path: Option<&str>,
        goal: Option<&str>,
        shape: Option<&str>,
    ) -> PyResult<Handle> {
        let board = goal_of(shape_of(shape)?, goal).map_err(refusal)?;
        let open = |cancel: &Cancel| match (path, goal) {
            (None, _) => Oracle::for_goal_unless(&board, cancel),
            (Some(path), None) => Oracle::open(path),
            (Some(path), Some(_)) => Oracle::open_for(path, &board),
        };
        run(py, open).map(Handle)
    }

    /// Returns the goal, rows and columns, and the number of states of a table.
    fn about(&self) -> (String, (usize, usize), Option<u64>) {
        let (goal, shape, space) = (self.0.goal(), self.0.shape(), self.0.space().ok());
        let states = space.map(|space| space.ranking().states());
        (goal.to_string(), (shape.rows(), shape.cols()), states)
    }

    fn distance(&self, py: Python<'_>, cells: &[u8]) -> PyResult<u8> {
        let board = self.board(cells)?;
        self.ask(py, true, |oracle, _| oracle.distance(&board))
    }

    fn solve(&self, py: Python<'_>, cells: &[u8]) -> PyResult<String> {
        let board = self.board(cells)?;
        let moves = self.ask(py, true, |oracle, _| oracle.solve(&board))?;
        Ok(letters(&moves))
    }

    /// Returns the record of the best solution that is found in this time.
    fn solve_within(&self, py: Python<'_>, cells: &[u8], timeout: Duration) -> PyResult<String> {
        let board = self.board(cells)?;
        let found = self.ask(py, false, |oracle, cancel| {
            let mut settings = AnytimeSettings::new(Some(timeout));
            settings.cancel = cancel.clone();
            oracle.solve_within(&board, &settings)
        })?;
        let record = SolutionRecord::within(&board, self.0.goal(), &found);
        Ok(json(&record))
    }

    /// Returns so many shortest solutions, after the first ones.
    fn solutions(
        &self,
        py: Python<'_>,
        cells: &[u8],
        first: usize,
        most: usize,
    ) -> PyResult<Vec<String>> {
        let board = self.board(cells)?;
        self.ask(py, true, |oracle, _| {
            let found = oracle.solutions(&board)?.skip(first).take(most);
            Ok::<_, QueryError>(found.map(|moves| letters(&moves)).collect())
        })
    }

    fn probe(&self, py: Python<'_>, cells: &[u8]) -> PyResult<String> {
        let board = self.board(cells)?;
        let record = self.ask(py, true, |oracle, _| oracle.probe(&board))?;
        Ok(json(&record))
    }

    /// Returns the record of the last answer in a text; `None` if it has none.
    fn judge(&self, py: Python<'_>, cells: &[u8], text: &str) -> PyResult<Option<String>> {
        let board = self.board(cells)?;
        let record = self.ask(py, false, |oracle, _| {
            ClaimRecord::of_text(&board, text, oracle)
        })?;
        Ok(record.as_ref().map(json))
    }

    fn distances(&self, py: Python<'_>, rows: Array<'_>, values: Bytes<'_>) -> PyResult<()> {
        self.fill(py, &rows, values, Oracle::distances_into)
    }

    fn moves(&self, py: Python<'_>, rows: Array<'_>, values: Bytes<'_>) -> PyResult<()> {
        self.fill(py, &rows, values, Oracle::closer_moves_into)
    }

    fn counts(&self, py: Python<'_>, rows: Array<'_>, values: Words<'_>) -> PyResult<()> {
        self.fill(py, &rows, values, Oracle::solution_counts_into)
    }

    fn rank(&self, py: Python<'_>, rows: Array<'_>, values: Words<'_>) -> PyResult<()> {
        self.fill(py, &rows, values, Oracle::states_into)
    }

    fn boards(&self, py: Python<'_>, rows: Array<'_>, values: Bytes<'_>) -> PyResult<()> {
        self.fill(py, &rows, values, Oracle::boards_into)
    }

    fn sample(&self, py: Python<'_>, count: usize, at: (u8, u8), seed: u64) -> PyResult<Vec<u8>> {
        let request = Request::new(at.0..=at.1, count, seed);
        let boards = self.ask(py, false, |oracle, _| oracle.generate(&request))?;
        Ok(boards.iter().flat_map(Board::tiles).copied().collect())
    }

    fn audit(&self, py: Python<'_>, values: PyReadonlyArray1<'_, f64>) -> PyResult<String> {
        let values = values.as_slice()?;
        let audit = self.ask(py, false, |oracle, _| audit_values(oracle, values))?;
        Ok(json(&audit))
    }
}
