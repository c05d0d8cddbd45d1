//! A report and its formats.

use std::fmt;

use crate::form::Form;
use crate::grade::grader::Grader;
use crate::grade::mistake::Mistake;
use crate::grade::outcome::Grade;
use crate::grade::summary::Summary;
use crate::text::visible;
use puzzledb::puzzle::Board;

use super::{csv, html, json, junit, text};

/// A report of a grading, which can be written as text, tsv, csv, json, junit or html.
///
/// ```
/// use puzzledb_cli::Form;
/// use puzzledb_cli::grade::{Grader, Report, Template};
///
/// let grader = Grader::new(Template::new(["./solver", "{board}"])?);
/// let report = Report::new(&grader, &"123456780".parse()?, &[]);
/// assert!(report.format(Form::Csv).to_string().starts_with("board,distance,outcome,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report<'a> {
    pub(super) grader: &'a Grader,
    pub(super) goal: Board,
    pub(super) grades: &'a [Grade],
    pub(super) summary: Summary,
    pub(super) mistake: Option<Mistake>,
}

impl<'a> Report<'a> {
    /// A report of some grades.
    pub fn new(grader: &'a Grader, goal: &Board, grades: &'a [Grade]) -> Report<'a> {
        let summary = Summary::new(grades);
        Report {
            grader,
            goal: *goal,
            grades,
            summary,
            mistake: Mistake::of(grades),
        }
    }

    /// The figures of the grades.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The name of the submission, if the program is one of several.
    pub(super) fn submission(&self) -> Option<String> {
        let path = self.grader.template.submission.as_deref()?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Some(visible(&name.to_string_lossy()))
    }

    /// The boards without a right answer.
    pub(super) fn failures(&self) -> impl Iterator<Item = &'a Grade> {
        self.grades.iter().filter(|grade| !grade.outcome.is_right())
    }
}

impl Report<'_> {
    /// The report in a form, to be printed.
    pub fn format(&self, form: Form) -> impl fmt::Display {
        Report::format_all(std::slice::from_ref(self), form)
    }

    /// The report of a program, or one report of all submissions of a course, of which there is at least one.
    pub fn format_all(reports: &[Report<'_>], form: Form) -> impl fmt::Display {
        Formatted(reports, form)
    }
}

struct Formatted<'a>(&'a [Report<'a>], Form);

impl fmt::Display for Formatted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Formatted(reports, form) = self;
        let is_course = reports[0].submission().is_some();
        match form {
            Form::Text if is_course => text::write_course(reports, f),
            Form::Text => text::write(&reports[0], f),
            Form::Json if is_course => json::write_course(reports, f),
            Form::Json => json::write(&reports[0], f),
            Form::Junit => junit::write(reports, f),
            Form::Html if is_course => html::write_course(reports, f),
            Form::Html => html::write(&reports[0], f),
            rows => csv::write(reports, rows, f),
        }
    }
}
