//! No bytes of a client make the server panic or hang: sent as a request, and as the target and body of a
//! request that is well formed, in JSON and in lines of JSON.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;

use puzzledb::oracle::Oracle;
use puzzledb_cli::serve::{Config, Server, Tables};

static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let goal = "123456780".parse().unwrap();
    let oracle = Oracle::for_goal(&goal).unwrap();
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    let run = &mut config.limits.run;
    (run.expansions, run.trace) = (Some(500), Some(50));
    (run.solutions, run.states) = (Some(50), Some(0));
    run.time = Some(Duration::from_millis(50));
    let server = Server::bind(&config, Tables::new([oracle])).unwrap();
    let address = server.address();
    std::thread::spawn(|| server.run());
    address
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
    let mut stream = TcpStream::connect(*SERVER).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let _ = stream.write_all(request); // the server may have stopped reading
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer) {
        assert_ne!(
            error.kind(),
            std::io::ErrorKind::WouldBlock,
            "the server hangs"
        );
    }
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."));
    let status = answer.get(9..12);
    assert_ne!(status, Some(&b"500"[..]), "{}", answer.escape_ascii());
}
