//! A report and its formats.

use std::fmt;

use clap::ValueEnum;

use crate::grade::grader::Grader;
use crate::grade::mistake::Mistake;
use crate::grade::outcome::Grade;
use crate::grade::summary::Summary;
use crate::text::visible;
use puzzledb::puzzle::Board;

use super::{csv, html, json, junit, text};

/// A report of a grading, which can be written in any [`ReportFormat`].
///
/// ```
/// use puzzledb_cli::grade::{Grader, Report, ReportFormat, Template};
///
/// let grader = Grader::new(Template::new(["./solver", "{board}"])?);
/// let report = Report::new(&grader, &"123456780".parse()?, &[]);
/// assert!(report.format(ReportFormat::Csv).to_string().starts_with("board,distance,outcome,"));
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

/// A format in which a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum ReportFormat {
    /// A table by distance, and the first failures; with --each a table of the submissions
    Text,
    /// A line a board
    Csv,
    /// One document: the summary and all boards
    Json,
    /// XML for continuous integration: a test case a board
    Junit,
    /// A page with plots that needs no other file; with --each one for the course
    Html,
}

impl Report<'_> {
    /// The report in a format, to be printed.
    pub fn format(&self, format: ReportFormat) -> impl fmt::Display {
        Report::format_all(std::slice::from_ref(self), format)
    }

    /// The report of a program, or one report of all submissions of a course, of which there is at least one.
    pub fn format_all(reports: &[Report<'_>], format: ReportFormat) -> impl fmt::Display {
        Formatted(reports, format)
    }
}

struct Formatted<'a>(&'a [Report<'a>], ReportFormat);

impl fmt::Display for Formatted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Formatted(reports, format) = self;
        let is_course = reports[0].submission().is_some();
        match format {
            ReportFormat::Text if is_course => text::write_course(reports, f),
            ReportFormat::Text => text::write(&reports[0], f),
            ReportFormat::Csv => csv::write(reports, f),
            ReportFormat::Json if is_course => json::write_course(reports, f),
            ReportFormat::Json => json::write(&reports[0], f),
            ReportFormat::Junit => junit::write(reports, f),
            ReportFormat::Html if is_course => html::write_course(reports, f),
            ReportFormat::Html => html::write(&reports[0], f),
        }
    }
}
