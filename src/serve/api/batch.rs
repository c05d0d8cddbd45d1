//! Routes about many boards in one request: solving them, and verifying claims about them.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::judge::reading::{Claim, Format, Reader};
use crate::judge::{ClaimRecord, Reading, Tally, TallyRecord, judge_by};
use crate::oracle::{AnyOracle, SolutionRecord};
use crate::puzzle::{Board, Numbering, Shape, parse_board};

use super::super::answer::NoStore;
use super::super::app::{App, goal_or_default};
use super::super::problem::Problem;
use super::error_responses::{BodyErrorResponses, ErrorResponses};
use super::params::{GoalQuery, PathShape, QueryParams, RequestBody};

/// Boards to solve.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Boards {
    /// At most 1000 boards
    #[schema(max_items = 1000, example = json!(["704851632", "536407182"]))]
    boards: Vec<String>,
}

/// A solution for each board, in their order.
#[derive(Serialize, ToSchema)]
pub(super) struct Solved {
    solutions: Vec<SolvedBoard>,
}

/// A board's solution, or why it has none.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum SolvedBoard {
    /// A solution
    Solution(SolutionRecord),
    /// What is wrong with a board
    Error(BadBoard),
}

/// What is wrong with a board.
#[derive(Serialize, ToSchema)]
struct BadBoard {
    /// The board as it came.
    board: String,
    /// What is wrong.
    error: String,
}

/// Shortest solutions of many boards
#[utoipa::path(post, path = "/v1/{shape}/solve", request_body = Boards,
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), GoalQuery),
    responses((status = 200, description = "The solutions", body = Solved), ErrorResponses, BodyErrorResponses))]
pub(super) async fn solve(
    State(app): State<Arc<App>>,
    PathShape(shape): PathShape,
    QueryParams(query): QueryParams<GoalQuery>,
    RequestBody(body): RequestBody,
) -> Result<NoStore<Solved>, Problem> {
    let deadline = app.deadline();
    let oracle = app.oracle(shape, query.goal.as_deref())?;
    let Boards { boards } = serde_json::from_slice(&body).map_err(|error| {
        Problem::bad(format!(
            "the body is not {{\"boards\": [\"…\", …]}}: {error}"
        ))
    })?;
    let most = app.limits.boards;
    if boards.len() > most {
        let detail = format!(
            "{} boards, and {most} at most are solved at once",
            boards.len()
        );
        return Err(Problem::too_large(detail));
    }
    let shared = Arc::clone(&app);
    let solutions = app.heavy(move || {
        let solve = |board: String| {
            if Instant::now() >= deadline {
                return Err(shared.too_late());
            }
            Ok(match read_and_solve(&oracle, &board) {
                Ok(record) => SolvedBoard::Solution(record),
                Err(problem) => SolvedBoard::Error(BadBoard {
                    board,
                    error: problem.to_string(),
                }),
            })
        };
        boards.into_iter().map(solve).collect()
    });
    let solutions = solutions.await?;
    Ok(NoStore(Solved { solutions }))
}

fn read_and_solve(oracle: &AnyOracle, board: &str) -> Result<SolutionRecord, Problem> {
    let board = parse_board(board.as_bytes(), Some(oracle.shape()))?;
    Ok(SolutionRecord::solve(oracle, &board)?)
}

/// What the claims are about, and how they are written.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct VerifyQuery {
    /// The board at distance 0 for claims that name none: a board, or last, first or spiral
    goal: Option<String>,
    /// How moves are written: auto, blank, tile or numbers [default: auto]
    moves: Option<String>,
    /// The board that a text is about, such as one run's output
    board: Option<String>,
    /// Add an optimal solution to each claim that is wrong? [default: false]
    fix: Option<bool>,
}

/// A judgement for each claim, and all of them summed up.
#[derive(Serialize, ToSchema)]
pub(super) struct Verified {
    records: Vec<ClaimRecord>,
    /// The records that cannot be read.
    errors: Vec<Unreadable>,
    summary: TallyRecord,
}

/// A record that cannot be read.
#[derive(Serialize, ToSchema)]
struct Unreadable {
    /// The line on which it begins, from 1.
    line: u64,
    /// What is wrong.
    error: String,
}

/// Is each of a solver's answers a shortest solution?
///
/// The answers are lines (`704851632 19`, `704851632 RDDL...`), a CSV table with a header, JSON objects, or
/// text for people: all that `puzzledb verify` reads, at most 10,000 of them.
#[utoipa::path(post, path = "/v1/{shape}/verify",
    request_body(content = String, content_type = "text/plain", example = "704851632 RDDLLUURRDDLLUURRDD"),
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), VerifyQuery),
    responses((status = 200, description = "The judgements", body = Verified), ErrorResponses, BodyErrorResponses))]
