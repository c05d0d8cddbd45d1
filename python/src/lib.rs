//! The library for Python: what `puzzledb/__init__.py` rests on.
//!
//! Boards come in as bytes, arrays as NumPy's in C order, and records go out as JSON. `puzzledb` has the forms that people
//! write, and the documentation.

mod oracle;
mod refuse;
mod run;

use std::borrow::Cow;

use puzzledb::Shape;
use puzzledb::ask::{Library, Question, Run, Search, Stats};
use puzzledb::puzzle::{Board, parse_board};
use pyo3::prelude::*;
use refuse::{bad_option, refusal};
use serde::Serialize;

/// Returns the shape of a text, if there is one.
fn shape_of(text: Option<&str>) -> PyResult<Option<Shape>> {
    text.map(str::parse).transpose().map_err(bad_option)
}

/// Returns the goal of a text: its name, or a board; the default one of the shape without.
fn goal_of(goal: Option<&str>, shape: Option<&str>) -> PyResult<Board> {
    let space = Stats {
        goal: goal.map(str::to_owned),
        shape: shape_of(shape)?,
        ..Stats::default()
    };
    space.goal(&Run::default()).map_err(refusal)
}

/// Returns a record in JSON.
fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("a record is JSON")
}

/// Returns the cells of a board that is a text.
#[pyfunction]
fn parse(text: &str, shape: Option<&str>) -> PyResult<Cow<'static, [u8]>> {
    let board = parse_board(text.as_bytes(), shape_of(shape)?).map_err(refusal)?;
    Ok(board.tiles().to_vec().into())
}

/// Searches a board, by a question in JSON, and returns the record in JSON.
#[pyfunction]
fn search(py: Python<'_>, question: &str, timeout: Option<f64>) -> PyResult<String> {
    let question: Search = serde_json::from_str(question).map_err(bad_option)?;
    let record = run::run(py, |cancel| {
        let run = Run {
            cancel: cancel.clone(),
            time: Some(run::time(timeout)),
            ..Run::default()
        };
        question.answer(&Library::new(None), &run)
    })?;
    record.map(|record| json(&record)).map_err(refusal)
}

/// What `puzzledb/__init__.py` rests on.
#[pymodule]
fn _puzzledb(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<oracle::Handle>()?;
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(search, module)?)
}
