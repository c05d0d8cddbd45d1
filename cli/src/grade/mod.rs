//! Running a solver on many boards and judging its answers; auditing heuristics.
//!
//! A [`Template`] is the program, [`draw`](puzzledb::oracle::draw::draw()) draws the boards, and a [`Grader`]
//! runs the program once for each under [`Supervision`] and compares its answer with the optimal
//! distance. A [`Report`] shows the grades as text, tables and files. [`audit`] checks a heuristic's
//! values of all boards; a program that computes them runs under the same supervision.

pub mod audit;
pub(crate) mod excerpt;
mod form;
pub(crate) mod grader;
pub(crate) mod mistake;
mod outcome;
mod report;
mod summary;
pub(crate) mod supervise;
pub(crate) mod template;

use std::io;

use puzzledb::oracle::QueryError;

pub use {
    form::BoardForm,
    grader::{Grader, Preset},
    mistake::{Evidence, Mistake, MistakeKind},
    outcome::{Grade, Outcome},
    report::Report,
    summary::{Figures, Summary},
    supervise::{Limit, Supervision},
    template::Template,
};

/// Error that prevents or ends a grading, or in the values of a heuristic.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GradeError {
    /// The command or its input is not valid, the program cannot be started, or values are not valid.
    #[error("{0}")]
    Invalid(String),
    /// The program was killed because it exceeded a limit; the text has the figures.
    #[error("the program {1}")]
    Exceeded(Limit, String),
    /// `go_on` returned `Break`.
    #[error("interrupted")]
    Interrupted,
    /// The table of values cannot be read, or a program for an audit not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The distances cannot be looked up.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl GradeError {
    /// An error in a line, counted from 1.
    fn at(line: u64, error: impl std::fmt::Display) -> GradeError {
        GradeError::Invalid(format!("line {line}: {error}"))
    }
}
