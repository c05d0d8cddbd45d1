//! Promise: the server serves HTTP as browsers and programs expect it: tags, origins, logs, signals.

#[cfg(unix)]
use std::io::{Read, Write};

use puzzledb::table::Encoding;
#[cfg(unix)]
use serde_json::{Value, json};

use crate::bytes::database;
use crate::run::{built, run};
use crate::server::{Answer, Server, check};
#[cfg(unix)]
use crate::wait::until;

/// Objects that the command line prints, one a line.
#[cfg(unix)]
fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_database_is_served_in_either_encoding() {
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
    let known = format!("if-none-match: {tag}\r\n");
    let again = server.ask("GET", "/v1/3x3/database", &known, b"");
    assert_eq!(again.status, 304);
    let head = server.ask("HEAD", "/v1/3x3/database", "", b"");
    assert_eq!(
        (head.status, head.header("content-length")),
        (200, Some("167976"))
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
fn a_page_of_another_origin_may_ask_only_with_cors() {
    let dir = built();
    let preflight = "origin: http://other.example\r\naccess-control-request-method: POST\r\n";
    for (options, allowed) in [(&[][..], None), (&["--cors"][..], Some("*"))] {
        let server = Server::start(dir.path(), options);
        let answer = server.get("/v1/3x3/probe?board=704851632");
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
        let answer = server.ask("OPTIONS", "/v1/3x3/solve", preflight, b"");
        assert_eq!(answer.status, if allowed.is_some() { 200 } else { 204 });
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
    }
}

/// Browsers send `text/plain` from any page without a preflight request.
#[test]
fn a_page_of_another_origin_may_not_send_what_it_likes() {
    let dir = built();
    for (options, status) in [(&[][..], 403), (&["--cors"][..], 200)] {
        let server = Server::start(dir.path(), options);
        let own = format!("http://{}", server.address);
        let by_proxy = own.replace("http", "https");
        let post = |origin: &str| {
            let headers = format!("{origin}content-type: text/plain\r\n");
            server.ask("POST", "/v1/3x3/verify", &headers, b"704851632 19")
        };
        assert_eq!(post("").status, 200);
        for origin in [&own, &by_proxy] {
            assert_eq!(post(&format!("origin: {origin}\r\n")).status, 200);
        }
        let prefixed = format!("{own}.evil.example");
        for origin in ["http://evil.example", "null", &prefixed, "/", "//"] {
            let answer = post(&format!("origin: {origin}\r\n"));
            assert_eq!(answer.status, status, "{origin}");
            if status == 403 {
                check(
                    &server.get("/openapi.json").json(),
                    "/v1/{shape}/verify",
                    "post",
                    &answer,
                );
            }
        }
        let asked = server.ask("GET", "/healthz", "origin: http://evil.example\r\n", b"");
        assert_eq!(asked.status, 200);
    }
}

/// Browsers send a GET for any page, as for an image; only the answer is kept from the page.
#[test]
fn a_page_of_another_site_may_not_ask_for_long_work() {
    let dir = built();
    for (options, refused) in [(&[][..], 403), (&["--cors"][..], 200)] {
        let server = Server::start(dir.path(), options);
        for (target, is_heavy) in [
            ("/v1/3x3/probe?board=704851632", false),
            ("/v1/3x3/random", false),
            ("/v1/search?board=704851632", true),
            ("/v1/3x3/stats", true),
        ] {
            let ask = |site: &str| {
                let headers = format!("sec-fetch-site: {site}\r\n");
                server.ask("GET", target, &headers, b"")
            };
            let answer = ask("cross-site");
            let status = if is_heavy { refused } else { 200 };
            assert_eq!(answer.status, status, "{target}");
            if status == 403 {
                assert_eq!(
                    answer.header("content-type"),
                    Some("application/problem+json")
                );
                let detail = answer.json()["detail"].to_string();
                assert!(detail.contains("(Sec-Fetch-Site, Origin)"), "{detail}");
            }
            // Requests of a script to an address by plain HTTP have an origin and no site.
            let own = format!("http://{}", server.address);
            for (origin, status) in [("http://example.org", status), (&own, 200)] {
                let headers = format!("origin: {origin}\r\n");
                let answer = server.ask("GET", target, &headers, b"");
                assert_eq!(answer.status, status, "{target} {origin}");
            }
            for site in ["same-origin", "same-site", "none"] {
                assert_eq!(ask(site).status, 200, "{target} {site}");
            }
        }
    }
}

#[test]
fn answers_are_compressed_for_those_who_can_read_them() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    for encoding in ["gzip", "br"] {
        let headers = format!("accept-encoding: {encoding}\r\n");
        let asked = |target: &str| server.ask("GET", target, &headers, b"");
        let (plain, stats) = (server.get("/v1/3x3/stats"), asked("/v1/3x3/stats"));
        assert_eq!(stats.header("content-encoding"), Some(encoding));
        assert!(stats.body.len() < plain.body.len() / 2);
        let tag = stats.header("etag").unwrap();
        assert_eq!(tag, format!("W/{}", plain.header("etag").unwrap()));
        let again = format!("{headers}if-none-match: {tag}\r\n");
        let again = server.ask("GET", "/v1/3x3/stats", &again, b"");
        assert_eq!((again.status, again.body.len()), (304, 0));
        assert_eq!(again.header("content-encoding"), None);
        let file = asked("/v1/3x3/database");
        assert_eq!(file.header("content-encoding"), None);
        assert_eq!(file.body, database(3, 3, Encoding::Full));
        let lines = format!("{headers}content-type: application/x-ndjson\r\n");
        let lines = server.ask("POST", "/v1/3x3/solve", &lines, b"704851632\n");
        assert_eq!(lines.header("content-encoding"), None, "sent as they come");
        assert_eq!(lines.lines()[0]["distance"], 19);
    }
}

/// Paths of the page's files that begin with a digest, as the page names them.
fn lasting_paths(html: &str) -> Vec<String> {
    let words = html.split('"').filter(|word| word.contains("page/"));
    let paths = words.map(|word| format!("/page/{}", word.rsplit('/').next().unwrap()));
    paths.collect()
}

#[test]
fn files_of_the_page_are_kept_for_good_and_the_page_is_not() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let page = server.get("/");
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let html = String::from_utf8(page.body).unwrap();
    let paths = lasting_paths(&html);
    assert_eq!(paths.len(), 6, "{paths:?}");
    for path in &paths {
        let (digest, name) = path
            .strip_prefix("/page/")
            .unwrap()
            .split_once('-')
            .unwrap();
        assert_eq!(digest.len(), 12, "{path}");
        let kept = server.get(path);
        let forever = Some("public, max-age=31536000, immutable");
        assert_eq!(kept.header("cache-control"), forever, "{path}");
        assert!(
            kept.header("etag")
                .unwrap()
                .starts_with(&format!("\"{digest}"))
        );
        let plain = server.get(&format!("/page/{name}"));
        assert_eq!(plain.header("cache-control"), Some("no-cache"));
        assert!(kept.body == plain.body, "{path}");
    }
    let other = server.get(&paths[0].replace('-', "0-"));
    assert_eq!(other.status, 404);
}

