//! The library's errors as Python's exceptions.

use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::oracle::RowsError;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Returns the exception of a refusal, or of an error of the library: a class of `puzzledb._errors`.
pub fn refusal(why: impl Into<Refusal>) -> PyErr {
    let why = why.into();
    let name = match why.code {
        RefusalCode::Unsolvable => "UnsolvableError",
        RefusalCode::BadBoard => "BoardError",
        RefusalCode::Damaged => "DamagedError",
        RefusalCode::TimedOut => "SolveTimeout",
        RefusalCode::Busy => return PyMemoryError::new_err(why.sentence),
        _ => "PuzzleError",
    };
    let raise = |py: Python<'_>| {
        let class = py.import("puzzledb._errors")?.getattr(name)?;
        let error = match why.cause {
            Some(Cause::Rows(RowsError::Row { row, .. } | RowsError::NoAnswer { row, .. })) => {
                class.call1((why.sentence, row))
            }
            _ => class.call1((why.sentence,)),
        };
        Ok(PyErr::from_value(error?))
    };
    Python::attach(raise).unwrap_or_else(|error: PyErr| error)
}

/// Returns the exception of an option that is not valid.
pub fn bad_option(why: impl ToString) -> PyErr {
    refusal(Refusal::new(RefusalCode::BadOption, why))
}
