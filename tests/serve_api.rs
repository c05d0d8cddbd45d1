//! Promise: the API answers with the truth, in the words of the command line, as its own document
//! describes it.

use std::io::{Read, Write};

use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::{Request, generate};
use puzzledb::table::Encoding;
use serde_json::{Value, json};

mod common;
#[path = "common/server.rs"]
mod server;
use common::{built, database, run, run_with_input};
use server::{Answer, Server};

/// What the command line prints, an object a line.
fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Holds an answer against what the document says of its route and status.
fn check(document: &Value, path: &str, method: &str, answer: &Answer) {
    let operation = &document["paths"][path][method];
    let described = &operation["responses"][answer.status.to_string()];
    assert!(
        described.is_object(),
        "{method} {path}: {} is not described",
        answer.status
    );
    let media = answer.header("content-type").unwrap();
    let media = media.split(';').next().unwrap();
    let mut schema = described["content"][media]["schema"].clone();
    assert!(
        !schema.is_null(),
        "{method} {path}: {media} is not described"
    );
    if media.ends_with("json") {
        schema["components"] = document["components"].clone();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let body = answer.json();
        let wrong: Vec<String> = validator
            .iter_errors(&body)
            .map(|e| e.to_string())
            .collect();
        assert!(wrong.is_empty(), "{method} {path}: {wrong:?}\n{body}");
    }
}

#[test]
fn answers_are_those_of_the_command_line() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let ask = |path: &str, target: &str| {
        let answer = server.get(target);
        assert_eq!(answer.status, 200, "{target}: {:?}", answer.json());
        check(&document, path, "get", &answer);
        answer.json()
    };
    let cli = |args: &[&str]| lines(&run(dir.path(), args).out).pop().unwrap();

    for (goal, board) in [
        ("123456780", "536407182"),
        ("123804765", "281043765"),
        ("012345678", "725310648"),
    ] {
        let with = format!("board={board}&goal={goal}");
        let command = |name| cli(&[name, board, "--goal", goal, "--json"]);
        let mut probe = command("probe");
        probe["goal"] = goal.into();
        assert_eq!(
            ask("/v1/{shape}/probe", &format!("/v1/3x3/probe?{with}")),
            probe
        );
        let solution = ask("/v1/{shape}/solution", &format!("/v1/3x3/solution?{with}"));
        assert_eq!(solution, command("solve"));
        let all = cli(&["solve", board, "--goal", goal, "--json", "--all"]);
        let solutions = ask(
            "/v1/{shape}/solutions",
            &format!("/v1/3x3/solutions?{with}"),
        );
        assert_eq!(solutions["moves"], all["all"]);
        assert_eq!(solutions["solutions"], all["solutions"]);
        let effort = ask(
            "/v1/effort",
            &format!("/v1/effort?{with}&algorithm=idastar&expanded=5"),
        );
        let args = [
            "effort",
            board,
            "--goal",
            goal,
            "--algorithm",
            "idastar",
            "--expanded",
            "5",
            "--json",
        ];
        assert_eq!(effort, cli(&args));
    }
    assert_eq!(
        ask(
            "/v1/{shape}/solutions",
            "/v1/3x3/solutions?board=536407182&limit=2"
        )["moves"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        ask("/v1/{shape}/stats", "/v1/3x3/stats"),
        cli(&["stats", "--json"])
    );
    let narrow = cli(&["stats", "--json", "--shape", "4x2", "--goal", "first"]);
    assert_eq!(ask("/v1/{shape}/stats", "/v1/4x2/stats?goal=first"), narrow);
}

