//! Promise: no client delays the others, whatever it requests and however slowly.

use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use puzzledb::oracle::Oracle;
use puzzledb::pattern::{Partition, PatternFile, Patterns};
use puzzledb::puzzle::UsualGoal;
use puzzledb_cli::serve::Tables;

use crate::run::{built, puzzledb, read_until, run};
use crate::serve_hostile::{raise_open_files, rest};
use crate::serve_limits::{answer, eight_puzzle, get, post, send, serve};
#[cfg(target_os = "linux")]
use crate::server::Server;
use crate::wait::until;

/// Search that takes all the time allowed: IDA* takes hours for a random board of the 24-puzzle.
const ENDLESS: &str = "/v1/search?board=g9038ocj527ifam4bld1hkne6&algorithm=idastar";

/// Sends the request of [`ENDLESS`] until the server has begun with it.
fn until_busy(address: SocketAddr) -> Vec<TcpStream> {
    let searches = RefCell::new(Vec::new());
    until("a search is begun", || {
        searches.borrow_mut().push(get(address, ENDLESS));
        std::thread::sleep(Duration::from_millis(100));
        metric(address, "puzzledb_heavy_permits_in_use") >= 1.0
    });
    searches.into_inner()
}

fn metric(address: SocketAddr, name: &str) -> f64 {
    let metrics = String::from_utf8(answer(get(address, "/metrics")).body).unwrap();
    let value = metrics
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name} ")));
    value.unwrap().parse().unwrap()
}

/// Six hundred connections with half a request, on a server that takes a hundred: the oldest make room.
#[test]
#[ignore = "full run"]
fn slow_connections_make_room_for_new_ones() {
    let address = serve(eight_puzzle(), |limits| {
        limits.connections = 100;
        limits.header_timeout = Duration::from_secs(60);
        limits.expansions = u64::MAX;
    });
    raise_open_files(4096);
    let mut long = until_busy(address);
    let mut slow = Vec::new();
    for i in 0..600 {
        let mut stream = TcpStream::connect(address).unwrap();
        let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nho"); // the server may have closed the connection
        slow.push(stream);
        if i % 10 == 0 {
            assert_eq!(answer(get(address, "/healthz")).status, 200);
        }
    }
    for _ in 0..100 {
        let probed = answer(get(address, "/v1/3x3/probe?board=704851632"));
        assert_eq!(probed.status, 200);
    }
    assert!(metric(address, "puzzledb_connections") <= 100.0);
    assert!(metric(address, "puzzledb_connections_displaced_total") >= 500.0);
    assert_eq!(metric(address, "puzzledb_connections_refused_total"), 0.0);
    assert!(rest(&mut slow[0]).is_empty());
    let searched = answer(long.pop().expect("at least one"));
    assert_eq!(searched.status, 200, "what is being answered makes no room");
}

#[test]
#[ignore = "full run"]
fn a_connection_is_refused_where_all_others_have_whole_requests() {
    let address = serve(eight_puzzle(), |limits| {
        limits.connections = 1;
        limits.expansions = u64::MAX;
    });
    let searches = RefCell::new(Vec::new());
    until("a connection is refused", || {
        searches.borrow_mut().push(get(address, ENDLESS));
        std::thread::sleep(Duration::from_millis(100));
        let mut other = TcpStream::connect(address).unwrap();
        other
            .set_read_timeout(Some(Duration::from_millis(500)))
            .unwrap();
        rest(&mut other).starts_with(b"HTTP/1.1 503")
    });
    let mut searches = searches.into_inner().into_iter();
    assert!(searches.any(|mut search| rest(&mut search).starts_with(b"HTTP/1.1 200")));
}

