//! Promise: no request occupies the server for longer than its limits allow.

use std::cell::RefCell;
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use puzzledb::oracle::Oracle;
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::{Board, UsualGoal, random_board};
use puzzledb_cli::serve::{Config, Limits, Server, Tables};
use serde_json::Value;

use crate::server::{Answer, check, connect, rest};
use crate::wait::until;

/// Starts a server with other limits than the usual ones and returns its address.
pub fn serve(tables: Tables, change: impl FnOnce(&mut Limits)) -> SocketAddr {
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    change(&mut config.limits);
    start(&config, tables)
}

/// Starts a server with these settings and returns its address.
pub fn start(config: &Config, tables: Tables) -> SocketAddr {
    let server = Server::bind(config, tables).unwrap();
    let address = server.address();
    std::thread::spawn(|| server.run().unwrap());
    address
}

pub fn eight_puzzle() -> Tables {
    let table = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    Tables::new([table])
}

/// Tables of a server without files: boards of the class of the oracle's goal are solved by searches.
fn without_tables(oracle: Oracle) -> Tables {
    Tables::new([oracle])
}

fn by_6_6_3(goal: &Board) -> Oracle {
    let partition = Partition::new(goal, &"6-6-3".parse().unwrap()).unwrap();
    Oracle::from_database(Patterns::build(&partition).unwrap(), goal).unwrap()
}