#[test]
fn a_search_is_that_of_the_command_line_and_its_trace_is_too() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    for (query, args) in [
        (
            "board=208135467&trace=10000&order=URDL",
            vec!["208135467", "--order", "URDL"],
        ),
        (
            "board=536407182&trace=100&algorithm=greedy&heuristic=misplaced",
            vec!["536407182", "-a", "greedy", "--heuristic", "misplaced"],
        ),
        (
            "board=536407182&algorithm=weighted-astar&weight=1.5&trace=3",
            vec!["536407182", "-a", "weighted-astar", "--weight", "1.5"],
        ),
        (
            "board=704851632&algorithm=random-walk&seed=9&limit=500&trace=10",
            vec![
                "704851632",
                "-a",
                "random-walk",
                "--seed",
                "9",
                "--limit-expansions",
                "500",
            ],
        ),
        (
            "board=704851632&algorithm=bidirectional-astar&heuristic=pattern:1234&trace=10",
            vec![
                "704851632",
                "-a",
                "bidirectional-astar",
                "--heuristic",
                "pattern:1234",
            ],
        ),
        (
            "board=1,2,3,4,5,6,7,8,9,10,11,12,13,0,14,15&trace=9",
            vec!["1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15"],
        ),
    ] {
        let answer = server.get(&format!("/v1/search?{query}"));
        check(&document, "/v1/search", "get", &answer);
        let mut found = answer.json();
        let trace = found["trace"].take();
        let mut printed =
            lines(&run(dir.path(), &[&["search"][..], &args, &["--trace"]].concat()).out);
        let mut record = printed.pop().unwrap();
        printed.truncate(trace.as_array().unwrap().len());
        assert_eq!(trace, Value::from(printed), "{query}");
        record["seconds"] = Value::Null;
        found["seconds"] = Value::Null;
        found.as_object_mut().unwrap().remove("trace");
        assert_eq!(found, record, "{query}");
    }
    let plain = server.get("/v1/search?board=208135467").json();
    assert_eq!(plain.get("trace"), None);
}

#[test]
fn heuristics_are_set_beside_the_truth() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let answer = server.get("/v1/heuristics?board=870654321");
    check(&document, "/v1/heuristics", "get", &answer);
    let estimates = answer.json();
    assert_eq!(estimates["distance"], 26);
    let values = estimates["values"].as_array().unwrap();
    assert_eq!(values.len(), 12);
    for (name, value) in [
        ("manhattan", 20.0),
        ("perfect", 26.0),
        ("linear-conflict-naive", 28.0),
    ] {
        assert!(
            values.contains(&json!({"heuristic": name, "value": value})),
            "{values:?}"
        );
    }
    let large = server.get("/v1/heuristics?board=123456789abcde0f").json();
    assert_eq!(large["distance"], Value::Null);
    assert_eq!(large["values"].as_array().unwrap().len(), 11);
}

#[test]
fn many_boards_are_solved_and_claims_are_judged() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let boards = ["704851632", "123456870", "12345678", "1 2 3 4 5 6 7 0 8"];
    let answer = server.post("/v1/3x3/solve", &json!({ "boards": boards }).to_string());
    check(&document, "/v1/{shape}/solve", "post", &answer);
    let solutions = answer.json()["solutions"].clone();
    assert_eq!(solutions.as_array().unwrap().len(), 4);
    assert_eq!(
        solutions[0],
        lines(&run(dir.path(), &["solve", boards[0], "--json"]).out)[0]
    );
    assert!(solutions[1]["error"].as_str().unwrap().contains("(parity)"));
    assert_eq!(solutions[2]["board"], "12345678");
    assert!(solutions[2]["error"].as_str().unwrap().contains("8 cells"));
    assert_eq!(solutions[3]["moves"], "R");

    for (query, args, text) in [
        (
            "",
            vec![],
            "# mine\n704851632 19\n\n536407182 24\n123456870 unsolvable\n",
        ),
        (
            "?fix=true",
            vec!["--fix"],
            "board,length,path\n704851632,19,RDDLLUURRDDLLUURRDD\n123405786,4,LRDR\n",
        ),
        ("?moves=tile", vec!["--moves", "tile"], "123405786 UL\n"),
        (
            "?goal=first",
            vec!["--goal", "first"],
            "[{\"board\": \"125340678\", \"moves\": \"ULL\"}]",
        ),
        (
            "?goal=first&board=125340678",
            vec!["--goal", "first", "--board", "125340678"],
            "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\n",
        ),
    ] {
        let answer = server.post(&format!("/v1/3x3/verify{query}"), text);
        check(&document, "/v1/{shape}/verify", "post", &answer);
        let verified = answer.json();
        let args = [&["verify", "-", "--json"][..], &args].concat();
        let mut printed = lines(&run_with_input(dir.path(), &args, text.as_bytes()).out);
        let summary = printed.pop().unwrap();
        assert_eq!(verified["summary"], summary["summary"], "{text}");
        assert_eq!(verified["records"], Value::from(printed), "{text}");
    }
    let verified = server
        .post("/v1/3x3/verify", "704851632 19\n70485163 3\n")
        .json();
    assert_eq!(verified["errors"][0]["line"], 2);
    assert_eq!(verified["summary"]["unreadable"], 1);
}

