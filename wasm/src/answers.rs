//! The answers, each a record of the library.

use std::cell::RefCell;

use serde::Serialize;
use serde_json::{Value, json};

use puzzledb::ask::{Effort, Estimates, Oracles, Run, Search};
use puzzledb::oracle::generate::Request;
use puzzledb::oracle::{
    DrawnRecord, Limits, Oracle, Probe, ProbeRecord, SMALL_SPACE, SolutionRecord, SolutionsRecord,
    StatsRecord,
};
use puzzledb::puzzle::{Board, parse_board};

use super::questions::{Question, Refusal};
use super::verify::verify;

/// Limits of a search where there is no table: some seconds.
const LIMITS: Limits = Limits {
    visited: 20_000_000,
    larger_patterns: false,
    ..Limits::DEFAULT
};

/// Boards that are visited for a distance beside another answer.
const VISITED_BESIDE: u64 = 1_000_000;

/// Most solutions in an answer, expansions of a search and of its trace.
const SOLUTIONS: u64 = 1000;
const EXPANSIONS: u64 = 1_000_000;
const TRACE: usize = 10_000;

/// Most bytes of a search, and of the pattern databases of its heuristic.
const SEARCH_MEMORY: u64 = 256 << 20;
const PATTERN_MEMORY: u64 = 32 << 20;

/// Answers a request in JSON: `{"ok": record}` or `{"error": "why not"}`.
///
/// ```
/// let answer = puzzledb_wasm::ask(br#"{"path": "3x3/probe", "query": {"board": "704851632"}}"#);
/// assert!(answer.starts_with(r#"{"ok":{"goal":"123456780","board":"704851632","distance":19,"#));
/// ```
pub fn ask(request: &[u8]) -> String {
    match Question::read(request).and_then(answer) {
        Ok(record) => format!("{{\"ok\":{record}}}"),
        Err(refusal) => json!({ "error": refusal.to_string() }).to_string(),
    }
}

fn answer(question: Question) -> Result<String, Refusal> {
    match &*question.name {
        "probe" if !question.body.is_empty() => probe_boards(question),
        "probe" => probe(question),
        "solution" => solution(question),
        "solutions" => solutions(question),
        "random" => random(question),
        "stats" => stats(question),
        "search" => written(&question.read_as::<Search>()?.answer(&Here, &run())?),
        "effort" => written(&question.read_as::<Effort>()?.answer(&Here, &run())?),
        "heuristics" => written(&question.read_as::<Estimates>()?.answer(&Here, &run())?),
        "verify" => verify(question),
        name => Err(format!("there is no question {name:?}").into()),
    }
}

/// Writes a record.
pub(crate) fn written(record: &impl Serialize) -> Result<String, Refusal> {
    Ok(serde_json::to_string(record)?)
}

thread_local! {
    /// The first oracle, which has the tables or patterns of all.
    static FIRST: RefCell<Option<Oracle>> = const { RefCell::new(None) };
}

/// The oracle for a goal.
pub(crate) fn oracle(goal: &Board) -> Result<Oracle, Refusal> {
    FIRST.with_borrow_mut(|first| {
        let oracle = match first {
            Some(first) => first.with_goal(goal)?,
            None => first.insert(Oracle::for_goal(goal)?).clone(),
        };
        Ok(oracle.with_limits(LIMITS))
    })
}

/// The distance of a board, if it is known soon.
fn distance_soon(board: &Board, goal: &Board) -> Option<u8> {
    let oracle = oracle(goal).ok()?.with_limits(Limits {
        visited: VISITED_BESIDE,
        ..LIMITS
    });
    oracle.optimum(board).ok()?.known()
}

fn probe(mut question: Question) -> Result<String, Refusal> {
    let (board, goal) = question.board_to_goal()?;
    question.end()?;
    let probe = oracle(&goal)?.probe(&board)?;
    written(&ProbeRecord { goal, probe })
}

/// The probes of the boards in a body `{"boards": [...]}`.
fn probe_boards(mut question: Question) -> Result<String, Refusal> {
    let (_, goal) = question.board_and_goal()?;
    let body: Value = serde_json::from_str(&question.body)?;
    question.end()?;
    let oracle = oracle(&goal)?;
    let boards = body["boards"].as_array().ok_or("the body has no boards")?;
    let probe = |board: &Value| -> Result<Probe, Refusal> {
        let text = board.as_str().ok_or("a board is a text")?;
        Ok(oracle.probe(&parse_board(text.as_bytes(), Some(goal.shape()))?)?)
    };
    let probes = boards.iter().map(|board| match probe(board) {
        Ok(probe) => json!(probe),
        Err(error) => json!({ "board": board, "error": error.to_string() }),
    });
    written(&json!({ "probes": probes.collect::<Value>() }))
}

fn solution(mut question: Question) -> Result<String, Refusal> {
    let (board, goal) = question.board_to_goal()?;
    question.end()?;
    written(&SolutionRecord::solve(&oracle(&goal)?, &board)?)
}

fn solutions(mut question: Question) -> Result<String, Refusal> {
    let (board, goal) = question.board_to_goal()?;
    let limit = question.number("limit", SOLUTIONS)?.unwrap_or(SOLUTIONS);
    question.end()?;
    let record = SolutionsRecord::find(&oracle(&goal)?, &board, limit as usize);
    written(&record?)
}

fn random(mut question: Question) -> Result<String, Refusal> {
    let (_, goal) = question.board_and_goal()?;
    let distance = question.number("distance", u8::MAX.into())?;
    let distances = distance.map_or(0..=u8::MAX, |distance| distance as u8..=distance as u8);
    let seed = question.number("seed", u64::MAX)?.unwrap_or(1);
    question.end()?;
    let request = Request::new(distances, 1, seed);
    let board = oracle(&goal)?.generate_soon(&request)?;
    let distance = match distance {
        Some(distance) => Some(distance as u8),
        None => distance_soon(&board, &goal),
    };
    written(&DrawnRecord::new(board, goal, distance, seed))
}

fn stats(mut question: Question) -> Result<String, Refusal> {
    let (_, goal) = question.board_and_goal()?;
    question.end()?;
    let oracle = oracle(&goal)?;
    let stats = match oracle.table() {
        Some(table) if table.header().states() <= SMALL_SPACE => oracle.detailed_stats()?,
        _ => oracle.stats()?,
    };
    written(&StatsRecord::from(&stats))
}

/// The oracles of this module.
struct Here;

impl Oracles for Here {
    type Error = Refusal;

    fn oracle(&self, goal: &Board) -> Result<Option<Oracle>, Refusal> {
        let limits = Limits {
            visited: VISITED_BESIDE,
            ..LIMITS
        };
        Ok(oracle(goal).ok().map(|oracle| oracle.with_limits(limits)))
    }
}

/// What the work for an answer may use.
fn run() -> Run {
    Run {
        expansions: Some(EXPANSIONS),
        memory: SEARCH_MEMORY,
        pattern_memory: PATTERN_MEMORY,
        trace: TRACE,
        ..Run::default()
    }
}
