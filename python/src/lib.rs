//! The library for Python: what `puzzledb/__init__.py` rests on.
//!
//! Boards come in as bytes, arrays as NumPy's in C order, and records go out as JSON. `puzzledb` has the forms that people
//! write, and the documentation.

mod oracle;
mod run;

use std::borrow::Cow;
use std::time::Duration;

use puzzledb::Shape;
use puzzledb::ask::{Cause, Library, Question, Refusal, RefusalCode, Run, Search};
use puzzledb::oracle::RowsError;
use puzzledb::puzzle::parse_board;
use pyo3::prelude::*;
use serde::Serialize;

/// Returns the shape of a text, if there is one.
fn shape_of(text: Option<&str>) -> PyResult<Option<Shape>> {
    text.map(str::parse).transpose().map_err(bad_option)
}

/// Returns a record in JSON.
fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("a record is JSON")
}

/// Returns the exception of a refusal, or of an error of the library, which `puzzledb._errors` makes.
fn refusal(why: impl Into<Refusal>) -> PyErr {
    let why = why.into();
    let row = match why.cause {
        Some(Cause::Rows(RowsError::Row { row, .. } | RowsError::NoAnswer { row, .. })) => {
            Some(row)
        }
        _ => None,
    };
    let made = Python::attach(|py| {
        let of_refusal = py.import("puzzledb._errors")?.getattr("of_refusal")?;
        let error = of_refusal.call1((json(&why.code), why.sentence, row))?;
        Ok(PyErr::from_value(error))
    });
    made.unwrap_or_else(|error: PyErr| error)
}

/// Returns the exception of an option that is not valid.
fn bad_option(why: impl ToString) -> PyErr {
    refusal(Refusal::new(RefusalCode::BadOption, why))
}

/// Returns the cells of a board that is a text.
#[pyfunction]
fn parse(text: &str, shape: Option<&str>) -> PyResult<Cow<'static, [u8]>> {
    let board = parse_board(text.as_bytes(), shape_of(shape)?).map_err(refusal)?;
    Ok(board.tiles().to_vec().into())
}

/// Searches a board, by a question in JSON, and returns the record in JSON.
#[pyfunction]
fn search(py: Python<'_>, question: &str, timeout: Option<Duration>) -> PyResult<String> {
    let question: Search = serde_json::from_str(question).map_err(bad_option)?;
    let record = run::run(py, |cancel| {
        let run = Run {
            cancel: cancel.clone(),
            time: timeout,
            ..Run::default()
        };
        question.answer(&Library::new(None), &run)
    })?;
    Ok(json(&record))
}

/// What `puzzledb/__init__.py` rests on.
#[pymodule]
fn _puzzledb(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<oracle::Handle>()?;
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(search, module)?)
}
