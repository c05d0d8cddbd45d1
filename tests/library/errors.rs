//! Promise: the error of a file has its cause.

use std::error::Error;

use puzzledb::Oracle;

/// Returns the last cause of an error.
fn root_cause(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), root_cause)
}

#[test]
fn the_cause_of_a_file_error_is_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Oracle::open(folder.path().join("3x3.pzdb")).unwrap_err();
    let expected = std::io::Error::from_raw_os_error(2).to_string();
    assert_eq!(root_cause(&missing), expected);
    let text = folder.path().join("text");
    std::fs::write(&text, "not a database").unwrap();
    let wrong = Oracle::open(&text).unwrap_err();
    assert!(wrong.to_string().ends_with(&root_cause(&wrong)), "{wrong}");
    assert!(wrong.to_string().len() > root_cause(&wrong).len());
}
