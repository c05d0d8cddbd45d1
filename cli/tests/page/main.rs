//! Promise: the page works in a real browser, with keyboard, mouse and finger.
//!
//! Screenshots are kept in `target/page-screenshots/`. Without a browser these tests print that they were
//! left out; with `PUZZLEDB_BROWSER=required` they fail.
#![cfg(unix)]

#[path = "../../../src/tests/full.rs"]
mod full;
#[path = "../common/run.rs"]
mod run;
#[path = "../common/server.rs"]
mod server;
#[path = "../common/wait.rs"]
mod wait;

#[macro_use]
mod browser;
mod driver;
mod edit;
mod files;
mod map;
mod offline;
mod path;
mod play;
mod quality;
mod searches;
mod shapes;
mod solutions;
mod space;
mod state;
mod verify;
