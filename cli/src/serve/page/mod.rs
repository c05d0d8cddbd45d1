//! The web page: plain HTML, CSS and JavaScript modules, compiled into the program.

mod files;
mod static_page;

pub(super) use files::{FILES, PageFile};
pub(super) use static_page::served_page;
pub use static_page::{single_page, static_page};
