//! Promise: the work for a request ends when no client waits for it.

use std::net::{Shutdown, SocketAddr};
use std::time::Duration;

use puzzledb::oracle::Oracle;
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::UsualGoal;
use puzzledb_cli::serve::{Config, Tables};

use crate::serve_limits::{send, start};
use crate::server::{Answer, rest};
use crate::wait::until;

/// Board of 80 moves, which takes hours with patterns of three tiles.
const HARD: &str = "15,14,8,12,10,11,9,13,2,6,5,1,3,7,4,0";

/// Starts a server with one heavy permit and with no limit on the work but the deadline.
fn serve(work_time: Duration) -> SocketAddr {
    let goal = UsualGoal::First.board("4x4".parse().unwrap());
    let partition = Partition::new(&goal, &"3".parse().unwrap()).unwrap();
    let patterns = Patterns::build(&partition).unwrap();
    let oracle = Oracle::from_database(patterns, &goal).unwrap();
    let table = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    let tables = Tables::new([table, oracle]);
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    let limits = &mut config.limits;
    limits.heavy = 1;
    limits.heavy_wait = Duration::from_secs(60);
    limits.work_time = work_time;
    limits.visited = u64::MAX;
    limits.run.expansions = None;
    limits.run.time = None;
    start(&config, tables)
}

const AN_HOUR: Duration = Duration::from_secs(3600);

/// Requests whose work takes hours.
fn endless() -> Vec<String> {
    let get = |target: String| {
        format!("GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    };
    let post = |target: &str, kind: &str, body: String| {
        let length = body.len();
        format!(
            "POST {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {kind}\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
    };
    let lines = format!("\"{HARD}\"\n").repeat(3);
    vec![
        get(format!("/v1/4x4/probe?goal=first&board={HARD}")),
        get(format!("/v1/4x4/solution?goal=first&board={HARD}")),
        get("/v1/search?board=g9038ocj527ifam4bld1hkne6&algorithm=idastar".to_owned()),
        post("/v1/4x4/solve?goal=first", "application/x-ndjson", lines),
        post(
            "/v1/4x4/probe?goal=first",
            "application/json",
            format!("{{\"boards\": [\"{HARD}\", \"{HARD}\"]}}"),
        ),
        post(
            "/v1/4x4/verify?goal=first",
            "text/plain",
            format!("{HARD} 80\n"),
        ),
    ]
}

fn get(address: SocketAddr, target: &str) -> Answer {
    let request = format!("GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    Answer::read(&rest(&mut send(address, &request)))
}

/// Number of heavy requests at work.
fn working(address: SocketAddr) -> usize {
    let text = String::from_utf8(get(address, "/metrics").body).unwrap();
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix("puzzledb_heavy_permits_in_use "));
    value.unwrap().parse().unwrap()
}

#[test]
#[ignore = "full run"]
fn work_ends_soon_after_its_client_is_gone() {
    let address = serve(AN_HOUR);
    for (i, request) in endless().iter().enumerate() {
        let client = send(address, request);
        until("the work begins", || working(address) == 1);
        match i % 2 {
            0 => drop(client),
            _ => client.shutdown(Shutdown::Write).unwrap(), // it will send nothing more
        }
        until("the work ends", || working(address) == 0);
        let next = get(address, "/v1/3x3/random?distance=20&seed=1");
        assert_eq!(next.status, 200, "{request}");
    }
}

#[test]
#[ignore = "full run"]
fn work_ends_at_the_deadline() {
    let address = serve(Duration::from_millis(200));
    for request in endless() {
        let answer = Answer::read(&rest(&mut send(address, &request)));
        until("the work ends", || working(address) == 0);
        let problem = match answer.status {
            200 => answer.lines().pop().unwrap(), // lines have begun
            _ => answer.json(),
        };
        assert_eq!(problem["status"], 503, "{request}: {problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("takes longer than 200ms"), "{detail}");
    }
}

/// Client of the first request keeps waiting. Requests whose clients are gone before their turn leave no work.
#[test]
#[ignore = "full run"]
fn work_that_is_waited_for_goes_on() {
    let address = serve(AN_HOUR);
    let requests = endless();
    let client = send(address, &requests[0]);
    until("the work begins", || working(address) == 1);
    for request in &requests[1..] {
        drop(send(address, request));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(working(address), 1);
    drop(client);
    until("all work ends", || working(address) == 0);
    assert_eq!(get(address, "/v1/3x3/random?seed=1").status, 200);
}
