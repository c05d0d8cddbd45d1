//! Promise: a request that cannot be answered gets the reason, in the words of the API.

use serde_json::json;

use crate::run::built;
use crate::server::{Server, check};

#[test]
fn what_is_refused_is_refused_with_the_reason() {
    let dir = built();
    let server = Server::start(dir.path(), &["--shapes", "2x3,2x4,3x3"]);
    let document = server.get("/openapi.json").json();
    let many = json!({ "boards": vec!["123456780"; 100_000] }).to_string();
    let claims = "123456780 0\n".repeat(100_000);
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
            "/v1/{shape}/solve",
            "/v1/3x3/solve?board=123456870",
            "",
            422,
            "123804765",
        ),
        (
            "get",
            "/v1/{shape}/solve",
            "/v1/1x3/solve?board=1",
            "",
            404,
            "2 or more",
        ),
        (
            "get",
            "/v1/{shape}/solve",
            "/v1/3x4/solve?board=123456789ab0",
            "",
            404,
            "no database of 3x4 boards: it serves 2x3, 2x4, 3x3",
        ),
        (
            "get",
            "/v1/{shape}/solve",
            "/v1/5x5/solve?board=123456789abcdefghijklmno0",
            "",
            404,
            "16 cells",
        ),
        (
            "get",
            "/v1/{shape}/solve",
            "/v1/%FF/solve?board=1",
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
            "there are full, bit",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=123456870",
            "",
            422,
            "parity",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=704851632&algorithm=b*",
            "",
            400,
            "best-first-depth",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=704851632&heuristic=best",
            "",
            400,
            "linear-conflict",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=704851632&weight=-1",
            "",
            400,
            "0 to 1000",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=704851632&order=UUDL",
            "",
            400,
            "once",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=704851632&limit=1000001",
            "",
            400,
            "1000000 at most",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=704851632&trace=10001",
            "",
            400,
            "10000 at most",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x3/search?board=704851632&heuristic=pattern:12345678",
            "",
            400,
            "fewer tiles",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/4x4/search?board=123456789abcde0f&heuristic=perfect",
            "",
            404,
            "no database of",
        ),
        (
            "get",
            "/v1/{shape}/search",
            "/v1/3x4/search?board=123456789ab0&heuristic=perfect",
            "",
            404,
            "no database of",
        ),
        (
            "get",
            "/v1/{shape}/effort",
            "/v1/3x3/effort?board=704851632&algorithm=beam",
            "",
            400,
            "not for beam",
        ),
        (
            "get",
            "/v1/{shape}/effort",
            "/v1/4x4/effort?board=123456789abcde0f",
            "",
            404,
            "no database of 4x4 boards: it serves 2x3, 2x4, 3x3",
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
            "board",
        ),
        (
            "post",
            "/v1/{shape}/solve",
            "/v1/3x3/solve",
            &many,
            413,
            "longer than 1048576 bytes",
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
            "longer than 1048576 bytes",
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
        is_in_the_words_of_the_api(target, &detail);
    }
    for (method, target, status) in [
        ("GET", "/nothing", 404),
        ("GET", "/v1/3x3/nothing", 404),
        ("POST", "/v1/3x3/solution?board=704851632", 405),
        ("GET", "/v1/3x3/verify", 400),
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
        is_in_the_words_of_the_api(target, answer.json()["detail"].as_str().unwrap());
    }
}

/// Checks that a message has neither options of the command line nor words of the libraries beneath.
fn is_in_the_words_of_the_api(asked: &str, detail: &str) {
    for word in [" --", "deserialize", "parameter field", "1 cells"] {
        assert!(!detail.contains(word), "{asked}: {detail}");
    }
    assert!(detail.len() > 10, "{asked}: {detail}");
}

