//! The library's errors as Python's exceptions.

use puzzledb::ask::{Cause, Refusal, RefusalCode};
use puzzledb::oracle::RowsError;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Returns an exception of the class `puzzledb.name`, with its arguments.
pub fn exception(name: &str, arguments: impl for<'py> PyCallArgs<'py>) -> PyErr {
    Python::attach(|py| {
        let class = py.import("puzzledb._errors")?.getattr(name)?;
        Ok(PyErr::from_value(class.call1(arguments)?))
    })
    .unwrap_or_else(|error| error)
}

/// Returns the exception of a refusal, or of an error of the library.
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
    match why.cause {
        Some(Cause::Rows(RowsError::Row { row, .. } | RowsError::NoAnswer { row, .. })) => {
            exception(name, (why.sentence, row))
        }
        _ => exception(name, (why.sentence,)),
    }
}

/// Returns the exception of an option that is not valid.
pub fn bad_option(why: impl ToString) -> PyErr {
    refusal(Refusal::new(RefusalCode::BadOption, why))
}
