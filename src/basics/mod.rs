//! Small things that several rooms need: the machine's cores and memory, and figures as text.

mod machine;
mod text;

pub(crate) use machine::{all_cores, available_memory};
pub(crate) use text::{plural, size_text, time_text};
