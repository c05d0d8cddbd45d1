//! The web page: plain HTML, CSS and JavaScript modules, compiled into the program.

mod files;

pub(super) use files::FILES;
