//! Promise: the API gives the same answers as the command line, in the form that its OpenAPI document describes.

use puzzledb::oracle::Oracle;
use puzzledb::oracle::generate::Request;
use serde_json::{Value, json};

use crate::run::{built, run, run_with_input};
use crate::server::{Server, check};

/// Objects that the command line prints, one a line.
fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
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
        let solution = ask("/v1/{shape}/solve", &format!("/v1/3x3/solve?{with}"));
        assert_eq!(solution, command("solve"));
        let all = cli(&["solve", board, "--goal", goal, "--json", "--all"]);
        let solutions = ask(
            "/v1/{shape}/solutions",
            &format!("/v1/3x3/solutions?{with}"),
        );
        assert_eq!(solutions["solutions"], all["solutions"]);
        assert_eq!(solutions["solution_count"], all["solution_count"]);
        let effort = ask(
            "/v1/{shape}/effort",
            &format!("/v1/3x3/effort?{with}&algorithm=idastar&goal_test=early&expanded=5"),
        );
        let args = [
            "effort",
            board,
            "--goal",
            goal,
            "--algorithm",
            "idastar",
            "--goal-test",
            "early",
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
        )["solutions"]
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
fn shapes_without_a_database_are_answered_by_searches() {
    let dir = built();
    let server = Server::start(dir.path(), &["--shapes", "3x3,4x4"]);
    let document = server.get("/openapi.json").json();
    let ask = |path: &str, target: &str| {
        let answer = server.get(target);
        check(&document, path, "get", &answer);
        (answer.status, answer.json())
    };
    let cli = |args: &[&str]| lines(&run(dir.path(), args).out).pop().unwrap();
    let (_, served) = ask("/v1/", "/v1/");
    let shapes = json!([{"shape": "3x3", "database": true}, {"shape": "4x4", "database": false}]);
    assert_eq!(served["shapes"], shapes);
    let easy = "1d2750c38a4fe69b"; // 38 moves
    for goal in crate::full::sample(&["051234b678d9caef", "last", "spiral"], 1) {
        let with = format!("board={easy}&goal={goal}");
        let command = |name: &str, more: &[&str]| {
            cli(&[&[name, easy, "--goal", goal, "--json"], more].concat())
        };
        let (_, solution) = ask("/v1/{shape}/solve", &format!("/v1/4x4/solve?{with}"));
        assert_eq!(solution, command("solve", &[]));
        let (_, probe) = ask("/v1/{shape}/probe", &format!("/v1/4x4/probe?{with}"));
        assert_eq!(probe, command("probe", &[]));
        let (_, all) = ask(
            "/v1/{shape}/solutions",
            &format!("/v1/4x4/solutions?{with}"),
        );
        assert_eq!(all["solutions"], command("solve", &["--all"])["solutions"]);
        let (_, found) = ask(
            "/v1/{shape}/heuristics",
            &format!("/v1/4x4/heuristics?{with}"),
        );
        assert_eq!(found["distance"], solution["distance"]);
    }
    let (_, drawn) = ask("/v1/{shape}/random", "/v1/4x4/random?distance=20&seed=5");
    assert_eq!(drawn["distance"], 20);
    // Far boards are drawn too, without a search.
    for (goal, distance) in [
        ("first", 54),
        ("first", 60),
        ("first", 80),
        ("spiral", 60),
        ("spiral", 78),
    ] {
        let target = format!("/v1/4x4/random?distance={distance}&seed=5&goal={goal}");
        let (status, far) = ask("/v1/{shape}/random", &target);
        assert_eq!((status, &far["distance"]), (200, &distance.into()), "{far}");
    }
    let (status, far) = ask("/v1/{shape}/random", "/v1/4x4/random?distance=255&seed=5");
    assert_eq!(status, 400, "{far}");
    let beyond = "/v1/4x4/random?distance=83&seed=5&goal=spiral";
    let (status, far) = ask("/v1/{shape}/random", beyond);
    let detail = far["detail"].as_str().unwrap();
    assert!(
        status == 400 && detail.contains("more than 82 moves"),
        "{far}"
    );
    let (status, any) = ask("/v1/{shape}/random", "/v1/4x4/random?seed=5");
    assert!(status == 200 && any["board"].is_string(), "{any}");
    let (status, refused) = ask("/v1/{shape}/stats", "/v1/4x4/stats");
    assert_eq!(status, 404);
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.contains("it solves them by searches"), "{detail}");
    let greedy = format!("/v1/4x4/search?board={easy}&algorithm=greedy");
    assert_eq!(ask("/v1/{shape}/search", &greedy).1["distance"], 38);

    let boards = json!({"boards": [easy, "123456789abcdef0", "123456789abcdfe0"]}).to_string();
    let solved = server.post("/v1/4x4/solve", &boards).json();
    assert_eq!(solved["solutions"][0]["distance"], 38);
    assert_eq!(solved["solutions"][1]["distance"], 0);
    assert!(solved["solutions"][2]["error"].is_string());
    let claims = format!("{easy} 38\n{easy} 40\n704851632 19\n");
    let judged = server.post("/v1/4x4/verify", &claims).json();
    assert_eq!(
        (
            &judged["records"][0]["right"],
            &judged["records"][1]["right"]
        ),
        (&true.into(), &false.into())
    );
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
            "board=536407182&algorithm=greedy&ties=random&seed=5&trace=9",
            vec![
                "536407182",
                "-a",
                "greedy",
                "--ties",
                "random",
                "--seed",
                "5",
            ],
        ),
        (
            "board=536407182&algorithm=beam&width=3&trace=9",
            vec!["536407182", "-a", "beam", "--width", "3"],
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
            "board=1,2,3,4,5,6,7,8,9,10,11,12,13,0,14,15&trace=9&shape=4x4",
            vec!["1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15"],
        ),
    ] {
        let (query, shape) = query.split_once("&shape=").unwrap_or((query, "3x3"));
        let answer = server.get(&format!("/v1/{shape}/search?{query}"));
        check(&document, "/v1/{shape}/search", "get", &answer);
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
    let plain = server.get("/v1/3x3/search?board=208135467").json();
    assert_eq!(plain.get("trace"), None);
}

