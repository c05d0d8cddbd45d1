//! The answers, each a record of the library.

use std::cell::RefCell;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use puzzledb::ask::{
    Effort, Estimates, Generate, Oracles, Probe, Question, Refusal, RefusalCode, Run, Search,
    Solutions, Solve, Stats, Verify, from_options,
};
use puzzledb::oracle::{Limits, Oracle};
use puzzledb::puzzle::Board;

/// Limits of a search where there is no table: some seconds.
const LIMITS: Limits = Limits {
    visited: 20_000_000,
    larger_patterns: false,
    ..Limits::DEFAULT
};

/// Limits of a search for a distance beside another answer.
const LIMITS_BESIDE: Limits = Limits {
    visited: 1_000_000,
    ..LIMITS
};

/// A request: what is asked, with the shape before it or among its parameters.
#[derive(Deserialize)]
struct Request {
    path: String,
    #[serde(default)]
    query: Map<String, Value>,
}

/// Answers a request: a line of JSON, and its body, if it has one, after the line. The answer is in JSON, `{"ok": record}` or
/// `{"error": "why not", "code": "bad-board"}`.
///
/// ```
/// let answer = puzzledb_wasm::ask(br#"{"path": "3x3/probe", "query": {"board": [[7, 0, 4], [8, 5, 1], [6, 3, 2]]}}"#);
/// assert!(answer.starts_with(br#"{"ok":{"board":"704851632","goal":"123456780","distance":19,"#));
/// ```
///
/// The body of `distances` is many boards, a byte a cell. Its answer is a 0 and a byte for each board: its distance, or 255 if
/// it is not a board, cannot be solved or has no known distance.
///
/// ```
/// let request = b"{\"path\": \"2x2/distances\"}\n\x01\x02\x03\x00\x01\x02\x00\x03\x02\x01\x03\x00";
/// assert_eq!(puzzledb_wasm::ask(request), [0, 0, 1, 255]);
/// ```
pub fn ask(request: &[u8]) -> Vec<u8> {
    let refused = |why: Refusal| json!({ "error": why.sentence, "code": why.code }).to_string();
    answer(request).unwrap_or_else(|why| refused(why).into())
}

fn answer(request: &[u8]) -> Result<Vec<u8>, Refusal> {
    let end = request.iter().position(|&byte| byte == b'\n');
    let (line, body) = request.split_at(end.unwrap_or(request.len()));
    let body = body.get(1..).unwrap_or_default();
    let request = &serde_json::from_slice::<Request>(line).map_err(refused)?;
    match request.path.rsplit('/').next().unwrap_or_default() {
        "probe" => record::<Probe>(request),
        "solve" | "solution" => record::<Solve>(request),
        "solutions" => record::<Solutions>(request),
        "random" => record::<Generate>(request),
        "stats" => record::<Stats>(request),
        "search" => record::<Search>(request),
        "effort" => record::<Effort>(request),
        "heuristics" => record::<Estimates>(request),
        "verify" => written(&read::<Verify>(request)?.answer(body, &Here, &run())?),
        "distances" => distances(read(request)?, body),
        name => Err(refused(format!("there is no question {name:?}"))),
    }
}

/// The distances of boards, a byte a cell, below a 0.
fn distances(space: Stats, boards: &[u8]) -> Result<Vec<u8>, Refusal> {
    let goal = space.goal(&run())?;
    let (oracle, shape) = (Here.oracle(&goal)?, goal.shape());
    let distance = |tiles: &[u8]| oracle.distance(&Board::new(shape, tiles).ok()?).ok();
    let boards = boards.chunks(shape.cells());
    let distances = boards.map(|tiles| distance(tiles).unwrap_or(u8::MAX));
    Ok([0].into_iter().chain(distances).collect())
}

/// Answers a question.
fn record<Q: Question<Record: Serialize> + DeserializeOwned>(
    request: &Request,
) -> Result<Vec<u8>, Refusal> {
    written(&read::<Q>(request)?.answer(&Here, &run())?)
}