pub(super) async fn verify(
    State(app): State<Arc<App>>,
    PathShape(shape): PathShape,
    QueryParams(query): QueryParams<VerifyQuery>,
    RequestBody(body): RequestBody,
) -> Result<NoStore<Verified>, Problem> {
    let (begun, deadline) = (Instant::now(), app.deadline());
    let oracle = app.oracle(shape, query.goal.as_deref())?;
    let only = parse_notation(query.moves.as_deref())?;
    let shape = oracle.shape();
    let board = query.board.as_deref();
    let board = board.map(|board| parse_board(board.as_bytes(), Some(shape)));
    let verification = Verification {
        reader: Reader {
            numbering: Numbering {
                shape: Some(shape),
                blank: 0,
            },
            only,
            goal: Some(*oracle.goal()),
            until: Some(begun + app.limits.reading_time),
        },
        deadline,
        board: board.transpose()?,
        fix: query.fix.unwrap_or(false),
        oracle,
        app: Arc::clone(&app),
    };
    app.heavy(move || verification.run(&body))
        .await
        .map(NoStore)
}

/// The notation of moves that a request names; `None` to find it out.
fn parse_notation(name: Option<&str>) -> Result<Option<Reading>, Problem> {
    let all = [Reading::Blank, Reading::Tile, Reading::Numbers];
    match name.unwrap_or("auto") {
        "auto" => Ok(None),
        name => match all.into_iter().find(|reading| reading.to_string() == name) {
            Some(reading) => Ok(Some(reading)),
            None => Err(Problem::bad(format!(
                "{name:?} is no notation of moves: there are auto, blank, tile and numbers"
            ))),
        },
    }
}

/// What claims are read and judged with.
struct Verification {
    reader: Reader,
    deadline: Instant,
    board: Option<Board>,
    fix: bool,
    /// For claims that name no goal.
    oracle: AnyOracle,
    app: Arc<App>,
}

impl Verification {
    /// Reads the claims in a text and judges each of them.
    fn run(&self, text: &[u8]) -> Result<Verified, Problem> {
        let none = || Problem::bad("there is no claim in this input");
        if text.trim_ascii().is_empty() {
            return Err(none());
        }
        let (format, begin) = match self.board {
            Some(_) => (Format::Text, 0),
            None => Format::of_text(text, &self.reader),
        };
        let header = text[..begin].iter().filter(|&&byte| byte == b'\n').count();
        let (mut records, mut errors, mut tally) = (Vec::new(), Vec::new(), Tally::default());
        let most = self.app.limits.claims;
        let (mut seen, mut is_late) = (0, false);
        let board = self.board.as_ref();
        format.read(&text[begin..], &self.reader, board, |line, claim| {
            seen += 1;
            is_late = is_late || Instant::now() >= self.deadline;
            if seen > most || is_late {
                return;
            }
            let line = header as u64 + line + 1;
            let judged = match claim {
                Ok(claim) => self.judge(line, &claim, &mut tally),
                Err(error) => Err(error.into()),
            };
            match judged {
                Ok(record) => records.push(record),
                Err(problem) => errors.push(Unreadable {
                    line,
                    error: problem.to_string(),
                }),
            }
        });
        match seen {
            0 => Err(none()),
            _ if seen > most => Err(Problem::too_large(format!(
                "{seen} claims, and {most} at most are judged at once"
            ))),
            _ if is_late => Err(self.app.too_late()),
            _ => Ok(Verified {
                summary: TallyRecord::new(&tally, errors.len() as u64),
                records,
                errors,
            }),
        }
    }

    /// Judges a claim and adds it to the tally.
    fn judge(&self, line: u64, claim: &Claim, tally: &mut Tally) -> Result<ClaimRecord, Problem> {
        let other: AnyOracle;
        let oracle = match self.goal(claim)? {
            goal if goal == *self.oracle.goal() => &self.oracle,
            goal => {
                let visited = self.app.limits.visited;
                other = self.app.tables.any_oracle(&goal, visited)?;
                &other
            }
        };
        let judgement = judge_by(oracle, &claim.board, &claim.answer, self.reader.only)?;
        tally.add(&judgement);
        Ok(ClaimRecord::new(line, claim, &judgement, oracle, self.fix)?)
    }

    /// The goal that a claim is about.
    fn goal(&self, claim: &Claim) -> Result<Board, Problem> {
        let shape: Shape = claim.board.shape();
        match claim.goal {
            Some(goal) => Ok(goal),
            None if shape == self.oracle.shape() => Ok(*self.oracle.goal()),
            None => goal_or_default(shape, None),
        }
    }
}