/// Sends a request from another address of this machine.
#[cfg(target_os = "linux")]
fn get_from(source: [u8; 4], address: SocketAddr, target: &str) -> TcpStream {
    use socket2::{Domain, Socket, Type};
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((source, 0)).into()).unwrap();
    socket.connect(&address.into()).unwrap();
    let mut stream = TcpStream::from(socket);
    let request = format!("GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// Thirty searches that take longer than a request may wait.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "full run"]
fn searches_of_one_client_keep_no_other_waiting() {
    let address = serve(eight_puzzle(), |limits| {
        limits.heavy = 3;
        limits.expansions = u64::MAX;
        limits.search_time = Duration::from_secs(10);
        limits.heavy_wait = Duration::from_secs(5);
    });
    assert_eq!(metric(address, "puzzledb_heavy_permits_in_use"), 0.0);
    let searches: Vec<_> = (0..30).map(|_| get(address, ENDLESS)).collect();
    until("all searches are there", || {
        metric(address, "puzzledb_requests_in_flight") >= 31.0
    });
    for _ in 0..20 {
        assert_eq!(metric(address, "puzzledb_heavy_permits_in_use"), 2.0);
        let drawn = answer(get_from([127, 0, 0, 2], address, "/v1/3x3/random"));
        assert_eq!(drawn.status, 200, "{drawn:?}");
    }
    let own = answer(get(address, "/v1/3x3/random"));
    assert_eq!(own.status, 503, "the client itself waits");
    drop(searches);
}

/// Requests of one client, as many as it may send at a time, all wait for a permit.
#[test]
#[cfg(target_os = "linux")]
fn questions_of_one_client_keep_no_other_out() {
    let address = serve(eight_puzzle(), |limits| {
        limits.in_flight = 16;
        limits.expansions = u64::MAX;
        limits.search_time = Duration::from_secs(10);
        limits.heavy_wait = Duration::from_secs(60);
    });
    let other = |target| answer(get_from([127, 0, 0, 2], address, target));
    let searches: Vec<_> = (0..30).map(|_| get(address, ENDLESS)).collect();
    until("no more is taken of the client", || {
        answer(get(address, "/healthz")).status == 503
    });
    for target in [
        "/healthz",
        "/v1/3x3/probe?board=704851632",
        "/v1/3x3/random",
    ] {
        assert_eq!(other(target).status, 200, "{target}");
    }
    drop(searches);
}

/// Heavy permit, the only one, is free while a client does not read its list.
#[test]
#[ignore = "full run"]
fn a_list_that_is_not_read_keeps_nobody_waiting() {
    let address = serve(eight_puzzle(), |limits| {
        limits.heavy = 1;
        limits.heavy_wait = Duration::from_secs(30);
        limits.work_time = Duration::from_secs(100);
        limits.write_timeout = Duration::from_secs(100);
    });
    let boards = 20_000; // the answer has 3 MB, the system's buffers hold less than 1 MB
    let body = "647850321\n".repeat(boards);
    let list = post(address, "/v1/3x3/solve", "application/x-ndjson", &body);
    for _ in 0..20 {
        assert_eq!(answer(get(address, "/v1/3x3/random")).status, 200);
    }
    until("the list waits for its client", || {
        metric(address, "puzzledb_heavy_permits_in_use") == 0.0
    });
    assert_eq!(answer(get(address, "/v1/3x3/random")).status, 200);
    let lines = answer(list).lines();
    assert_eq!(lines.len(), boards, "and it goes on");
    assert!(lines.iter().all(|line| line["distance"] == 31));
}

/// Known answers need no permit: they are sent while another request has the only one.
#[test]
fn statistics_and_bounds_are_computed_once() {
    let address = serve(eight_puzzle(), |limits| {
        limits.heavy = 1;
        limits.heavy_wait = Duration::from_millis(100);
        limits.expansions = u64::MAX;
        limits.search_time = Duration::from_secs(10);
    });
    let known = ["/v1/3x3/stats", "/v1/effort?board=704851632&expanded=100"];
    let before = known.map(|target| answer(get(address, target)));
    assert!(before.iter().all(|answer| answer.status == 200));
    let searches = until_busy(address);
    for (target, before) in known.iter().zip(&before) {
        let again = answer(get(address, target));
        assert_eq!((again.status, &again.body), (200, &before.body), "{target}");
    }
    let status = |target| answer(get(address, target)).status;
    assert_eq!(status("/v1/effort?board=704851632&expanded=5"), 200);
    for other in [
        "/v1/effort?board=704851632&algorithm=bfs",
        "/v1/effort?board=647850321",
        "/v1/3x3/stats?goal=012345678",
    ] {
        assert!([404, 503].contains(&status(other)), "{other}");
    }
    drop(searches);
}

/// Sends bodies of the largest size allowed, more than there may be requests at a time.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "full run"]
fn the_memory_of_many_large_bodies_is_given_back() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    raise_open_files(4096);
    let memory = |field: &str| {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(field))
            .unwrap();
        let kib: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        kib >> 10
    };
    let bodies = if crate::full::is_full() { 500 } else { 12 };
    let boards = vec!["704851632"; 80_000];
    let boards = serde_json::json!({ "boards": boards }).to_string();
    let claims = "704851632 19\n".repeat(80_000);
    for (target, kind, body) in [
        ("/v1/3x3/verify", "text/plain", claims),
        ("/v1/3x3/solve", "application/json", boards),
    ] {
        let headers = format!("content-type: {kind}\r\n");
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let ask = || server.ask("POST", target, &headers, body.as_bytes()).status;
            let asked: Vec<_> = (0..bodies).map(|_| scope.spawn(ask)).collect();
            asked
                .into_iter()
                .map(|asked| asked.join().unwrap())
                .collect()
        });
        assert!(statuses.contains(&200), "{statuses:?}");
    }
    until("the requests have ended", || {
        server.metric("puzzledb_requests_in_flight") == 1.0
    });
    let (most, now) = (memory("VmHWM:"), memory("VmRSS:"));
    println!("{most} MB at most, {now} MB now");
    // Memory of each request at work: a body, its answer and twice that while it grows. The peaks were 1,444 and
    // 1,180 MB before there were permits for bodies.
    let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2)) as u64;
    let heavy = (cores + 1).min(32);
    assert!(most < 200 + 64 * heavy, "{most} MB");
    until("the memory is given back", || {
        memory("VmRSS:") < 128 + 24 * heavy
    });
}

