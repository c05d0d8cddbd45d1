//! Running a solver on many boards and judging its answers; auditing heuristics.
//!
//! A [`Template`] is the program, [`boards`](crate::oracle::boards) draws the boards, and a [`Grader`]
//! runs the program once for each, under [`Limits`], and compares its answer with the optimal
//! distance. A [`Report`] shows the grades as text, tables and files.

pub mod audit;
#[cfg(unix)]
mod error;
#[cfg(unix)]
mod grader;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod outcome;
#[cfg(unix)]
mod process_tree;
#[cfg(unix)]
mod processes;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod summary;
#[cfg(unix)]
mod template;

#[cfg(unix)]
pub use {
    error::GradeError,
    grader::Grader,
    limits::Limits,
    outcome::{Crash, Grade, Outcome},
    report::{Report, ReportFormat},
    summary::{Figures, Summary},
    template::{Template, TemplateError},
};
