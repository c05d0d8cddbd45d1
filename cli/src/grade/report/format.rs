//! The formats in which a report is written.

use std::fmt;

use clap::ValueEnum;

use super::content::Report;
use super::{csv, html, json, junit, text};

/// A format in which a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum ReportFormat {
    /// A table by distance, and the first failures
    Text,
    /// A line a board
    Csv,
    /// One document: the summary and all boards
    Json,
    /// XML for continuous integration: a test case a board
    Junit,
    /// A page with plots that needs no other file
    Html,
}

impl Report<'_> {
    /// The report in a format, to be printed.
    pub fn format(&self, format: ReportFormat) -> impl fmt::Display {
        Formatted(self, format)
    }
}

struct Formatted<'a>(&'a Report<'a>, ReportFormat);

impl fmt::Display for Formatted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Formatted(report, format) = self;
        match format {
            ReportFormat::Text => text::write(report, f),
            ReportFormat::Csv => csv::write(report, f),
            ReportFormat::Json => json::write(report, f),
            ReportFormat::Junit => junit::write(report, f),
            ReportFormat::Html => html::write(report, f),
        }
    }
}