pub fn send(address: SocketAddr, request: &str) -> TcpStream {
    let mut stream = connect(address);
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

pub fn post(address: SocketAddr, target: &str, content_type: &str, body: &str) -> TcpStream {
    let length = body.len();
    let request = format!(
        "POST {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: {content_type}\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    send(address, &request)
}

pub fn get(address: SocketAddr, target: &str) -> TcpStream {
    let request = format!("GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    send(address, &request)
}

pub fn answer(mut stream: TcpStream) -> Answer {
    Answer::read(&rest(&mut stream))
}

#[test]
fn the_work_for_a_request_has_a_deadline() {
    let address = serve(eight_puzzle(), |limits| limits.work_time = Duration::ZERO);
    for (route, content_type, body) in [
        ("solve", "application/json", "{\"boards\": [\"704851632\"]}"),
        ("verify", "text/plain", "704851632 19"),
    ] {
        let answer = answer(post(
            address,
            &format!("/v1/3x3/{route}"),
            content_type,
            body,
        ));
        assert_eq!(answer.status, 503);
        let detail = answer.json()["detail"].to_string();
        assert!(detail.contains("takes longer than 0ns"), "{detail}");
    }
}

#[test]
fn lines_end_with_the_deadline_whether_they_are_read_or_not() {
    let address = serve(eight_puzzle(), |limits| {
        limits.work_time = Duration::from_millis(100);
        limits.heavy = 1;
    });
    let ask = |boards: usize| {
        let body = "647850321\n".repeat(boards);
        post(address, "/v1/3x3/solve", "application/x-ndjson", &body)
    };
    let mut unread = ask(100_000); // the other is answered when the time of this one is over
    let read = answer(ask(100_000));
    assert_eq!(read.status, 200);
    let lines = read.lines();
    assert!(lines.len() < 100_000);
    assert_eq!(lines.last().unwrap()["status"], 503, "an end that is none");
    let bytes = rest(&mut unread);
    if bytes.ends_with(b"0\r\n\r\n") {
        assert_eq!(Answer::read(&bytes).lines().last().unwrap()["status"], 503);
    }
    until("a board is answered in its time", || {
        answer(ask(1)).lines()[0]["distance"] == 31
    });
}

/// Limits of one request or one heavy request: the second is refused with `Retry-After`.
#[test]
#[ignore = "full run"]
fn requests_that_are_too_many_are_put_off() {
    for (in_flight, target) in [(1, "/healthz"), (9, "/v1/search?board=704851632")] {
        let address = serve(eight_puzzle(), |limits| {
            limits.in_flight = in_flight;
            limits.heavy = 1;
            limits.heavy_wait = Duration::from_millis(50);
            limits.run.expansions = None; // IDA* takes hours for a random board of the 24-puzzle
        });
        let ask_short = || answer(get(address, target));
        // The short request may arrive first, and then the long one is refused: send both again.
        let long = RefCell::new(Vec::new());
        until("a request is put off", || {
            let search = "/v1/search?board=g9038ocj527ifam4bld1hkne6&algorithm=idastar";
            long.borrow_mut().push(get(address, search));
            std::thread::sleep(Duration::from_millis(100));
            let answer = ask_short();
            answer.status == 503 && answer.header("retry-after") == Some("1")
        });
        let mut answers = long
            .into_inner()
            .into_iter()
            .map(|asked| answer(asked).json());
        assert!(answers.any(|found| found["failure"] == "time"));
        until("requests are answered again", || ask_short().status == 200);
    }
}

/// Boards whose search would visit too many boards are answered with a solution and bounds.
#[test]
fn a_board_that_takes_too_long_has_bounds() {
    let goal = UsualGoal::Last.board("4x4".parse().unwrap());
    let tables = without_tables(Oracle::by_search(&goal).unwrap());
    let address = serve(tables, |limits| limits.visited = 1);
    let hard = random_board(&goal, 1);
    let distance = |ask: &str| {
        let answer = answer(get(address, ask));
        assert_eq!(answer.status, 200, "{ask}: {}", answer.json());
        answer.json()["distance"].clone()
    };
    assert_eq!(distance("/v1/4x4/probe?board=123456789abcde0f"), 1);
    assert!(distance(&format!("/v1/heuristics?board={hard}")).is_null());
    let document = answer(get(address, "/openapi.json")).json();
    for route in ["solve", "probe", "solutions"] {
        let solution = answer(get(address, &format!("/v1/4x4/{route}?board={hard}")));
        check(
            &document,
            &format!("/v1/{{shape}}/{route}"),
            "get",
            &solution,
        );
        let solution = solution.json();
        let bound = |name: &str| solution[name].as_u64().unwrap();
        assert!(
            30 <= bound("at_least") && bound("at_least") <= bound("at_most"),
            "{solution}"
        );
        assert_eq!(
            bound("at_most") as usize,
            solution["moves"].as_str().unwrap().len()
        );
        let proved = bound("at_least") == bound("at_most");
        assert_eq!(solution["distance"].is_null(), !proved);
    }
}

/// Korf's 28th board, whose 31 solutions take more boards to count than this server visits.
#[test]
fn a_board_whose_solutions_take_too_long_to_count_is_solved() {
    let goal = UsualGoal::First.board("4x4".parse().unwrap());
    let tables = without_tables(by_6_6_3(&goal));
    let address = serve(tables, |limits| limits.visited = 30_000);
    let board = "de6c451093a2fb87";
    let query = format!("board={board}&goal={goal}");
    let solution = answer(get(address, &format!("/v1/4x4/solution?{query}"))).json();
    assert_eq!(
        (&solution["distance"], &solution["solution_count"]),
        (&52.into(), &Value::Null)
    );
    let solutions = answer(get(address, &format!("/v1/4x4/solutions?{query}"))).json();
    assert_eq!(solutions["solution_count"], Value::Null);
    assert_eq!(
        solutions["solutions"],
        Value::from(vec![solution["moves"].clone()])
    );
    let probe = answer(get(address, &format!("/v1/4x4/probe?{query}"))).json();
    assert_eq!(
        (&probe["distance"], &probe["solution_count"]),
        (&52.into(), &Value::Null)
    );
    let body = format!("{{\"boards\": [\"{board}\"]}}");
    let target = format!("/v1/4x4/solve?goal={goal}");
    let solved = answer(post(address, &target, "application/json", &body)).json();
    assert_eq!(solved["solutions"][0], solution);
}

/// Patterns that solve boards are a heuristic of searches too, however large they are.
#[test]
fn patterns_that_are_there_need_no_memory_of_a_search() {
    let goal = UsualGoal::First.board("4x4".parse().unwrap());
    let address = serve(without_tables(by_6_6_3(&goal)), |limits| {
        limits.run.pattern_memory = Some(0)
    });
    let search = |patterns: &str| {
        let board = "de6c451093a2fb87";
        let query = format!("board={board}&goal={goal}&heuristic=patterns:{patterns}");
        answer(get(address, &format!("/v1/search?{query}")))
    };
    let found = search("6-6-3").json();
    assert_eq!(
        (&found["length"], &found["distance"]),
        (&52.into(), &52.into())
    );
    let refused = search("5-5-5");
    assert_eq!(refused.status, 400);
    assert!(
        refused.json()["detail"]
            .to_string()
            .contains("too large here")
    );
}
