//! Server for a test, and a plain client for it.
#![allow(dead_code, reason = "each test program uses a part")]

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::run::puzzledb;
use super::wait::{failed, longest_run, until};

/// Server that runs until it is dropped.
pub struct Server {
    pub child: Child,
    pub address: String,
    pub err: Option<ChildStderr>,
}

impl Server {
    /// Starts the binary on a free port, with its databases in a folder and with these options.
    pub fn start(dir: &Path, options: &[&str]) -> Server {
        let mut command = puzzledb(dir);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command.args(options);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let err = child.stderr.take();
        let mut server = Server {
            child,
            address: String::new(),
            err,
        };
        let lines = std::thread::spawn(move || out.lines().next());
        until("the server listens, or has ended", || lines.is_finished());
        let line = lines.join().unwrap().map(Result::unwrap);
        let address = line.as_deref().unwrap_or_default();
        let address = address.strip_prefix("listening on http://");
        match address {
            Some(address) => server.address = address.to_owned(),
            None => panic!("{line:?}, {:?}", server.child.try_wait()),
        }
        server
    }

    pub fn connect(&self) -> TcpStream {
        connect(self.address.parse().unwrap())
    }

    /// Sends these bytes, and reads everything that comes back until the server closes the connection.
    pub fn raw(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        let _ = stream.write_all(request); // the server may have stopped reading
        rest(&mut stream)
    }

    /// Waits for the end of the server, and returns its exit code.
    pub fn ended(&mut self) -> Option<i32> {
        let mut status = None;
        until("the server ends", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap().code()
    }

    /// Sends a request with further headers (each ending in CR LF) and a body.
    pub fn ask(&self, method: &str, target: &str, headers: &str, body: &[u8]) -> Answer {
        let length = body.len();
        let host = &self.address;
        let mut request = format!(
            "{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-length: {length}\r\n{headers}\r\n"
        )
        .into_bytes();
        request.extend(body);
        Answer::read(&self.raw(&request))
    }

    pub fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, "", b"")
    }

    pub fn post(&self, target: &str, body: &str) -> Answer {
        self.ask("POST", target, "", body.as_bytes())
    }

    pub fn is_well(&self) -> bool {
        let answer = self.get("/healthz");
        answer.status == 200 && answer.body == b"ok\n"
    }

    /// Value of a metric without labels.
    pub fn metric(&self, name: &str) -> f64 {
        let text = String::from_utf8(self.get("/metrics").body).unwrap();
        let mut lines = text.lines();
        let value = lines.find_map(|line| line.strip_prefix(&format!("{name} ")));
        value.unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Connection with a server, whose silence has a limit.
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    let limit = longest_run().max(Duration::from_millis(1));
    stream.set_read_timeout(Some(limit)).unwrap();
    stream
}

/// Bytes received until the server closes the connection, or is silent for too long.
pub fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Err(error) = stream.read_to_end(&mut bytes)
        && matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
    {
        failed("the server answers"); // any other error, such as a reset, ends the connection
    }
    bytes
}

/// Answer of a server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn read(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut answer = Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head,
            body: bytes[end + 4..].to_vec(),
        };
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = joined(&answer.body);
        }
        answer
    }

    /// Lines of the body.
    pub fn lines(&self) -> Vec<Value> {
        let lines = self.body.split_inclusive(|&byte| byte == b'\n');
        lines
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }

    /// Value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (its, value) = line.split_once(": ")?;
            its.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }
}

/// Bytes in the chunks of a body, as far as they came.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunks.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&chunks[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        let rest = &chunks[end + 2..];
        body.extend(&rest[..length.min(rest.len())]);
        chunks = rest.get(length + 2..).unwrap_or_default();
    }
    body
}

/// Checks that the OpenAPI document describes an answer: its status, its media type, and the form of its JSON.
pub fn check(document: &Value, path: &str, method: &str, answer: &Answer) {
    let operation = &document["paths"][path][method];
    let described = &operation["responses"][answer.status.to_string()];
    let asked = format!("{method} {path}: {}", answer.status);
    assert!(described.is_object(), "{asked} is not described");
    let media = answer.header("content-type").unwrap();
    let media = media.split(';').next().unwrap();
    let schema = &described["content"][media]["schema"];
    assert!(!schema.is_null(), "{asked}: {media} is not described");
    let bodies = match media {
        "application/x-ndjson" => answer.lines(),
        media if media.ends_with("json") => vec![answer.json()],
        _ => vec![],
    };
    for body in bodies {
        if let Err(place) = fits(document, schema, &body) {
            panic!("{asked}: {place}\n{body}");
        }
    }
}

/// Checks that a value has the form of a schema: its type, one of several, the items, and no members but those that
/// it names.
fn fits(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(reference.trim_start_matches('#'));
        return fits(document, schema.ok_or(reference)?, value);
    }
    for (kind, most) in [("oneOf", 1), ("anyOf", usize::MAX)] {
        if let Some(choices) = schema[kind].as_array() {
            let misfits = choices.iter().map(|one| fits(document, one, value));
            let misfits: Vec<_> = misfits.filter_map(Result::err).collect();
            let fitting = choices.len() - misfits.len();
            return match (1..=most).contains(&fitting) {
                true => Ok(()),
                false => Err(format!("{fitting} of {} forms: {misfits:?}", choices.len())),
            };
        }
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        Value::Null => Vec::new(), // any
        one => vec![one.clone()],
    };
    let own = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_type = |one: &Value| one == own || (one == "number" && own == "integer");
    if !types.is_empty() && !types.iter().any(is_type) {
        return Err(format!("{value} is of no type of {types:?}"));
    }
    for item in value.as_array().into_iter().flatten() {
        fits(document, &schema["items"], item)?;
    }
    let (Some(members), Some(known)) = (value.as_object(), schema["properties"].as_object()) else {
        return Ok(());
    };
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        members.get(name).ok_or(format!("{name} is missing"))?;
    }
    for (name, member) in members {
        let schema = known.get(name).ok_or(format!("{name} is not described"))?;
        fits(document, schema, member).map_err(|place| format!("{name}: {place}"))?;
    }
    Ok(())
}
