//! Reports of gradings in several formats.

mod content;
mod csv;
mod format;
mod html;
mod json;
mod junit;
mod plot;
mod text;

pub use content::Report;
pub use format::ReportFormat;
