//! Running somebody's solver on many boards and judging what it says.
//!
//! A [`Template`] is the program, [`draw()`](crate::oracle::draw::draw) gives the boards, and [`grade()`]
//! runs the program once for each, under [`Limits`], and holds its output against the truth. The
//! [`Report`] puts the grades into words, tables and files.

pub mod audit;
#[cfg(unix)]
mod error;
#[cfg(unix)]
mod family;
#[cfg(unix)]
mod grader;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod outcome;
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
    grader::{Exam, grade},
    limits::Limits,
    outcome::{Crash, Grade, Outcome},
    report::{Form, Report},
    summary::{Figures, Summary},
    template::{Template, TemplateError},
};
