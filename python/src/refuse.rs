//! The library's errors as Python's exceptions.

use std::fmt::Display;

use puzzledb::ask::{Refusal, RefusalCode};
use puzzledb::oracle::RowsError;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Returns an exception of the class `puzzledb.name`, with its arguments.
pub fn exception(name: &str, arguments: impl for<'py> pyo3::call::PyCallArgs<'py>) -> PyErr {
    Python::attach(|py| {
        let class = py.import("puzzledb._errors")?.getattr(name)?;
        Ok(PyErr::from_value(class.call1(arguments)?))
    })
    .unwrap_or_else(|error| error)
}

/// Returns an exception with the words of an error.
pub fn error(name: &str, why: &impl Display) -> PyErr {
    exception(name, (why.to_string(),))
}

/// Returns the exception of a refusal, or of an error of the library.
pub fn refusal(why: impl Into<Refusal>) -> PyErr {
    let why = why.into();
    let name = match why.code {
        RefusalCode::Unsolvable => "UnsolvableError",
        RefusalCode::BadBoard => "BoardError",
        RefusalCode::Damaged => "DamagedError",
        RefusalCode::Busy => return PyMemoryError::new_err(why.sentence),
        RefusalCode::TimedOut => {
            return exception("SolveTimeout", (why.sentence, 0, None::<u8>, ""));
        }
        _ => "PuzzleError",
    };
    error(name, &why)
}

/// Returns the exception of an error in rows.
pub fn rows(why: RowsError) -> PyErr {
    let sentence = why.to_string();
    match why {
        RowsError::Row { row, .. } | RowsError::NoAnswer { row, .. } => {
            exception("BoardError", (sentence, row))
        }
        RowsError::Query(why) => refusal(why),
        _ => error("PuzzleError", &sentence),
    }
}
