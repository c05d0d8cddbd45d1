//! Running a solver on many boards and judging its answers; auditing heuristics.
//!
//! A [`Template`] is the program, [`draw`](crate::oracle::draw::draw()) draws the boards, and a [`Grader`]
//! runs the program once for each under [`Supervision`] and compares its answer with the optimal
//! distance. A [`Report`] shows the grades as text, tables and files. [`audit`] checks a heuristic's
//! values of all boards; a program that computes them runs under the same supervision.

pub mod audit;
#[cfg(unix)]
mod error;
#[cfg(unix)]
mod excerpt;
#[cfg(unix)]
mod form;
#[cfg(unix)]
mod grader;
#[cfg(unix)]
mod outcome;
mod pattern;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod summary;
#[cfg(unix)]
pub(crate) mod supervise;
#[cfg(unix)]
mod template;

pub use pattern::{AnswerPattern, AnswerPatternError};
#[cfg(unix)]
pub use {
    error::GradeError,
    form::{BoardForm, BoardFormError},
    grader::Grader,
    outcome::{Crash, Grade, Outcome},
    report::{Report, ReportFormat},
    summary::{Figures, Summary},
    supervise::Supervision,
    template::{Template, TemplateError},
};