/// Reads the parameters as a question of the library. Texts and numbers are as in an address, lists are JSON.
fn read<Q: DeserializeOwned>(request: &Request) -> Result<Q, Refusal> {
    let mut options = request.query.clone();
    if let Some((shape, _)) = request.path.split_once('/') {
        options.insert("shape".to_owned(), shape.into());
    }
    options.retain(|_, value| !value.is_null());
    from_options(options.into_iter().map(|(name, value)| match value {
        Value::String(text) => (name, text),
        value => (name, value.to_string()),
    }))
}

/// Writes a record.
fn written(record: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    let record = serde_json::to_string(record).map_err(refused)?;
    Ok(format!("{{\"ok\":{record}}}").into())
}

fn refused(why: impl ToString) -> Refusal {
    Refusal::new(RefusalCode::BadOption, why)
}

thread_local! {
    /// The first oracle, which has the tables or patterns of all.
    static FIRST: RefCell<Option<Oracle>> = const { RefCell::new(None) };
}

/// The oracles of this module.
struct Here;

impl Oracles for Here {
    type Error = Refusal;

    fn oracle(&self, goal: &Board) -> Result<Oracle, Refusal> {
        FIRST.with_borrow_mut(|first| {
            let oracle = match first {
                Some(first) => first.with_goal(goal)?,
                None => first.insert(Oracle::for_goal(goal)?).clone(),
            };
            Ok(oracle.with_limits(LIMITS))
        })
    }

    fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>, Refusal> {
        let oracle = self.oracle(goal).ok();
        Ok(oracle.map(|oracle| oracle.with_limits(LIMITS_BESIDE)))
    }

    fn code(error: &Refusal) -> Option<RefusalCode> {
        Some(error.code)
    }
}

/// What the work for an answer may use.
fn run() -> Run {
    Run {
        expansions: Some(1_000_000),
        memory: Some(256 << 20),
        pattern_memory: Some(32 << 20),
        trace: Some(200_000),
        solutions: Some(1000),
        ..Run::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of all members in a value.
    fn names(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| names(item, found)),
            Value::Object(members) => members.iter().for_each(|(name, value)| {
                found.push(name.clone());
                // The names in these are data.
                if name != "verdicts" && name != "readings" {
                    names(value, found);
                }
            }),
            _ => {}
        }
    }

    #[test]
    fn the_types_of_the_package_have_every_member_of_every_record() {
        let types = include_str!("../npm/puzzledb.d.ts");
        let board = "704851632";
        for request in [
            json!({"path": "probe", "query": {"board": board}}),
            json!({"path": "solve", "query": {"board": 704_851_632}}),
            json!({"path": "solutions", "query": {"board": board}}),
            json!({"path": "random", "query": {"shape": "3x3", "rate": true}}),
            json!({"path": "3x3/stats"}),
            json!({"path": "search", "query": {"board": board, "trace": 2}}),
            json!({"path": "effort", "query": {"board": board, "expanded": 1}}),
            json!({"path": "heuristics", "query": {"board": board}}),
            json!({"path": "3x3/verify", "query": {"fix": true}}),
        ] {
            let text = format!("{request}\n704851632 21\n704851632 RDDL\nx 2"); // read by verify alone
            let answer: Value = serde_json::from_slice(&ask(text.as_bytes())).unwrap();
            let mut found = Vec::new();
            names(&answer["ok"], &mut found);
            assert!(!found.is_empty(), "{request}: {answer}");
            for name in found {
                let is_there = [": ", "?: "]
                    .iter()
                    .any(|end| types.contains(&format!(" {name}{end}")));
                assert!(is_there, "{name} of {request}");
            }
        }
    }

    #[test]
    fn a_refusal_has_a_code_and_a_sentence() {
        for (query, code) in [
            (json!({"board": "123456870"}), "unsolvable"),
            (json!({"board": "1"}), "bad-board"),
            (json!({"bord": "1"}), "bad-option"),
        ] {
            let request = json!({"path": "3x3/probe", "query": query}).to_string();
            let answer: Value = serde_json::from_slice(&ask(request.as_bytes())).unwrap();
            assert_eq!(answer["code"], code, "{answer}");
            assert!(answer["error"].is_string());
        }
    }
}