#[test]
fn heuristics_are_set_beside_the_truth() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let answer = server.get("/v1/3x3/heuristics?board=870654321");
    check(&document, "/v1/{shape}/heuristics", "get", &answer);
    let estimates = answer.json();
    assert_eq!(estimates["distance"], 26);
    let values = estimates["values"].as_array().unwrap();
    assert_eq!(values.len(), 14);
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
    // Of other shapes by default the 15-puzzle is served; of those that are not, the distance is not known.
    let [served, other] = [
        "4x4/heuristics?board=123456789abcde0f",
        "3x5/heuristics?board=123456789abcd0e",
    ]
    .map(|asked| server.get(&format!("/v1/{asked}")).json());
    assert_eq!(
        (&served["distance"], &other["distance"]),
        (&json!(1), &Value::Null)
    );
    assert_eq!(served["values"].as_array().unwrap().len(), 14);
    assert_eq!(other["values"].as_array().unwrap().len(), 12);
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
    let text = "1 2 3\n4 5 6\n7 0 8\n\n1 2 3\n4 5 6\n7 8 0\n\nsearch aborted: time limit\n";
    let unread = server.post("/v1/3x3/verify?board=123456708", text);
    check(&document, "/v1/{shape}/verify", "post", &unread);
    let reading = &unread.json()["errors"][0]["readings"][0];
    assert_eq!(
        (&reading["read"], &reading["verdict"]),
        (&"boards".into(), &"optimal".into())
    );
    let held = server.post("/v1/3x3/verify?board=123456708&read=boards", text);
    assert_eq!(held.json()["records"][0]["verdict"], "optimal");
    let text = "704851632 19\n70485163 3\n";
    let verified = server.post("/v1/3x3/verify", text).json();
    let by_get = server.get("/v1/3x3/verify?claims=704851632%2019%0A70485163%203");
    check(&document, "/v1/{shape}/verify", "get", &by_get);
    let headers = "content-type: application/json\r\n";
    let by_json = json!({"claims": text, "fix": false, "goal": "last"}).to_string();
    let by_json = server.ask("POST", "/v1/3x3/verify", headers, by_json.as_bytes());
    assert_eq!((&by_get.json(), &by_json.json()), (&verified, &verified));
    let boards = json!({"boards": ["125340678"], "goal": "first"}).to_string();
    let solved = server.ask("POST", "/v1/3x3/solve", headers, boards.as_bytes());
    assert_eq!(solved.json()["solutions"][0]["distance"], 3);
    assert_eq!(verified["errors"][0]["line"], 2);
    assert_eq!(verified["summary"]["unreadable"], 1);
}

