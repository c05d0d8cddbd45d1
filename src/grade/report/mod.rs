//! Grades in words, tables and files.

mod csv;
mod escape;
mod html;
mod json;
mod junit;
mod plot;
mod text;

use std::fmt;

use crate::puzzle::Board;

use super::{Exam, Grade, Summary};

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people: a table by distance, and the first failures.
    Text,
    /// A line a board, with a header.
    Csv,
    /// One document: the summary and all boards.
    Json,
    /// JUnit's XML, which systems for continuous integration read: a test case a board.
    Junit,
    /// One page, with plots, that needs no other file.
    Html,
}

/// Everything that a report tells. It prints in any [`Form`].
///
/// ```
/// use puzzledb::grade::{Exam, Form, Limits, Report, Template};
///
/// let exam = Exam {
///     template: Template::new(["./solver", "{board}"])?,
///     limits: Limits::default(),
///     jobs: 1.try_into()?,
///     only: None,
///     answer_file: None,
/// };
/// let report = Report::new(&exam, &"123456780".parse()?, &[]);
/// assert!(report.in_form(Form::Csv).to_string().starts_with("board,distance,outcome,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report<'a> {
    exam: &'a Exam,
    goal: Board,
    grades: &'a [Grade],
    summary: Summary,
}

impl<'a> Report<'a> {
    /// A report of some grades.
    pub fn new(exam: &'a Exam, goal: &Board, grades: &'a [Grade]) -> Report<'a> {
        let summary = Summary::new(grades);
        Report {
            exam,
            goal: *goal,
            grades,
            summary,
        }
    }

    /// The figures.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The report in a form, to be printed.
    pub fn in_form(&self, form: Form) -> impl fmt::Display {
        InForm { report: self, form }
    }

    /// The boards without a right answer.
    fn failures(&self) -> impl Iterator<Item = &'a Grade> {
        self.grades.iter().filter(|grade| !grade.outcome.is_right())
    }
}

struct InForm<'a> {
    report: &'a Report<'a>,
    form: Form,
}

impl fmt::Display for InForm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = match self.form {
            Form::Text => text::write,
            Form::Csv => csv::write,
            Form::Json => json::write,
            Form::Junit => junit::write,
            Form::Html => html::write,
        };
        write(self.report, f)
    }
}

/// A distance as the heading of a row: `unsolvable` where there is none.
fn distance_text(distance: Option<u8>) -> String {
    distance.map_or("unsolvable".to_owned(), |d| d.to_string())
}
