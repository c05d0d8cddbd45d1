//! No bytes of a client make the server panic or hang: sent as a request, and as the target and body of a
//! request that is well formed, in JSON and in lines of JSON.

use std::sync::LazyLock;
use std::time::Duration;

use puzzledb::oracle::Oracle;
use puzzledb_cli::serve::{Config, Offline, Tables};

static SERVER: LazyLock<Offline> = LazyLock::new(|| {
    let goal = "123456780".parse().unwrap();
    let oracle = Oracle::for_goal(&goal).unwrap();
    let mut config = Config::new("127.0.0.1:80".parse().unwrap());
    let run = &mut config.limits.run;
    (run.expansions, run.trace) = (Some(500), 50);
    (run.solutions, run.states) = (50, 0);
    run.time = Duration::from_millis(50);
    Offline::new(&config, Tables::new([oracle])).unwrap()
});

pub fn ask(bytes: &[u8]) {
    answered(bytes);
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let (target, body) = (parts.next().unwrap_or_default(), parts.next());
    let method = if body.is_some() { "POST" } else { "GET" };
    let body = body.unwrap_or_default();
    for media_type in ["application/json", "application/x-ndjson"] {
        let rest = format!(
            " HTTP/1.1\r\nhost: localhost\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        answered(&[method.as_bytes(), b" ", target, rest.as_bytes(), body].concat());
    }
}

/// Checks that the answer is one of the protocol and not an internal error of the server.
fn answered(request: &[u8]) {
    let answer = SERVER.answer(request);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."));
    let status = answer.get(9..12);
    assert_ne!(status, Some(&b"500"[..]), "{}", answer.escape_ascii());
}
