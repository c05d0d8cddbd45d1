//! Reports of gradings in several formats.

mod content;
mod csv;
mod html;
mod json;
mod junit;
mod plot;
mod text;

pub use content::Report;
