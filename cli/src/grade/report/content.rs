//! The content of a report, for all formats.

use crate::grade::grader::Grader;
use crate::grade::outcome::Grade;
use crate::grade::summary::Summary;
use puzzledb::puzzle::Board;

/// A report of a grading, which can be written in any [`ReportFormat`](super::format::ReportFormat).
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
        }
    }

    /// The figures of the grades.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The boards without a right answer.
    pub(super) fn failures(&self) -> impl Iterator<Item = &'a Grade> {
        self.grades.iter().filter(|grade| !grade.outcome.is_right())
    }
}