#[test]
#[ignore = "full run"]
fn lines_are_answered_by_lines_and_as_many_as_fit_into_a_body() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let post = |route: &str, body: &str| {
        let headers = "content-type: application/x-ndjson; charset=utf-8\r\n";
        let answer = server.ask(
            "POST",
            &format!("/v1/3x3/{route}"),
            headers,
            body.as_bytes(),
        );
        assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
        check(
            &document,
            &format!("/v1/{{shape}}/{route}"),
            "post",
            &answer,
        );
        answer.lines()
    };
    let boards = ["704851632", "123456870", "12345678", "123 456 708"];
    let body = json!({ "boards": boards }).to_string();
    for (route, key) in [("solve", "solutions"), ("probe", "probes")] {
        let answer = server.post(&format!("/v1/3x3/{route}"), &body);
        check(
            &document,
            &format!("/v1/{{shape}}/{route}"),
            "post",
            &answer,
        );
        let [a, b, c, d] = boards;
        let lines = format!("{a}\n\"{b}\"\r\n\n{{\"board\": \"{c}\"}}\n{d}");
        assert_eq!(Value::from(post(route, &lines)), answer.json()[key]);
    }
    let probe = &post("probe", "704851632")[0];
    let asked = server.get("/v1/3x3/probe?board=704851632").json();
    assert_eq!(
        (&probe["distance"], &probe["steps"]),
        (&asked["distance"], &asked["steps"])
    );

    let claims = [
        json!({"board": "704851632", "length": 19}),
        json!({"board": "70485163", "length": 3}),
        json!({"board": "704851632", "moves": "RDD", "length": 3}),
    ];
    let body = json!({ "claims": claims }).to_string();
    let text = claims.map(|claim| claim.to_string()).join("\n");
    let answer = server.post("/v1/3x3/verify", &text);
    let Value::Object(all) = answer.json() else {
        panic!("{answer:?}")
    };
    let object = server.ask(
        "POST",
        "/v1/3x3/verify",
        "content-type: application/json\r\n",
        body.as_bytes(),
    );
    assert_eq!(object.json(), Value::Object(all.clone()));
    let lines = post("verify", &text);
    assert_eq!(lines[1], all["errors"][0]);
    assert_eq!(
        [&lines[0], &lines[2]],
        [&all["records"][0], &all["records"][1]]
    );
    assert_eq!(lines[3], json!({"summary": all["summary"]}));

    let many = "704851632\n".repeat(100_000);
    let lines = post("probe", &many);
    assert!(lines.len() == 100_000 && lines[99_999] == *probe);
}