#[test]
fn boards_are_drawn_as_generate_draws_them() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let oracle = Oracle::in_memory(&"123456780".parse().unwrap()).unwrap();
    for distance in [0, 1, 25, 31] {
        let target = format!("/v1/3x3/random?distance={distance}&seed=7");
        let answer = server.get(&target);
        check(&document, "/v1/{shape}/random", "get", &answer);
        let request = Request {
            distances: distance..=distance,
            unique: false,
            count: 1,
            seed: 7,
        };
        let board = generate(&oracle, &request).unwrap()[0].to_string();
        let expected =
            json!({"board": board, "goal": "123456780", "distance": distance, "seed": 7});
        assert_eq!(answer.json(), expected);
    }
    let (one, other) = (
        server.get("/v1/3x3/random").json(),
        server.get("/v1/3x3/random").json(),
    );
    assert_ne!(one["seed"], other["seed"]);
    let again = server.get(&format!("/v1/3x3/random?seed={}", one["seed"]));
    assert_eq!(again.json(), one);
}

#[test]
fn the_database_is_served_whole_in_part_and_in_either_encoding() {
    let dir = built();
    let server = Server::start(dir.path(), &["--shapes", "3x3"]);
    let full = database(3, 3, Encoding::Full);
    let bit = database(3, 3, Encoding::Bit);
    let whole = server.get("/v1/3x3/database");
    assert_eq!((whole.status, &whole.body), (200, &full));
    assert_eq!(server.get("/v1/3x3/database?encoding=full").body, full);
    assert_eq!(
        server.get("/v1/3x3/database?encoding=bit&goal=first").body,
        bit
    );
    let tag = whole.header("etag").unwrap();
    assert_ne!(
        Some(tag),
        server.get("/v1/3x3/database?encoding=bit").header("etag")
    );
    let part = |headers: &str| server.ask("GET", "/v1/3x3/database", headers, b"");
    let middle = part("range: bytes=100-199\r\n");
    assert_eq!((middle.status, &middle.body[..]), (206, &full[100..200]));
    assert_eq!(middle.header("content-range"), Some("bytes 100-199/164144"));
    assert_eq!(part("range: bytes=-8\r\n").body, full[full.len() - 8..]);
    assert_eq!(
        part(&format!("range: bytes=0-0\r\nif-range: {tag}\r\n")).status,
        206
    );
    assert_eq!(
        part("range: bytes=0-0\r\nif-range: \"other\"\r\n").status,
        200
    );
    let beyond = part("range: bytes=164144-\r\n");
    assert_eq!(beyond.status, 416);
    assert_eq!(beyond.header("content-range"), Some("bytes */164144"));
    assert_eq!(part(&format!("if-none-match: {tag}\r\n")).status, 304);
    let head = server.ask("HEAD", "/v1/3x3/database", "", b"");
    assert_eq!(
        (head.status, head.header("content-length")),
        (200, Some("164144"))
    );
    assert!(head.body.is_empty());
}

