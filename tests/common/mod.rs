//! What several test files use.
#![allow(dead_code, reason = "each test file uses a part")]

use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use puzzledb::puzzle::Shape;
use puzzledb::space::GoalClass;
use puzzledb::table::{Encoding, build};

/// The bytes of the database of a shape's default goal.
pub fn database(rows: usize, cols: usize, encoding: Encoding) -> Vec<u8> {
    let shape = Shape::new(rows, cols).unwrap();
    let class = GoalClass::new(shape, shape.cells() - 1).unwrap();
    build(class, encoding, 1, |_| ControlFlow::Continue(()))
        .unwrap()
        .unwrap()
}

/// A folder with a built 3x3 database.
pub fn built() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), &["build"]).code, Some(0));
    dir
}

/// The binary with its databases in `dir` and without the user's wishes about colours.
pub fn puzzledb(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzledb"));
    command
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("PUZZLEDB_DIR", dir)
        .stdin(Stdio::null());
    command
}

/// What a run wrote and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// Runs the binary with these arguments.
pub fn run(dir: &Path, args: &[&str]) -> Ran {
    puzzledb(dir).args(args).output().unwrap().into()
}

/// Runs the binary with these arguments and this standard input.
pub fn run_with_input(dir: &Path, args: &[&str], input: &[u8]) -> Ran {
    use std::io::Write;
    let mut command = puzzledb(dir);
    command.args(args).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input); // the other side may have had enough
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Grades a shell script, whose `$1` is the board, on the boards, one a line.
pub fn graded(dir: &Path, options: &[&str], boards: &str, script: &str) -> Ran {
    let mut args = vec!["grade", "--boards", "-"];
    args.extend(options);
    args.extend(["--", "sh", "-c", script, "solver", "{board}"]);
    run_with_input(dir, &args, boards.as_bytes())
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// The places of the fields of a header, written down from the format's description and not from
/// the program.
pub struct Layout {
    pub levels: usize,
    pub level_count: usize,
    pub section_count: usize,
    pub sections: usize,
}

pub const SECTION: usize = 21;

pub fn layout(bytes: &[u8]) -> Layout {
    let level_count = u64_at(bytes, 21) as usize;
    let section_count = 29 + 8 * level_count;
    Layout {
        levels: 29,
        level_count,
        section_count,
        sections: section_count + 8,
    }
}

/// Makes all checksums right again after the bytes were changed.
pub fn mend_checksums(bytes: &mut [u8]) {
    let layout = layout(bytes);
    let count = u64_at(bytes, layout.section_count) as usize;
    for i in 0..count.min(3) {
        let at = layout.sections + i * SECTION;
        let (offset, length) = (
            u64_at(bytes, at + 1) as usize,
            u64_at(bytes, at + 9) as usize,
        );
        if let Some(section) = bytes.get(offset..offset.saturating_add(length)) {
            let checksum = crc32fast::hash(section);
            bytes[at + 17..at + 21].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    mend_header(bytes);
}

/// Makes the header's own checksum right again.
pub fn mend_header(bytes: &mut [u8]) {
    let checksum = crc32fast::hash(&bytes[..4092]);
    bytes[4092..4096].copy_from_slice(&checksum.to_le_bytes());
}
