//! Probes that a server answers in a second, and the time of each. The clients are on the same
//! machine and keep their connections.
//!
//! `cargo bench --bench serve`, or `-- --connections 64 --seconds 5`.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::Request;
use puzzledb::puzzle::{Shape, UsualGoal};
use puzzledb_cli::serve::{Config, Server, Tables};

fn main() {
    let connections = option("--connections", 32);
    let time = Duration::from_secs(option("--seconds", 3));
    let goal = UsualGoal::Last.board(Shape::EIGHT_PUZZLE);
    let oracle = Oracle::for_goal(&goal).unwrap();
    let request = Request::new(0..=31, 10_000, 1);
    let boards: Vec<String> = oracle
        .generate(&request)
        .unwrap()
        .iter()
        .map(|board| board.to_string())
        .collect();
    let address = serve(oracle);
    for what in ["probe", "solution"] {
        measure(what, &boards, address, connections as usize, time);
    }
}

/// The number after an option of the command line.
fn option(name: &str, default: u64) -> u64 {
    let args: Vec<String> = std::env::args().collect();
    let at = args.iter().position(|arg| arg == name);
    let value = at.and_then(|at| args.get(at + 1)?.parse().ok());
    value.unwrap_or(default)
}

fn serve(oracle: Oracle) -> SocketAddr {
    let config = Config::new(SocketAddr::from(([127, 0, 0, 1], 0)));
    let server = Server::bind(&config, Tables::new([oracle])).unwrap();
    let address = server.address();
    std::thread::spawn(|| server.run().unwrap());
    address
}

/// Sends requests on many connections at once, one after the other on each, and prints the figures.
fn measure(what: &str, boards: &[String], address: SocketAddr, connections: usize, time: Duration) {
    let begun = Instant::now();
    let mut took: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..connections)
            .map(|first| {
                let boards = boards.iter().cycle().skip(first * 37);
                scope.spawn(move || client(what, boards, address, begun + time))
            })
            .collect();
        let all = clients.into_iter().map(|client| client.join().unwrap());
        all.flatten().collect()
    });
    let rate = took.len() as f64 / begun.elapsed().as_secs_f64();
    took.sort_unstable();
    let part = |share: f64| took[(share * (took.len() - 1) as f64) as usize];
    println!(
        "{what:<8}  {connections} connections  {rate:>9.0} a second  median {:?}  p99 {:?}  most {:?}",
        part(0.5),
        part(0.99),
        part(1.0)
    );
}

/// Times of the answers on one connection, until an instant.
fn client<'a>(
    what: &str,
    boards: impl Iterator<Item = &'a String>,
    address: SocketAddr,
    end: Instant,
) -> Vec<Duration> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let (mut took, mut buffer) = (Vec::new(), Vec::with_capacity(4096));
    for board in boards {
        let begun = Instant::now();
        if begun > end {
            break;
        }
        let request =
            format!("GET /v1/3x3/{what}?board={board} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        read_answer(&mut stream, &mut buffer);
        took.push(begun.elapsed());
    }
    took
}

/// Reads an answer to its end. The status must be 200.
fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) {
    buffer.clear();
    let mut piece = [0; 4096];
    loop {
        let read = stream.read(&mut piece).unwrap();
        assert!(read > 0, "the server hung up");
        buffer.extend(&piece[..read]);
        let text = std::str::from_utf8(buffer).unwrap();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            assert!(head.starts_with("HTTP/1.1 200"), "{text}");
            let (_, length) = head.split_once("content-length: ").unwrap();
            let length: usize = length.lines().next().unwrap().parse().unwrap();
            if body.len() >= length {
                return;
            }
        }
    }
}
