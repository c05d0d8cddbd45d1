//! The library for Python: what `puzzledb/__init__.py` rests on.
//!
//! Boards come in as bytes, arrays as NumPy's in C order, and records go out as JSON. `puzzledb` has the forms that people
//! write, and the documentation.

mod oracle;
mod refuse;
mod run;

use puzzledb::Shape;
use puzzledb::ask::{Library, Question, Refusal, Run, Search};
use puzzledb::puzzle::{Board, UsualGoal, parse_board, parse_goal};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Returns the shape of a text, if there is one.
fn shape_of(text: Option<&str>) -> PyResult<Option<Shape>> {
    let shape = text.map(|text| text.parse::<Shape>()).transpose();
    shape.map_err(|why| refuse::error("PuzzleError", &why))
}

/// Returns the goal of a text: its name, or a board; the default one of the shape without.
fn goal_of(text: Option<&str>, shape: Option<&str>) -> PyResult<Board> {
    let (shape, named) = (shape_of(shape)?, text.map(str::parse::<UsualGoal>));
    let shape_or_usual = shape.unwrap_or(Shape::EIGHT_PUZZLE);
    match (text, named) {
        (Some(text), Some(Err(_))) if shape.is_none() => {
            parse_board(text.as_bytes(), None).map_err(refuse::refusal)
        }
        (Some(text), _) => parse_goal(text, shape_or_usual).map_err(refuse::refusal),
        (None, _) => Ok(UsualGoal::Last.board(shape_or_usual)),
    }
}

/// Returns the cells of a board that is a text.
#[pyfunction]
fn parse<'py>(py: Python<'py>, text: &str, shape: Option<&str>) -> PyResult<Bound<'py, PyBytes>> {
    let board = parse_board(text.as_bytes(), shape_of(shape)?).map_err(refuse::refusal)?;
    Ok(PyBytes::new(py, board.tiles()))
}

/// Searches a board, by a question in JSON, and returns the record in JSON.
#[pyfunction]
fn search(py: Python<'_>, question: &str, timeout: Option<f64>) -> PyResult<String> {
    let question: Search =
        serde_json::from_str(question).map_err(|why| refuse::error("PuzzleError", &why))?;
    let time = run::time(timeout)?;
    run::run(py, |cancel| {
        let run = Run {
            cancel: cancel.clone(),
            time: Some(time),
            ..Run::default()
        };
        let record = question.answer(&Library::new(None), &run)?;
        Ok::<_, Refusal>(serde_json::to_string(&record).expect("a record is JSON"))
    })?
    .map_err(refuse::refusal)
}

/// What `puzzledb/__init__.py` rests on.
#[pymodule]
fn _puzzledb(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<oracle::Handle>()?;
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(search, module)?)
}
