//! Records with an exact form: a claim a line, rows of a table, JSON objects.

mod claim;
mod fields;
mod format;
mod json;
mod length;
mod line;
mod moves;
#[expect(clippy::module_inception, reason = "it cuts files into records")]
mod records;
mod roles;
mod table;

pub(super) use self::{
    claim::shorten,
    json::in_text,
    length::whole_number,
    moves::{is_end, paths_of},
    roles::{Role, role},
};

pub use self::{
    claim::{Claim, ClaimError, Reader},
    format::{FIRST_LINES, Format},
    records::{End, Records},
    table::Table,
};
