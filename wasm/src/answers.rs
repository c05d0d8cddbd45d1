//! The answers, each a record of the library.

use std::sync::Arc;

use serde::Serialize;

use puzzledb::Cancel;
use puzzledb::ask::{
    Effort, Estimates, Generate, Oracles, Probe, Question, Refusal, RefusalCode, Run, Search,
    Solutions, Solve, Stats, Verify, from_options,
};
use puzzledb::internals::{Sources, goal_of};
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

/// The options of a question, as texts.
type Options = Vec<(String, String)>;

/// Answers a request: a line of JSON, `["probe", [["board", "704851632"]]]`, and its body, if it has one, after the line. The
/// answer is in JSON, `{"ok": record}` or `{"error": "why not", "code": "bad-board"}`. Options are texts as in an address, and
/// lists JSON.
///
/// ```
/// let answer = puzzledb_wasm::ask(br#"["probe", [["board", "[[7, 0, 4], [8, 5, 1], [6, 3, 2]]"]]]"#);
/// assert!(answer.starts_with(br#"{"ok":{"board":"704851632","goal":"123456780","distance":19,"#));
/// ```
///
/// The body of `distances` is many boards, a byte a cell. Its answer is a 0 and a byte for each board: its distance, or 255 if
/// it is not a board, cannot be solved or has no known distance.
///
/// ```
/// let request = b"[\"distances\", [[\"shape\", \"2x2\"]]]\n\x01\x02\x03\x00\x01\x02\x00\x03\x02\x01\x03\x00";
/// assert_eq!(puzzledb_wasm::ask(request), [0, 0, 1, 255]);
/// ```
pub fn ask(request: &[u8]) -> Vec<u8> {
    answer(request).unwrap_or_else(|refusal| serde_json::to_vec(&refusal).unwrap_or_default())
}

fn answer(request: &[u8]) -> Result<Vec<u8>, Refusal> {
    let end = request.iter().position(|&byte| byte == b'\n');
    let (line, body) = request.split_at(end.unwrap_or(request.len()));
    let body = body.get(1..).unwrap_or_default();
    let line = std::str::from_utf8(line).map_err(refused)?;
    let (name, options): (String, Options) = serde_json::from_str(line).map_err(refused)?;
    let unknown = || refused(format!("there is no question {name:?}"));
    match name.as_str() {
        "verify" if cfg!(feature = "verify") => verify(options, body),
        _ if !cfg!(feature = "questions") => Err(unknown()),
        "probe" => record::<Probe>(options),
        "solve" | "solution" => record::<Solve>(options),
        "solutions" => record::<Solutions>(options),
        "random" => record::<Generate>(options),
        "stats" => record::<Stats>(options),
        "search" => record::<Search>(options),
        "effort" => record::<Effort>(options),
        "heuristics" => record::<Estimates>(options),
        "distances" => distances(from_options(options)?, body),
        _ => Err(unknown()),
    }
}

/// Judges the answers in a text.
fn verify(options: Options, text: &[u8]) -> Result<Vec<u8>, Refusal> {
    written(&from_options::<Verify, _>(options)?.answer(text, &Here, &run())?)
}

/// The distances of boards, a byte a cell, below a 0.
fn distances(space: Stats, boards: &[u8]) -> Result<Vec<u8>, Refusal> {
    let goal = goal_of(space.shape, space.goal.as_deref())?;
    let (oracle, shape) = (Here.oracle(&goal)?, goal.shape());
    let distance = |tiles: &[u8]| oracle.distance(&Board::new(shape, tiles).ok()?).ok();
    let boards = boards.chunks(shape.cells());
    let distances = boards.map(|tiles| distance(tiles).unwrap_or(u8::MAX));
    Ok([0].into_iter().chain(distances).collect())
}

/// Answers a question.
fn record<Q: Question>(options: Options) -> Result<Vec<u8>, Refusal> {
    written(&from_options::<Q, _>(options)?.answer(&Here, &run())?)
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
    /// The tables and patterns of all oracles.
    static SOURCES: Arc<Sources> = Arc::default();
}

/// The oracles of this module.
struct Here;

impl Oracles for Here {
    type Error = Refusal;

    fn oracle(&self, goal: &Board) -> Result<Oracle, Refusal> {
        let made = |sources: &Arc<Sources>| Oracle::of_sources(sources, goal, &Cancel::new());
        Ok(SOURCES.with(made)?.with_limits(LIMITS))
    }

    fn oracle_beside(&self, goal: &Board) -> Result<Option<Oracle>, Refusal> {
        let oracle = self.oracle(goal).ok();
        Ok(oracle.map(|oracle| oracle.with_limits(LIMITS_BESIDE)))
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
    use serde_json::{Value, json};

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
            json!(["probe", [["board", board]]]),
            json!(["solve", [["board", board]]]),
            json!(["solutions", [["board", board]]]),
            json!(["random", [["shape", "3x3"], ["rate", "true"]]]),
            json!(["stats", [["shape", "3x3"]]]),
            json!(["search", [["board", board], ["trace", "2"]]]),
            json!(["effort", [["board", board], ["expanded", "1"]]]),
            json!(["heuristics", [["board", board]]]),
            json!(["verify", [["shape", "3x3"], ["fix", "true"]]]),
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
        for (option, code) in [
            (["board", "123456870"], "unsolvable"),
            (["board", "1"], "bad-board"),
            (["bord", "1"], "bad-option"),
        ] {
            let request = json!(["probe", [option]]).to_string();
            let answer: Value = serde_json::from_slice(&ask(request.as_bytes())).unwrap();
            assert_eq!(answer["code"], code, "{answer}");
            assert!(answer["error"].is_string());
        }
    }
}
