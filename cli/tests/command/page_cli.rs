//! Page as files.

use std::fs;

use crate::run::run;

#[test]
fn the_page_is_written_with_relative_links_and_its_module() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("a/b");
    for _ in 0..2 {
        let ran = run(dir.path(), &["page", "--output", folder.to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains(" files, "), "{}", ran.out);
    }
    let html = fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(
        !html.contains("=\"/") && !html.contains("=\"http"),
        "{html}"
    );
    let module = fs::read(folder.join("page/puzzledb.wasm.gz")).unwrap();
    assert!(module.starts_with(b"\x1f\x8b"), "it is compressed");
}

#[test]
fn one_file_has_everything_inside() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a/puzzle.html");
    let args = ["page", "--single", "--output", file.to_str().unwrap()];
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let html = fs::read_to_string(&file).unwrap();
    for (link, outside) in ["src", "href"]
        .into_iter()
        .flat_map(|link| ["page/", "/", "http"].map(|outside| (link, outside)))
    {
        let outside = format!("{link}=\"{outside}");
        assert!(!html.contains(&outside), "{outside}");
    }
    let only = fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(only, 1);
    let named = dir.path().join("named.html");
    let write = run(dir.path(), &["serve", "--write", named.to_str().unwrap()]);
    assert_eq!(write.code, Some(0), "{}", write.err);
    assert_eq!(fs::read_to_string(&named).unwrap(), html);
    let ran = run(dir.path(), &["page", "--single", "--output", ".."]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot write ..: "), "{}", ran.err);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let ran = run(dir.path(), &["page", "--output", file.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("cannot write ") && ran.err.contains("index.html"),
        "{}",
        ran.err
    );
}

/// Files of a build are written with the same care (`atomic_write`).
#[cfg(unix)]
#[test]
fn links_pipes_and_a_full_disk_do_the_page_s_files_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("page");
    let victim = dir.path().join("victim");
    fs::write(&victim, "notes").unwrap();
    fs::create_dir_all(folder.join("page")).unwrap();
    let script = folder.join("page/page.js");
    std::os::unix::fs::symlink(&victim, &script).unwrap();
    let pipe = folder.join("page/page.css");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let args = ["page", "--output", folder.to_str().unwrap()];
    let ran = run(dir.path(), &args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(fs::read(&victim).unwrap(), b"notes");
    assert!(fs::symlink_metadata(&script).unwrap().is_file());
    assert!(fs::symlink_metadata(&pipe).unwrap().is_file());
    // The disk is full in the middle of a file of 212 KiB.
    let module = folder.join("page/puzzledb.wasm.gz");
    fs::write(&module, "the old one").unwrap();
    let output = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -f 400; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_puzzledb"),
        ])
        .args(args)
        .env("PUZZLEDB_DIR", dir.path())
        .output();
    let ran: crate::run::CommandResult = output.unwrap().into();
    assert!(
        ran.code == Some(2) && ran.err.contains("unchanged"),
        "{ran:?}"
    );
    assert_eq!(fs::read(&module).unwrap(), b"the old one");
    let hidden = |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes()[0] == b'.';
    for folder in [folder.clone(), folder.join("page")] {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        assert_eq!(entries.filter(hidden).count(), 0);
    }
}
