//! Reports of gradings in several formats.

mod html;
mod json;
mod junit;
mod plot;
mod text;

use crate::form::Form;
use crate::grade::grader::Grader;
use crate::grade::mistake::Mistake;
use crate::grade::outcome::Grade;
use crate::grade::summary::Summary;
use crate::text::visible;
use puzzledb::puzzle::Board;

/// A report of a grading, which can be written as text, tsv, csv, json, junit or html.
///
/// ```
/// use puzzledb_cli::Form;
/// use puzzledb_cli::grade::{Grader, Report, Template};
///
/// let grader = Grader::new(Template::new(["./solver", "{board}"])?);
/// let report = Report::new(&grader, &"123456780".parse()?, &[]);
/// assert!(Report::format(&[report], Form::Csv).starts_with("board,distance,outcome,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report<'a> {
    pub(crate) grader: &'a Grader,
    goal: Board,
    pub(crate) grades: Vec<Grade>,
    /// The figures of the grades.
    pub summary: Summary,
    mistake: Option<Mistake>,
}

impl<'a> Report<'a> {
    /// A report of some grades.
    pub fn new(grader: &'a Grader, goal: &Board, grades: impl Into<Vec<Grade>>) -> Report<'a> {
        let grades = grades.into();
        Report {
            grader,
            goal: *goal,
            summary: Summary::new(&grades),
            mistake: Mistake::of(&grades),
            grades,
        }
    }

    /// The report of a program in a form, or one report of all submissions of a course, of which there is at least one.
    pub fn format(reports: &[Report<'_>], form: Form) -> String {
        let mut out = String::new();
        let written = match form {
            Form::Text => text::write(reports, &mut out),
            Form::Json => json::write(reports, &mut out),
            Form::Junit => junit::write(reports, &mut out),
            Form::Html => html::write(reports, &mut out),
            rows => json::write_rows(reports, rows, &mut out),
        };
        written.expect("writing to memory does not fail");
        out
    }

    /// The name of the submission, if the program is one of several.
    fn submission(&self) -> Option<String> {
        let path = self.grader.template.submission.as_deref()?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Some(visible(&name.to_string_lossy()))
    }

    /// The boards without a right answer.
    fn failures(&self) -> impl Iterator<Item = &Grade> {
        self.grades.iter().filter(|grade| !grade.outcome.is_right())
    }
}
