//! The answers, each a record of the library.

use std::cell::RefCell;

use serde::Serialize;
use serde_json::{Value, json};

use puzzledb::ask::{
    Effort, Estimates, Generate, Oracles, Probe, Question, Refusal, RefusalCode, Run, Search,
    Solutions, Solve, Stats,
};
use puzzledb::oracle::{Limits, Oracle};
use puzzledb::puzzle::Board;

use super::request::{Request, Why};

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

/// Answers a request in JSON: `{"ok": record}` or `{"error": "why not"}`.
///
/// ```
/// let answer = puzzledb_wasm::ask(br#"{"path": "3x3/probe", "query": {"board": "704851632"}}"#);
/// assert!(answer.starts_with(r#"{"ok":{"board":"704851632","goal":"123456780","distance":19,"#));
/// ```
pub fn ask(request: &[u8]) -> String {
    match Request::read(request).and_then(|request| answer(&request)) {
        Ok(record) => format!("{{\"ok\":{record}}}"),
        Err(why) => json!({ "error": why.to_string() }).to_string(),
    }
}

fn answer(request: &Request) -> Result<String, Why> {
    match &*request.name {
        "probe" if !request.body.is_empty() => probe_boards(request),
        "probe" => written(request.read_as::<Probe>()?.answer(&Here, &run())),
        "solve" | "solution" => written(request.read_as::<Solve>()?.answer(&Here, &run())),
        "solutions" => written(request.read_as::<Solutions>()?.answer(&Here, &run())),
        "random" => written(request.read_as::<Generate>()?.answer(&Here, &run())),
        "stats" => written(request.read_as::<Stats>()?.answer(&Here, &run())),
        "search" => written(request.read_as::<Search>()?.answer(&Here, &run())),
        "effort" => written(request.read_as::<Effort>()?.answer(&Here, &run())),
        "heuristics" => written(request.read_as::<Estimates>()?.answer(&Here, &run())),
        "verify" => {
            let question = request.read_as::<puzzledb::ask::Verify>()?;
            written(question.answer(request.body.as_bytes(), &Here, &run()))
        }
        name => Err(format!("there is no question {name:?}").into()),
    }
}

/// Writes a record.
fn written(record: Result<impl Serialize, Refusal>) -> Result<String, Why> {
    Ok(serde_json::to_string(&record?)?)
}

/// The probes of the boards in a body `{"boards": [...]}`.
fn probe_boards(request: &Request) -> Result<String, Why> {
    let question = request.read_as::<Stats>()?; // a shape and a goal
    let body: Value = serde_json::from_str(&request.body)?;
    let boards = body["boards"].as_array().ok_or("the body has no boards")?;
    let probe = |board: &Value| {
        let board = board.as_str().ok_or("a board is a text")?.to_owned();
        let (shape, goal) = (question.shape, question.goal.clone());
        let probe = Probe { board, goal, shape };
        Ok::<_, Why>(json!(probe.answer(&Here, &run())?))
    };
    let probes = boards.iter().map(|board| {
        let why = |why: Why| json!({ "board": board, "error": why.to_string() });
        probe(board).unwrap_or_else(why)
    });
    written(Ok(json!({ "probes": probes.collect::<Value>() })))
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
        Ok(self
            .oracle(goal)
            .ok()
            .map(|oracle| oracle.with_limits(LIMITS_BESIDE)))
    }

    fn code(error: &Refusal) -> Option<RefusalCode> {
        Some(error.code)
    }
}

/// What the work for an answer may use.
fn run() -> Run {
    Run {
        expansions: Some(1_000_000),
        memory: 256 << 20,
        pattern_memory: 32 << 20,
        trace: 10_000,
        solutions: 1000,
        ..Run::default()
    }
}
