//! Promise: CONTRIBUTING.md and SECURITY.md name the files with `unsafe` code, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Adds the Rust files below a folder in which the lint against `unsafe` is off.
fn add_files(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && fs::read_to_string(&path).unwrap().contains(LINT)
        {
            found.insert(path.to_str().unwrap().replace('\\', "/"));
        }
    }
}

const LINT: &str = concat!("unsafe", "_code");

#[test]
fn every_file_with_unsafe_is_named_in_both_lists() {
    let mut files = BTreeSet::new();
    for folder in ["src", "cli", "wasm", "benches", "examples", "tests"] {
        add_files(Path::new(folder), &mut files);
    }
    assert!(!files.is_empty());
    for (page, begin, end) in [
        ("CONTRIBUTING.md", "`unsafe` is denied", "A test of"),
        ("SECURITY.md", "`unsafe` code", "`open` of the library"),
    ] {
        let text = fs::read_to_string(page).unwrap();
        let list = text
            .split(begin)
            .nth(1)
            .and_then(|rest| rest.split(end).next());
        let named = list
            .unwrap()
            .split('`')
            .filter(|word| word.ends_with(".rs"));
        let named: BTreeSet<String> = named.map(str::to_owned).collect();
        assert_eq!(named, files, "{page}");
    }
}
