//! Promise: no client delays the others, whatever it requests and however slowly.

use std::cell::RefCell;
use std::fs::File;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use puzzledb::oracle::Oracle;
use puzzledb::pattern::{Partition, Patterns};
use puzzledb::puzzle::UsualGoal;
use puzzledb_cli::serve::Tables;

use crate::run::{built, puzzledb, read_until, run};
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

/// Searches hold all permits for heavy work, and no other waits for one: look-ups and draws need none.
#[test]
fn look_ups_and_draws_do_not_wait_for_searches() {
    let address = serve(eight_puzzle(), |limits| {
        limits.heavy = 2;
        limits.heavy_wait = Duration::ZERO;
        limits.work_time = Duration::from_secs(600);
        limits.run.expansions = None;
        limits.run.time = Some(Duration::from_secs(600));
    });
    let searches: Vec<_> = (0..2).map(|_| get(address, ENDLESS)).collect();
    until("the searches are at work", || {
        metric(address, "puzzledb_heavy_permits_in_use") == 2.0
    });
    let target = "/v1/3x3/solve";
    for _ in 0..20 {
        for light in [
            "/v1/3x3/random",
            "/v1/3x3/random?distance=20",
            "/v1/3x3/probe?board=704851632",
            "/v1/3x3/solutions?board=704851632",
        ] {
            assert_eq!(answer(get(address, light)).status, 200, "{light}");
        }
        let body = "{\"boards\": [\"704851632\"]}";
        let list = answer(post(address, target, "application/json", body));
        assert_eq!(list.json()["solutions"][0]["distance"], 19);
        let lines = answer(post(address, target, "application/x-ndjson", "704851632"));
        assert_eq!(lines.lines()[0]["distance"], 19);
    }
    for heavy in ["/v1/search?board=704851632", "/v1/3x3/stats", ENDLESS] {
        let refused = answer(get(address, heavy));
        assert_eq!(refused.status, 503, "{heavy}");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    drop(searches);
    until("the searches end with their clients", || {
        metric(address, "puzzledb_heavy_permits_in_use") == 0.0
    });
    assert_eq!(answer(get(address, "/v1/3x3/stats")).status, 200);
}

/// The only permit for heavy work is free while a client does not read its list.
#[test]
#[ignore = "full run"]
fn a_list_that_is_not_read_keeps_nobody_waiting() {
    let address = serve(eight_puzzle(), |limits| {
        limits.heavy = 1;
        limits.heavy_wait = Duration::from_secs(30);
        limits.work_time = Duration::from_secs(100);
        limits.client_time = Duration::from_secs(100);
    });
    let boards = 60_000; // the answer has 9 MB, more than the system's buffers
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

/// Known statistics and bounds from a table need no permit: they are sent while another request has the only one.
#[test]
fn statistics_are_computed_once_and_bounds_need_no_turn() {
    let address = serve(eight_puzzle(), |limits| {
        limits.heavy = 1;
        limits.heavy_wait = Duration::from_millis(100);
        limits.run.expansions = None;
        limits.run.time = Some(Duration::from_secs(10));
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
    assert_eq!(status("/v1/effort?board=647850321"), 200);
    assert!([404, 503].contains(&status("/v1/3x3/stats?goal=012345678")));
    drop(searches);
}

/// Sends two hundred bodies of the largest size allowed at the same time.
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
        let mut lines = status.lines();
        let line = lines.find_map(|line| line.strip_prefix(field)).unwrap();
        let kib: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        kib >> 10
    };
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
            let asked: Vec<_> = (0..200).map(|_| scope.spawn(ask)).collect();
            let answered = asked.into_iter().map(|asked| asked.join().unwrap());
            answered.collect()
        });
        let is_expected = |status: &u16| [200, 503].contains(status);
        assert!(statuses.contains(&200) && statuses.iter().all(is_expected));
        let answered = statuses.iter().filter(|&&status| status == 200).count();
        println!(
            "{target}: {answered} answered, {} MB at most",
            memory("VmHWM:")
        );
        until("the memory is given back", || memory("VmRSS:") < 100);
    }
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
    let patterns = Patterns::open(&path).unwrap();
    let oracle = Oracle::from_database(patterns, &goal).unwrap();
    let tables = Tables::new([oracle]);
    let address = serve(tables, |limits| limits.run.pattern_memory = Some(0));
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
    let probe = answer(get(address, &format!("/v1/4x4/probe?board={board}")));
    assert_eq!(probe.status, 503);
    replace(&first);
    until("the file that is right again is used", || has("7-7-1"));
}

/// Raises this process's limit of open files to `wanted`, as far as the system allows.
#[cfg(target_os = "linux")]
fn raise_open_files(wanted: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    if limit.current.is_some_and(|now| now < current) {
        let raised = Rlimit {
            current: Some(current),
            ..limit
        };
        setrlimit(Resource::Nofile, raised).unwrap();
    }
}
