//! The page as files.

use std::fs;

use crate::run::run;

#[test]
fn the_page_is_written_with_relative_links_and_its_databases() {
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
    for blank in [8, 7, 4] {
        let path = folder.join(format!("page/3x3-{blank}.pzdb"));
        let ran = run(dir.path(), &["check", path.to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
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
