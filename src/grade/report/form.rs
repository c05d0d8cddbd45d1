//! The forms in which a report is written.

use std::fmt;

use super::content::Report;
use super::{csv, html, json, junit, text};

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

impl Report<'_> {
    /// The report in a form, to be printed.
    pub fn in_form(&self, form: Form) -> impl fmt::Display {
        InForm { report: self, form }
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
