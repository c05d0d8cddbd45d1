//! Runs of the binary.
#![allow(dead_code, reason = "each test program uses a part")]

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Folder with a built 3x3 database.
pub fn built() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), &["build"]).code, Some(0));
    dir
}

/// Command of the binary with its databases in `dir`, at the top of the repository, and without the user's settings of colours.
pub fn puzzledb(dir: &Path) -> Command {
    crate::wait::limit_runs();
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzledb"));
    command
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("PUZZLEDB_DIR", dir)
        .stdin(Stdio::null());
    command
}

/// Output and exit code of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandResult {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for CommandResult {
    fn from(output: Output) -> CommandResult {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        CommandResult {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// Runs the binary with these arguments.
pub fn run(dir: &Path, args: &[&str]) -> CommandResult {
    puzzledb(dir).args(args).output().unwrap().into()
}

/// Runs the binary with these arguments and this standard input.
pub fn run_with_input(dir: &Path, args: &[&str], input: &[u8]) -> CommandResult {
    use std::io::Write;
    let mut command = puzzledb(dir);
    command.args(args).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input); // the other side may have stopped reading
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Time of a program that runs to its end.
pub fn time(start: impl FnOnce() -> Child) -> Duration {
    let begun = Instant::now();
    start().wait_with_output().unwrap();
    begun.elapsed()
}

/// Reads up to and including this text, which a program writes at a known point of its work.
pub fn read_until(source: &mut impl Read, text: &str) -> String {
    let mut read = Vec::new();
    while !read.ends_with(text.as_bytes()) {
        let mut byte = [0];
        source.read_exact(&mut byte).unwrap();
        read.push(byte[0]);
    }
    String::from_utf8(read).unwrap()
}

/// Grades a shell script, whose `$1` is the board, on the boards, one a line.
pub fn graded(dir: &Path, options: &[&str], boards: &str, script: &str) -> CommandResult {
    let mut args = vec!["grade", "--boards", "-"];
    args.extend(options);
    args.extend(["--", "sh", "-c", script, "solver", "{board}"]);
    run_with_input(dir, &args, boards.as_bytes())
}