#[test]
fn what_never_changes_need_not_be_fetched_twice() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    for target in [
        "/v1/3x3/probe?board=704851632",
        "/v1/3x3/solution?board=704851632",
        "/v1/3x3/solutions?board=704851632",
        "/v1/3x3/stats",
        "/v1/effort?board=704851632",
        "/v1/heuristics?board=704851632",
        "/",
        "/docs",
        "/openapi.json",
    ] {
        let first = server.get(target);
        let tag = first.header("etag").unwrap_or_else(|| panic!("{target}"));
        assert!(tag.starts_with('"') && tag.len() == 34, "{tag}");
        let again = server.ask("GET", target, &format!("if-none-match: {tag}\r\n"), b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{target}");
        assert_eq!(again.header("etag"), Some(tag));
        let other = server.ask("GET", target, "if-none-match: \"other\"\r\n", b"");
        assert_eq!(other.body, first.body);
    }
    let fleeting = server.get("/v1/3x3/random");
    assert_eq!(fleeting.header("cache-control"), Some("no-store"));
}

#[test]
fn what_is_refused_is_refused_with_the_reason() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let many = json!({ "boards": vec!["123456780"; 1001] }).to_string();
    let claims = "123456780 0\n".repeat(10_001);
    for (method, path, target, body, status, words) in [
        (
            "get",
            "/v1/{shape}/probe",
            "/v1/3x3/probe?board=12345678",
            "",
            400,
            "8 cells",
        ),
        (
            "get",
            "/v1/{shape}/probe",
            "/v1/3x3/probe?board=112345670",
            "",
            400,
            "tile 1 is there twice",
        ),
        (
            "get",
            "/v1/{shape}/probe",
            "/v1/3x3/probe",
            "",
            400,
            "board",
        ),
        (
            "get",
            "/v1/{shape}/probe",
            "/v1/3x3/probe?board=123456780&goul=first",
            "",
            400,
            "goul",
        ),
        (
            "get",
            "/v1/{shape}/probe",
            "/v1/3x3/probe?board=123456780&board=123456780",
            "",
            400,
            "duplicate",
        ),
        (
            "get",
            "/v1/{shape}/probe",
            "/v1/3x3/probe?board=123456780&goal=middle",
            "",
            400,
            "last, first or spiral",
        ),
        (
            "get",
            "/v1/{shape}/probe",
            "/v1/3x3/probe?board=123456870",
            "",
            422,
            "123456870 cannot be solved",
        ),
        (
            "get",
            "/v1/{shape}/solution",
            "/v1/3x3/solution?board=123456870",
            "",
            422,
            "123804765",
        ),
        (
            "get",
            "/v1/{shape}/solution",
            "/v1/1x3/solution?board=1",
            "",
            404,
            "2 or more",
        ),
        (
            "get",
            "/v1/{shape}/solution",
            "/v1/3x4/solution?board=123456789ab0",
            "",
            404,
            "--shapes 3x4",
        ),
        (
            "get",
            "/v1/{shape}/solution",
            "/v1/5x5/solution?board=1",
            "",
            404,
            "16 cells",
        ),
        (
            "get",
            "/v1/{shape}/solution",
            "/v1/%FF/solution?board=1",
            "",
            400,
            "UTF-8",
        ),
        (
            "get",
            "/v1/{shape}/solutions",
            "/v1/3x3/solutions?board=704851632&limit=1001",
            "",
            400,
            "1000 at most",
        ),
        (
            "get",
            "/v1/{shape}/random",
            "/v1/3x3/random?distance=32",
            "",
            400,
            "31",
        ),
        (
            "get",
            "/v1/{shape}/random",
            "/v1/3x3/random?distance=x",
            "",
            400,
            "distance",
        ),
        (
            "get",
            "/v1/{shape}/database",
            "/v1/3x3/database?encoding=gz",
            "",
            400,
            "`bit`",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=123456870",
            "",
            422,
            "parity",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=704851632&algorithm=a*",
            "",
            400,
            "best-first-depth",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=704851632&heuristic=best",
            "",
            400,
            "linear-conflict",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=704851632&weight=-1",
            "",
            400,
            "0 to 1000",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=704851632&order=UUDL",
            "",
            400,
            "once",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=704851632&limit=1000001",
            "",
            400,
            "1000000 at most",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=704851632&trace=10001",
            "",
            400,
            "10000 at most",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=704851632&heuristic=pattern:12345678",
            "",
            400,
            "fewer tiles",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=123456789abcde0f&heuristic=perfect",
            "",
            400,
            "too large",
        ),
        (
            "get",
            "/v1/search",
            "/v1/search?board=123456789ab0&shape=3x4&heuristic=perfect",
            "",
            400,
            "too large",
        ),
        (
            "get",
            "/v1/effort",
            "/v1/effort?board=704851632&algorithm=beam",
            "",
            400,
            "not for beam",
        ),
        (
            "get",
            "/v1/effort",
            "/v1/effort?board=123456789abcde0f",
            "",
            404,
            "--shapes 4x4",
        ),
        (
            "post",
            "/v1/{shape}/solve",
            "/v1/3x3/solve",
            "{\"boards\": 5}",
            400,
            "boards",
        ),
        (
            "post",
            "/v1/{shape}/solve",
            "/v1/3x3/solve",
            "",
            400,
            "boards",
        ),
        (
            "post",
            "/v1/{shape}/solve",
            "/v1/3x3/solve",
            &many,
            413,
            "1000 at most",
        ),
        (
            "post",
            "/v1/{shape}/verify",
            "/v1/3x3/verify",
            "",
            400,
            "no claim",
        ),
        (
            "post",
            "/v1/{shape}/verify",
            "/v1/3x3/verify?moves=up",
            "704851632 19",
            400,
            "numbers",
        ),
        (
            "post",
            "/v1/{shape}/verify",
            "/v1/3x3/verify",
            &claims,
            413,
            "10000 at most",
        ),
    ] {
        let answer = server.ask(&method.to_uppercase(), target, "", body.as_bytes());
        assert_eq!(answer.status, status, "{target}: {:?}", answer.json());
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json")
        );
        check(&document, path, method, &answer);
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(words), "{target}: {detail}");
    }
    for (method, target, status) in [
        ("GET", "/nothing", 404),
        ("GET", "/v1/3x3/nothing", 404),
        ("POST", "/v1/3x3/probe?board=704851632", 405),
        ("GET", "/v1/3x3/solve", 405),
        ("DELETE", "/", 405),
    ] {
        let answer = server.ask(method, target, "", b"");
        assert_eq!(
            (answer.status, answer.json()["status"].as_u64()),
            (status, Some(status.into()))
        );
        assert_eq!(
            answer.header("allow").is_some(),
            status == 405,
            "{method} {target}"
        );
    }
}