#[test]
fn the_page_is_less_than_60_kb_before_the_first_distance() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let html = String::from_utf8(server.get("/").body).unwrap();
    let first = |path: &&String| path.ends_with("page.js") || path.ends_with("page.css");
    for encoding in ["gzip", "br"] {
        let bytes = |target: &str| {
            let headers = format!("accept-encoding: deflate, {encoding};q=0.5\r\n");
            let answer = server.ask("GET", target, &headers, b"");
            assert_eq!(
                answer.header("content-encoding"),
                Some(encoding),
                "{target}"
            );
            assert_eq!(answer.header("vary"), Some("accept-encoding"), "{target}");
            answer.body.len()
        };
        let paths = lasting_paths(&html);
        let files: Vec<usize> = paths.iter().filter(first).map(|path| bytes(path)).collect();
        assert_eq!(files.len(), 2);
        let all = bytes("/") + files.iter().sum::<usize>();
        assert!(all < 60_000, "{all} bytes by {encoding}");
    }
    let refused = server.ask("GET", "/page/page.js", "accept-encoding: br;q=0\r\n", b"");
    assert_eq!(refused.header("content-encoding"), None);
}

/// Those who show links read no picture with a relative address.
#[test]
fn the_picture_of_the_page_has_an_absolute_address_at_the_host_that_was_asked() {
    let dir = built();
    let server = Server::start(dir.path(), &["--host", "puzzle.example"]);
    let picture = |host: &str, more: &str| {
        let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\n{more}connection: close\r\n\r\n");
        let html = String::from_utf8(Answer::read(&server.raw(request.as_bytes())).body).unwrap();
        let (_, from) = html.split_once("\"og:image\" content=\"").unwrap();
        from.split('"').next().unwrap().to_owned()
    };
    for (host, more, origin) in [
        ("puzzle.example", "", "http://puzzle.example/page/"),
        ("localhost:80", "", "http://localhost:80/page/"),
        (
            "puzzle.example",
            "x-forwarded-proto: https\r\n",
            "https://puzzle.example/page/",
        ),
        (
            "puzzle.example",
            "x-forwarded-proto: \"\r\n",
            "http://puzzle.example/page/",
        ),
    ] {
        let picture = picture(host, more);
        let path = picture
            .strip_prefix(origin)
            .unwrap_or_else(|| panic!("{picture}"));
        let bytes = server.get(&format!("/page/{path}")).body;
        assert!(bytes.starts_with(b"\x89PNG"), "{picture}");
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
    assert_eq!(ask("host: localhost\r\nhost: localhost\r\n").status, 400);
    assert_eq!(ask("host: localhost\r\nhost: evil.example\r\n").status, 400);
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
#[cfg(unix)]
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
        "puzzledb_requests_in_flight 1\n",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    assert!(server.metric("puzzledb_uptime_seconds") > 0.0);
    let mut err = server.err.take().unwrap();
    stop(&server, rustix::process::Signal::TERM);
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
    assert!(log.iter().all(|line| line["id"].is_string()), "{log:?}");
}

#[cfg(unix)]
fn stop(server: &Server, signal: rustix::process::Signal) {
    let server = rustix::process::Pid::from_child(&server.child);
    rustix::process::kill_process(server, signal).unwrap();
}

/// Waits until the server accepts no connection, since two signals at once would count as one.
#[cfg(unix)]
fn until_it_listens_no_more(server: &Server) {
    until("the server listens no more", || {
        std::net::TcpStream::connect(&server.address).is_err()
    });
}

/// Search that takes long: 80 moves with a weak heuristic.
#[cfg(unix)]
const LONG: &[u8] =
    b"GET /v1/search?board=0fc9d8be4732615a&algorithm=idastar&heuristic=gaschnig HTTP/1.1\r\n\
                      host: localhost\r\n\r\n";

/// Connection of a search that has begun. A search that ends before that is seen is started again.
#[cfg(unix)]
fn searching(server: &Server) -> std::net::TcpStream {
    let mut begun = None;
    until("a search is seen at work", || {
        let mut stream = server.connect();
        stream.write_all(LONG).unwrap();
        stream.set_nonblocking(true).unwrap();
        let mut is_at_work = false;
        until("the search is at work, or answered", || {
            is_at_work = server.metric("puzzledb_requests_in_flight") >= 2.0;
            is_at_work || stream.peek(&mut [0]).is_ok()
        });
        stream.set_nonblocking(false).unwrap();
        begun = is_at_work.then_some(stream);
        is_at_work
    });
    begun.unwrap()
}

#[test]
#[cfg(unix)]
fn a_server_that_is_told_to_stop_finishes_what_it_has_begun() {
    use rustix::process::Signal;
    let dir = built();
    for (signal, twice, code) in [
        (Signal::TERM, false, 0),
        (Signal::INT, false, 0),
        (Signal::INT, true, 130),
    ] {
        let mut server = Server::start(dir.path(), &[]);
        let idle = server.connect();
        let mut stream = searching(&server);
        stop(&server, signal);
        if twice {
            until_it_listens_no_more(&server);
            stop(&server, signal);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let ended = server.ended();
        // The search may have ended before the second signal.
        assert!(
            ended == Some(code) || twice && ended == Some(0),
            "{ended:?}"
        );
        if ended == Some(0) {
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
}
