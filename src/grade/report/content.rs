//! What a report tells, in whatever form it is written.

use crate::grade::grader::Exam;
use crate::grade::outcome::Grade;
use crate::grade::summary::Summary;
use crate::puzzle::Board;

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
    pub(super) exam: &'a Exam,
    pub(super) goal: Board,
    pub(super) grades: &'a [Grade],
    pub(super) summary: Summary,
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

    /// The boards without a right answer.
    pub(super) fn failures(&self) -> impl Iterator<Item = &'a Grade> {
        self.grades.iter().filter(|grade| !grade.outcome.is_right())
    }
}

/// A distance as the heading of a row: `unsolvable` where there is none.
pub(super) fn distance_text(distance: Option<u8>) -> String {
    distance.map_or("unsolvable".to_owned(), |d| d.to_string())
}