#[test]
fn every_route_is_described_and_every_description_is_on_the_page_for_people() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    assert_eq!(document["openapi"].as_str().unwrap(), "3.1.0");
    let docs = String::from_utf8(server.get("/docs").body).unwrap();
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 13, "{:?}", paths.keys());
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(
                docs.contains(&format!("{} {path}", method.to_uppercase())),
                "{path}"
            );
            assert!(operation["summary"].is_string(), "{path}");
        }
    }
    for tried in docs.split("Try <a href=\"").skip(1) {
        let target = tried.split('"').next().unwrap().replace("&amp;", "&");
        assert_eq!(server.get(&target).status, 200, "{target}");
    }
    for outside in ["http:", "https:", "<script", "style="] {
        assert!(!docs.contains(outside), "{outside}");
    }
}

#[test]
fn a_page_of_another_origin_may_ask_only_with_cors() {
    let dir = built();
    let preflight = "origin: http://other.example\r\naccess-control-request-method: POST\r\n";
    for (options, allowed) in [(&[][..], None), (&["--cors"][..], Some("*"))] {
        let server = Server::start(dir.path(), options);
        let answer = server.get("/v1/3x3/probe?board=704851632");
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
        let answer = server.ask("OPTIONS", "/v1/3x3/solve", preflight, b"");
        assert_eq!(answer.status, if allowed.is_some() { 204 } else { 405 });
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
    }
}

#[test]
fn answers_are_for_this_machine_and_for_nothing_but_what_they_say() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let ask = |host: &str| {
        let request = format!("GET / HTTP/1.1\r\n{host}connection: close\r\n\r\n");
        Answer::read(&server.raw(request.as_bytes()))
    };
    for host in ["localhost", "127.0.0.1:99", "[::1]"] {
        assert_eq!(ask(&format!("host: {host}\r\n")).status, 200, "{host}");
    }
    let rebound = ask("host: evil.example\r\n");
    assert_eq!(rebound.status, 421);
    assert_eq!(ask("").status, 400);
    for answer in [ask("host: localhost\r\n"), rebound] {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'self'; img-src 'self' blob: data:"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("same-origin")
        );
    }
}

