//! Promises of the command line and of the server, a module each.

#[path = "../../../tests/common/bytes.rs"]
mod bytes;
#[path = "../../../src/tests/full.rs"]
mod full;
#[path = "../common/run.rs"]
mod run;
#[path = "../common/server.rs"]
mod server;
#[path = "../../../src/bfs/ranks/tests/threads.rs"]
mod threads;
#[path = "../common/wait.rs"]
mod wait;

mod anytime;
mod atomic_build;
mod atomic_write;
mod audit;
mod audit_cli;
mod by_depth;
mod checkpoints;
mod cli;
mod count;
mod damaged_blocks;
mod damaged_files;
mod effort_cli;
mod estimates;
#[cfg(unix)]
mod examples;
mod export;
mod faults;
mod fuzz_request;
mod generate;
mod grade;
mod grade_course;
mod grade_killed;
mod grade_limits;
#[cfg(unix)]
mod grade_mistakes;
mod grade_reports;
mod mpi;
mod options;
mod output_files;
mod page_cli;
mod patterns;
mod plan;
mod play;
mod readme;
mod scratch;
mod search_cli;
mod serve_api;
mod serve_cancel;
mod serve_fair;
mod serve_hostile;
mod serve_http;
mod serve_limits;
mod serve_refusals;
mod solve;
mod source_forms;
mod stream;
mod supervision;
mod terminal;
mod verify;
mod verify_dialects;
mod watched_files;