/// Server on all addresses: it prints an address that other machines can use and a note on which machines reach it.
/// It still refuses host names that it was not given.
#[test]
fn a_server_for_other_machines_says_who_reaches_it() {
    let dir = built();
    let mut command = puzzledb(dir.path());
    command.args(["serve", "--listen", "0.0.0.0:0", "--host", "puzzle.example"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let line = read_until(child.stdout.as_mut().unwrap(), "\n");
    let url = line.trim().strip_prefix("listening on http://").unwrap();
    let (host, port) = url.rsplit_once(':').unwrap();
    let err = read_until(child.stderr.as_mut().unwrap(), "allows a name\n");
    assert!(
        err.contains(&format!("every machine that reaches http://{url} can ask")),
        "{err}"
    );
    assert!(err.contains(&format!("http://localhost:{port}")), "{err}");
    let address: SocketAddr = format!("127.0.0.1:{port}").parse().unwrap();
    let ask = |address: SocketAddr, host: &str| {
        let request = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        answer(send(address, &request))
    };
    assert_ne!(host, "0.0.0.0");
    assert_eq!(ask(address, url).status, 200, "its own name");
    if let Ok(own) = url.parse() {
        assert_eq!(ask(own, url).status, 200);
    }
    for host in [
        "localhost",
        "192.0.2.1:80",
        "[2001:db8::1]",
        "Puzzle.example:80",
    ] {
        assert_eq!(ask(address, host).status, 200, "{host}");
    }
    for host in ["evil.example", "puzzle.example.evil", "192.0.2.1.evil"] {
        let refused = ask(address, host);
        assert_eq!(refused.status, 421, "{host}");
        assert!(
            refused.json()["detail"]
                .to_string()
                .contains("names that it was given")
        );
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for bad in ["", "evil:80", "http://evil", "a..b", "a b"] {
        let refused = run(dir.path(), &["serve", "--host", bad]);
        assert_eq!(refused.code, Some(2), "{bad}");
        assert!(refused.err.contains("--host"), "{}", refused.err);
    }
}

/// Patterns of 35 MB, which are not copied. Only the server's own patterns are heuristics here, since the memory of
/// others is limited.
#[test]
#[ignore = "full run"]
fn a_file_of_patterns_that_was_replaced_is_served() {
    let goal = UsualGoal::Last.board("4x4".parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("patterns.pzdb");
    let write = |sizes: &str| {
        let partition = Partition::new(&goal, &sizes.parse().unwrap()).unwrap();
        let file = dir.path().join(sizes);
        let mut bytes = File::create(&file).unwrap();
        Patterns::build(&partition)
            .unwrap()
            .write(&mut bytes)
            .unwrap();
        file
    };
    let (first, second) = (write("7-7-1"), write("7-4-4"));
    let replace = |by: &Path| {
        let new = path.with_extension("new");
        std::fs::copy(by, &new).unwrap();
        std::fs::rename(new, &path).unwrap();
    };
    replace(&first);
    let file = PatternFile::open(&path).unwrap();
    let oracle = Oracle::from_database(file.patterns().clone(), &goal).unwrap();
    drop(file);
    let tables = Tables::new([oracle]);
    let address = serve(tables, |limits| limits.pattern_memory = 0);
    let board = "123456789abcde0f";
    let has = |sizes: &str| {
        let query = format!("board={board}&heuristic=patterns:{sizes}");
        answer(get(address, &format!("/v1/search?{query}"))).status == 200
    };
    assert!(has("7-7-1") && !has("7-4-4"));
    replace(&second);
    until("the new file is used", || has("7-4-4") && !has("7-7-1"));
    std::fs::write(path.with_extension("bad"), "no patterns").unwrap();
    replace(&path.with_extension("bad"));
    until("what is not a file of patterns is not used", || {
        !has("7-4-4")
    });
    until("other patterns serve", || {
        let probe = answer(get(address, &format!("/v1/4x4/probe?board={board}")));
        probe.status == 200 && probe.json()["distance"] == 1
    });
    replace(&first);
    until("the file that is right again is used", || has("7-7-1"));
}