#[test]
fn no_answer_names_an_option_of_the_command_line() {
    let dir = built();
    let server = Server::start(dir.path(), &["--shapes", "3x3"]);
    for (target, words) in [
        ("/v1/3x3/probe", "missing parameter `board`"),
        ("/v1/3x3/probe?board=", "no board here"),
        ("/v1/3x3/probe?board=7", "1 cell where a 3x3 board has 9"),
        (
            "/v1/3x3/probe?board=0123456789",
            "10 cells where a 3x3 board has 9",
        ),
        ("/v1/3x3/probe?board=704/85/1632", "rows have 3, 2, 4 cells"),
        ("/v1/3x3/probe?board=70485163z", "\"z\" in cell 9"),
        ("/v1/3x3/probe?board=704851639", "9 in cell 9"),
        (
            "/v1/3x3/probe?board=704851632&shape=3x3",
            "duplicate parameter `shape`",
        ),
        (
            "/v1/3x3/probe?board=704851632&goal=7",
            "\"7\" is not a 3x3 board (1 cell where a 3x3 board has 9)",
        ),
        (
            "/v1/3x3/probe?board=1&board=1",
            "duplicate parameter `board`",
        ),
        ("/v1/3x3/random?distance=far", "the parameter distance: "),
        ("/v1/3x3/random?seed=-1", "the parameter seed: "),
        ("/v1/3x3/random?distance=99", "distances go up to 31"),
        ("/v1/3/probe?board=1", "rows x columns"),
        ("/v1/2x5/stats", "no database of 2x5 boards: it serves 3x3"),
        ("/v1/3x3/database?encoding=both", "full"),
        ("/v1/search", "missing parameter `board`"),
        (
            "/v1/search?board=0123456789",
            "10 cells: square boards have 4, 9, 16, 25, 36, 49 or 64; the shape of another must be named, as in 2x5",
        ),
        (
            "/v1/search?board=7",
            "1 cell: square boards have 4, 9, 16, 25, 36, 49 or 64",
        ),
        (
            "/v1/search?board=704851632&shape=2x5",
            "9 cells where a 2x5 board has 10",
        ),
        ("/v1/search?board=704851632&shape=9x9", "too large"),
        (
            "/v1/search?board=704851632&algorithm=d",
            "is not an algorithm",
        ),
        (
            "/v1/search?board=704851632&ties=d",
            "is not a way to break ties",
        ),
        ("/v1/search?board=704851632&heuristic=pattern:9", "tile 9"),
        (
            "/v1/search?board=704851632&heuristic=pattern:11",
            "different tiles",
        ),
        ("/v1/effort?board=704851632&algorithm=dfs", "not for dfs"),
        (
            "/v1/effort?board=704851632&heuristic=linear-conflict-naive",
            "not consistent",
        ),
        ("/v1/effort?board=123450&shape=2x3", "it serves 3x3"),
        ("/v1/heuristics?board=12345", "5 cells"),
        ("/v1/3x3/verify", "no claim in this input"),
        ("/v2", "there is nothing at /v2"),
    ] {
        let answer = server.get(target);
        assert!(answer.status >= 400, "{target}: {}", answer.head);
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(words), "{target}: {detail}");
        is_in_the_words_of_the_api(target, &detail);
    }
    for (target, body, words) in [
        ("/v1/3x3/solve", "{\"boards\": [\"7\"]}", "1 cell where"),
        (
            "/v1/3x3/solve",
            "{\"boards\": [\"0123456789\"]}",
            "10 cells where a 3x3 board has 9",
        ),
        (
            "/v1/3x3/verify",
            "a text about nothing",
            "in the parameter board",
        ),
        ("/v1/3x3/verify", "704851632", "no answer was found"),
        ("/v1/3x3/verify", "[{\"board\": \"70485163\"}]", "8 cells"),
        (
            "/v1/3x3/verify",
            "board,length\n704851632,many\n",
            "\"many\" is not a length",
        ),
        (
            "/v1/3x3/verify?board=704851632",
            "nothing",
            "no answer was found",
        ),
        (
            "/v1/3x3/verify?moves=tile",
            "board,moves\n704851632,4 8 5\n",
            "moves=tile",
        ),
    ] {
        let answer = server.post(target, body).json();
        let list = answer["errors"]
            .as_array()
            .or(answer["solutions"].as_array());
        let error = list.unwrap_or_else(|| panic!("{target} {body}: {answer}"))[0]["error"].clone();
        let error = error
            .as_str()
            .unwrap_or_else(|| panic!("{target} {body}: {answer}"));
        assert!(error.contains(words), "{target} {body}: {error}");
        is_in_the_words_of_the_api(body, error);
    }
}