#[test]
fn boards_are_drawn_as_generate_draws_them() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    let oracle = Oracle::for_goal(&"123456780".parse().unwrap()).unwrap();
    for distance in [0, 1, 25, 31] {
        let target = format!("/v1/3x3/random?distance={distance}&seed=7");
        let answer = server.get(&target);
        check(&document, "/v1/{shape}/random", "get", &answer);
        let request = Request::new(distance..=distance, 1, 7);
        let board = oracle.generate(&request).unwrap()[0].to_string();
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

/// Every question is asked by GET, and by POST with its options as JSON.
#[test]
fn a_question_is_the_same_by_get_and_by_post() {
    let dir = built();
    let server = Server::start(dir.path(), &["--shapes", "3x3"]);
    let document = server.get("/openapi.json").json();
    let with_type = |route: &str, kind: &str, body: &str| {
        let headers = format!("content-type: {kind}\r\n");
        server.ask(
            "POST",
            &format!("/v1/3x3/{route}"),
            &headers,
            body.as_bytes(),
        )
    };
    let board = json!("704851632");
    for (route, query, body) in [
        ("probe", "board=704851632", json!({"board": board})),
        ("probe", "board=704851632", json!({"board": 704_851_632})),
        (
            "solve",
            "board=704851632",
            json!({"board": [[7, 0, 4], [8, 5, 1], [6, 3, 2]]}),
        ),
        (
            "solutions",
            "board=704851632&limit=2",
            json!({"board": board, "limit": 2}),
        ),
        (
            "random",
            "distance=31&seed=7",
            json!({"distance": 31, "seed": 7}),
        ),
        ("stats", "goal=first", json!({"goal": "first"})),
        (
            "effort",
            "board=704851632&expanded=5",
            json!({"board": board, "expanded": 5}),
        ),
        ("heuristics", "board=704851632", json!({"board": board})),
    ] {
        let get = server.get(&format!("/v1/3x3/{route}?{query}")).json();
        let post = with_type(route, "application/json", &body.to_string());
        assert_eq!((post.status, &post.json()), (200, &get), "{route}");
        check(&document, &format!("/v1/{{shape}}/{route}"), "post", &post);
        let other = with_type(route, "application/xml", &body.to_string());
        assert_eq!(other.status, 415, "{route}");
        check(&document, &format!("/v1/{{shape}}/{route}"), "post", &other);
        let options = server.ask("OPTIONS", &format!("/v1/3x3/{route}"), "", b"");
        assert_eq!(
            (options.status, options.header("allow")),
            (204, Some("GET,HEAD,POST"))
        );
        let head = server.ask("HEAD", &format!("/v1/3x3/{route}?{query}"), "", b"");
        assert_eq!((head.status, head.body.len()), (200, 0), "{route}");
    }
    let weighted = json!({"board": board, "algorithm": "weighted-astar", "weight": 1.5});
    let searched = with_type("search", "application/json", &weighted.to_string());
    assert_eq!(searched.json()["solved"], true);
    for (body, code) in [
        (json!({"board": "123456870"}), "unsolvable"),
        (json!({"board": "12345"}), "bad-board"),
        (json!({"goal": "last"}), "bad-option"),
        (json!({"board": {"tiles": 1}}), "bad-option"),
        (json!({"board": "0".repeat(20_000)}), "too-large"),
    ] {
        let refused = with_type("probe", "application/json", &body.to_string()).json();
        assert_eq!(refused["code"], code, "{refused}");
        assert_eq!(refused["type"], format!("urn:puzzledb:{code}"));
    }
    let elsewhere = server.get("/v1/2x4/probe?board=12345670").json();
    assert_eq!(elsewhere["code"], "no-database");
    let list = json!({"boards": ["123456870"]}).to_string();
    let listed = with_type("probe", "application/json", &list).json();
    assert_eq!(listed["probes"][0]["code"], "unsolvable");
    let line = &with_type("verify", "application/x-ndjson", "{\"board\": \"12\"}").lines()[0];
    assert_eq!(line["code"], "bad-board");
}

#[test]
fn the_server_lists_its_routes_and_is_ready() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    assert_eq!(document["security"], json!([]));
    assert_eq!(document["servers"], json!([{"url": "/"}]));
    let served = server.get("/v1/").json();
    assert_eq!(server.get("/v1").json(), served);
    let routes = served["routes"].as_array().unwrap();
    assert_eq!(routes.len(), document["paths"].as_object().unwrap().len());
    let probe = routes
        .iter()
        .find(|route| route["path"] == "/v1/{shape}/probe");
    assert_eq!(probe.unwrap()["methods"], json!(["GET", "POST"]));
    let ready = server.get("/readyz");
    assert_eq!((ready.status, &*ready.body), (200, &b"ready\n"[..]));
    // Former names.
    let board = "board=704851632";
    for (former, now) in [
        ("3x3/solution", "3x3/solve"),
        ("effort", "3x3/effort"),
        ("heuristics", "3x3/heuristics"),
    ] {
        let ask = |route| server.get(&format!("/v1/{route}?{board}")).json();
        assert_eq!(ask(former), ask(now));
    }
}

#[test]
#[ignore = "full run"]
fn rare_boards_of_a_large_table_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &["build", "3x4", "--quiet"]);
    let server = Server::start(dir.path(), &["--shapes", "3x4"]);
    for distance in [3, 42, 53] {
        let drawn = server
            .get(&format!("/v1/3x4/random?distance={distance}&seed=1"))
            .json();
        assert_eq!(drawn["distance"], distance, "{drawn}");
        let board = drawn["board"].as_str().unwrap();
        let probe = server.get(&format!("/v1/3x4/probe?board={board}")).json();
        assert_eq!(probe["distance"], distance);
    }
    let far = server.get("/v1/3x4/random?distance=54").json();
    assert!(
        far["detail"].as_str().unwrap().contains("up to 53"),
        "{far}"
    );
}

#[test]
fn every_route_is_described() {
    let dir = built();
    let server = Server::start(dir.path(), &[]);
    let document = server.get("/openapi.json").json();
    assert_eq!(document["openapi"].as_str().unwrap(), "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 14, "{:?}", paths.keys());
    for (path, operations) in paths {
        for operation in operations.as_object().unwrap().values() {
            assert!(operation["summary"].is_string(), "{path}");
        }
    }
}
