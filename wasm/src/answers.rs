//! The answers, each a record of the library.

use std::cell::RefCell;

use serde::Serialize;
use serde_json::{Value, json};

use puzzledb::Cancel;
use puzzledb::oracle::generate::Request;
use puzzledb::oracle::{
    DrawnRecord, Limits, Oracle, Probe, ProbeRecord, SMALL_SPACE, SolutionRecord, SolutionsRecord,
    StatsRecord,
};
use puzzledb::pattern::Partition;
use puzzledb::puzzle::{Board, parse_board};
use puzzledb::search::{
    Algorithm, BoardHeuristic, EffortRecord, EstimatesRecord, GoalTest, HeuristicName, Pattern,
    Settings, Ties, TracedRecord, effort, parse_order, parse_weight,
};
use puzzledb::space::check_solvable;

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
const TRACE: u64 = 10_000;

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
        "search" => search(question),
        "effort" => measure(question),
        "heuristics" => heuristics(question),
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

fn search(mut question: Question) -> Result<String, Refusal> {
    let (board, goal) = question.board_to_goal()?;
    let algorithm = question.take("algorithm", str::parse)?;
    let mut settings = Settings::new(algorithm.unwrap_or(Algorithm::AStar));
    if let Some(name) = question.take("heuristic", str::parse)?
        && settings.algorithm.is_informed()
    {
        settings.heuristic = name;
    }
    let weight = question.take("weight", parse_weight)?;
    settings.weight = weight.unwrap_or(settings.weight);
    let seed = question.number("seed", u64::MAX)?;
    settings.seed = seed.unwrap_or(settings.seed);
    let order = question.take("order", parse_order)?;
    settings.order = order.unwrap_or(settings.order);
    let width = question.number("width", EXPANSIONS)?;
    settings.width = width.map_or(settings.width, |width| width.max(1) as usize);
    let ties = question.take("ties", |name| serde_json::from_value::<Ties>(name.into()))?;
    settings.ties = ties.unwrap_or(settings.ties);
    let limit = question.number("limit", EXPANSIONS)?;
    settings.limits.expansions = limit.unwrap_or(EXPANSIONS);
    settings.limits.memory = SEARCH_MEMORY;
    let trace = question.number("trace", TRACE)?.unwrap_or(0) as usize;
    question.end()?;
    check_solvable(&board, &goal)?;
    let heuristic = make_heuristic(&settings.heuristic, &goal)?;
    let kept = (distance_soon(&board, &goal), trace);
    let boards = (&board, &goal);
    let searched = TracedRecord::search(boards, &settings, &heuristic, kept, &Cancel::new());
    written(&searched?)
}

/// Makes the heuristic for a goal, unless that takes too much memory.
fn make_heuristic(name: &HeuristicName, goal: &Board) -> Result<BoardHeuristic, Refusal> {
    let bytes = match name {
        HeuristicName::Pattern(tiles) => Pattern::memory(goal.shape(), tiles.len()),
        HeuristicName::Patterns(names) => Partition::new(goal, names)?.memory(),
        _ => 0,
    };
    if bytes > PATTERN_MEMORY {
        return Err(format!("{name} is too large here: name fewer tiles").into());
    }
    BoardHeuristic::with_oracle(name, goal, table)
}

/// The table for a goal of a small shape.
fn table(goal: &Board) -> Result<Oracle, Refusal> {
    let oracle = oracle(goal)?;
    match oracle.table() {
        Some(_) => Ok(oracle),
        None => Err(format!("there is no table of {} boards here", goal.shape()).into()),
    }
}

fn measure(mut question: Question) -> Result<String, Refusal> {
    let (board, goal) = question.board_to_goal()?;
    let algorithm = question
        .take("algorithm", str::parse)?
        .unwrap_or(Algorithm::AStar);
    let goal_test = question.take("goal_test", str::parse)?;
    let goal_test = goal_test.unwrap_or(GoalTest::usual(algorithm));
    let name = question.take("heuristic", str::parse)?;
    let name = name.filter(|_| algorithm.is_informed());
    let name = name.unwrap_or_else(|| algorithm.usual_heuristic());
    let expanded = question.number("expanded", u64::MAX)?;
    question.end()?;
    let heuristic = make_heuristic(&name, &goal)?;
    let effort = effort(&table(&goal)?, &board, algorithm, goal_test, &heuristic);
    let effort = effort?;
    written(&EffortRecord::new(
        &board, algorithm, &name, effort, expanded,
    ))
}

fn heuristics(mut question: Question) -> Result<String, Refusal> {
    let (board, goal) = question.board_to_goal()?;
    question.end()?;
    check_solvable(&board, &goal)?;
    let record = EstimatesRecord::new(&board, &goal, distance_soon(&board, &goal));
    written(&record?)
}
