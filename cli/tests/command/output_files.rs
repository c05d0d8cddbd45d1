//! Files that a person names for a result: `stats --svg`, `solve --svg`, `grade --output`, `page --single`.
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::{CommandResult, built, puzzledb};

/// Commands before the file's name and after it, the exit code, and a word of the content.
const WRITERS: [(&[&str], &[&str], i32, &str); 4] = [
    (&["stats", "--svg"], &[], 0, "<svg "),
    (
        &["grade", "--sample", "1", "--output"],
        &["--", "true"],
        1,
        "boards",
    ),
    (&["page", "--single", "--output"], &[], 0, "<!doctype html>"),
    (&["solve", "704851632", "--svg"], &[], 0, "<svg "),
];

fn write_to(dir: &Path, writer: usize, file: &Path) -> Command {
    let (before, after, ..) = WRITERS[writer];
    let mut command = puzzledb(dir);
    command.args(before).arg(file).args(after);
    command
}

fn run(mut command: Command) -> CommandResult {
    command.output().unwrap().into()
}

fn made(program: &str, args: &[&str]) -> bool {
    Command::new(program)
        .args(args)
        .stderr(Stdio::null())
        .status()
        .unwrap()
        .success()
}

#[test]
fn a_file_is_replaced_with_its_permissions_and_a_link_to_it_is_followed() {
    let databases = built();
    for (writer, (.., code, word)) in WRITERS.into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("file", &link).unwrap();
        let mut old = File::open(&file).unwrap();
        let ran = run(write_to(databases.path(), writer, &link));
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(fs::read_to_string(&file).unwrap().contains(word));
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        // A reader of the old file goes on reading it.
        assert_eq!(std::io::read_to_string(&mut old).unwrap(), "old");
    }
}

#[test]
fn where_the_disk_is_full_the_old_file_stays() {
    let databases = built();
    for writer in [0, 2] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "old").unwrap();
        let whole = write_to(databases.path(), writer, &file);
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\""]);
        limited.arg(whole.get_program()).args(whole.get_args());
        limited.env("PUZZLEDB_DIR", databases.path());
        let ran = run(limited);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("unchanged"), "{}", ran.err);
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_pipe_gets_the_whole_result_and_stays_one() {
    let databases = built();
    for (writer, (.., code, word)) in WRITERS.into_iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(made("mkfifo", &[pipe.to_str().unwrap()]));
        let mut command = write_to(databases.path(), writer, &pipe);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        let read = fs::read_to_string(&pipe).unwrap();
        let ran: CommandResult = child.wait_with_output().unwrap().into();
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(read.contains(word), "{read}");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}

/// A device node of its own, like `/dev/full`; only root can make one, and not everywhere.
#[test]
fn a_device_is_written_through_and_its_error_reported() {
    let databases = built();
    let dir = tempfile::tempdir().unwrap();
    let device = dir.path().join("full");
    if !made("mknod", &[device.to_str().unwrap(), "c", "1", "7"]) || File::open(&device).is_err() {
        return;
    }
    for writer in 0..WRITERS.len() {
        let ran = run(write_to(databases.path(), writer, &device));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("No space left"), "{}", ran.err);
        assert!(fs::metadata(&device).unwrap().file_type().is_char_device());
    }
}

#[test]
fn standard_output_that_is_a_file_is_written_at_its_end() {
    let databases = built();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    for place in ["/dev/stdout", "/dev/fd/1"] {
        let mut command = write_to(databases.path(), 0, Path::new(place));
        let out = File::options().create(true).append(true).open(&file);
        let status = command.stdout(out.unwrap()).status().unwrap();
        assert!(status.success());
    }
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("<svg ").count(), 2);
    assert_eq!(text.matches("\n31\t2\t").count(), 2, "{text}");
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_before_the_work() {
    let databases = built();
    let dir = tempfile::tempdir().unwrap();
    for writer in 0..WRITERS.len() {
        let ran = run(write_to(databases.path(), writer, dir.path()));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.contains("cannot write "), "{}", ran.err);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
