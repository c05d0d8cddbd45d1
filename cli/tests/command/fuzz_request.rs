//! Promise: the requests that the fuzzer has kept are harmless.

use std::path::Path;

#[path = "../fuzz/request.rs"]
mod request;

#[test]
fn the_corpus_of_requests_is_harmless() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/request");
    let files = std::fs::read_dir(folder).unwrap();
    let inputs = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
    assert!(inputs.inspect(|input| request::ask(input)).count() >= 10);
}