#[test]
fn requests_are_counted_and_written_to_the_log() {
    let dir = built();
    let mut server = Server::start(dir.path(), &["--log"]);
    server.get("/v1/3x3/probe?board=704851632");
    server.get("/v1/3x3/probe?board=1");
    server.get("/no%22thing");
    let metrics = String::from_utf8(server.get("/metrics").body).unwrap();
    for line in [
        "puzzledb_requests_total{route=\"/v1/{shape}/probe\",status=\"200\"} 1\n",
        "puzzledb_requests_total{route=\"/v1/{shape}/probe\",status=\"400\"} 1\n",
        "puzzledb_requests_total{route=\"other\",status=\"404\"} 1\n",
        "puzzledb_request_seconds_bucket{route=\"/v1/{shape}/probe\",le=\"+Inf\"} 2\n",
        "puzzledb_request_seconds_count{route=\"other\"} 1\n",
        "puzzledb_requests_in_flight 1\n",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    assert!(server.metric("puzzledb_uptime_seconds") > 0.0);
    let mut err = server.err.take().unwrap();
    drop(server);
    let mut log = String::new();
    err.read_to_string(&mut log).unwrap();
    let log = lines(&log);
    assert_eq!(log.len(), 5);
    assert_eq!(log[0]["uri"], "/v1/3x3/probe?board=704851632");
    assert_eq!(
        (&log[1]["status"], &log[1]["method"]),
        (&json!(400), &json!("GET"))
    );
    assert!(log[2]["time"].as_f64().unwrap() > 1.7e9);
}

/// A search that takes its whole two seconds: 80 moves with a weak heuristic.
#[cfg(unix)]
const LONG: &[u8] =
    b"GET /v1/search?board=0fc9d8be4732615a&algorithm=idastar&heuristic=gaschnig HTTP/1.1\r\n\
                      host: localhost\r\n\r\n";

#[test]
#[cfg(unix)]
fn a_server_that_is_told_to_stop_finishes_what_it_has_begun() {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = built();
    for (signal, twice, code) in [
        (Signal::TERM, false, 0),
        (Signal::INT, false, 0),
        (Signal::INT, true, 130),
    ] {
        let mut server = Server::start(dir.path(), &[]);
        let idle = server.connect();
        let mut stream = server.connect();
        stream.write_all(LONG).unwrap();
        while server.metric("puzzledb_requests_in_flight") < 2.0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let pid = Pid::from_child(&server.child);
        kill_process(pid, signal).unwrap();
        if twice {
            std::thread::sleep(std::time::Duration::from_millis(100));
            kill_process(pid, signal).unwrap();
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert_eq!(server.child.wait().unwrap().code(), Some(code));
        if !twice {
            let answer = Answer::read(&answer);
            assert_eq!(answer.status, 200);
            assert_eq!(answer.json()["solved"], false);
        }
        drop(idle);
    }
}

#[test]
fn what_cannot_be_served_is_said() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let taken = run(dir.path(), &["serve", "--listen", &server.address]);
    assert_eq!(taken.code, Some(2));
    assert!(
        taken.err.contains("cannot listen at 127.0.0.1:"),
        "{}",
        taken.err
    );
    let shape = run(
        dir.path(),
        &["serve", "--listen", "127.0.0.1:0", "--shapes", "3x3,5x5"],
    );
    assert_eq!(shape.code, Some(2));
    assert!(shape.err.contains("16 cells"), "{}", shape.err);
    let large = run(
        dir.path(),
        &["serve", "--listen", "127.0.0.1:0", "--shapes", "3x4"],
    );
    assert_eq!(large.code, Some(3));
    assert!(
        large.err.contains("puzzledb build --shape 3x4"),
        "{}",
        large.err
    );
}
