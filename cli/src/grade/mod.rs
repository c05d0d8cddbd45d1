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
