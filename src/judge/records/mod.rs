//! Records with an exact form: a claim a line, rows of a table, JSON objects.

mod claim;
mod ends;
mod fields;
mod format;
mod json;
mod line;
mod moves;
mod roles;
mod table;

pub(super) use self::{
    claim::shorten,
    moves::paths_of,
    roles::{Role, role},
};

pub use self::{
    claim::{Claim, ClaimError, Reader},
    format::{FIRST_LINES, Format},
    table::Table,
};
