//! Promise: a request that cannot be answered is told why, in the words of the command line.

use serde_json::json;

use crate::run::built;
use crate::server::{Server, check};

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
