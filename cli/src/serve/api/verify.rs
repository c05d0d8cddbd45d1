//! The route that judges claims.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use clap::ValueEnum;

use puzzledb::Cancel;
use puzzledb::ask::Moves;
use puzzledb::judge::reading::{Claim, Format, Reader};
use puzzledb::judge::{ClaimRecord, Reading, SummaryRecord, Tally, TallyRecord};
use puzzledb::oracle::{Oracle, QueryError};
use puzzledb::puzzle::{Board, Numbering, Shape, parse_board};

use super::super::answer::{JsonList, JsonObject};
use super::super::app::{App, goal_or_default};
use super::super::lines::{Lines, are_lines, media_type};
use super::super::problem::Problem;
use super::super::tables::unless_changed;
use super::params::{PathShape, QueryParams, RequestBody};
use super::schemas::{self, BodyErrorResponses, ErrorResponses};

/// What the claims are about, and how they are written.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct VerifyQuery {
    /// The board at distance 0 for claims that name none: a board, or last, first or spiral
    goal: Option<String>,
    /// How moves are written [default: auto]
    #[param(schema_with = schemas::notations)]
    moves: Option<String>,
    /// The board that a text is about, such as one run's output
    board: Option<String>,
    /// Add an optimal solution to each claim that is wrong? [default: false]
    fix: Option<bool>,
}

/// Claims to judge.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Claims {
    /// The claims
    #[schema(value_type = Vec<ClaimObject>)]
    claims: Vec<Value>,
}

/// A claim: a path, a length or both. The names of the fields may be others that solvers use.
#[derive(Deserialize, ToSchema)]
#[allow(
    dead_code,
    reason = "only its description is used: the reader of claims reads it"
)]
pub(super) struct ClaimObject {
    /// The board
    #[schema(example = "704851632")]
    board: String,
    /// The moves, in any notation, or `unsolvable`
    #[schema(example = "RDDLLUURRDDLLUURRDD")]
    moves: Option<String>,
    /// The length of the solution
    #[schema(example = 19)]
    length: Option<u64>,
    /// The board at distance 0
    goal: Option<String>,
}

/// A line of the judgements in NDJSON: one for each claim, and all of them summed up in the last.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum VerifiedLine {
    /// The judgement of a claim
    Record(ClaimRecord),
    /// A record that cannot be read
    Error(Unreadable),
    /// All of them summed up: the last line
    Summary(SummaryRecord),
}

/// A judgement for each claim, and all of them summed up.
#[derive(ToSchema)]
#[allow(
    dead_code,
    reason = "only its description is used: the lists are written claim by claim"
)]
pub(super) struct Verified {
    records: Vec<ClaimRecord>,
    /// The records that cannot be read.
    errors: Vec<Unreadable>,
    summary: TallyRecord,
}

/// A record that cannot be read.
#[derive(Serialize, ToSchema)]
pub(super) struct Unreadable {
    /// The line on which it begins, from 1.
    line: u64,
    /// What is wrong.
    error: String,
}

/// Judges a solver's answers.
///
/// The answers are one JSON object with the list `claims`, or a text: lines (`704851632 19`, `704851632
/// RDDL...`), a CSV table with a header, JSON objects, or a solver's output for people, all that `puzzledb verify`
/// reads. Lines of JSON are answered by a line each as soon as it is judged.
#[utoipa::path(post, path = "/v1/{shape}/verify", tag = "Many boards",
    request_body(content(
        (Claims = "application/json", example = json!({"claims": [{"board": "704851632", "length": 19}]})),
        (Value = "application/x-ndjson", example = json!({"board": "704851632", "length": 19})),
        (String = "text/plain", example = "704851632 RDDLLUURRDDLLUURRDD"))),
    params(("shape" = String, Path, description = "Rows x columns", example = "3x3"), VerifyQuery),
    responses((status = 200, description = "The judgements", content((Verified = "application/json"), (VerifiedLine = "application/x-ndjson"))),
        ErrorResponses, BodyErrorResponses))]
pub(super) async fn verify(
    State(app): State<Arc<App>>,
    PathShape(shape): PathShape,
    QueryParams(query): QueryParams<VerifyQuery>,
    headers: HeaderMap,
    RequestBody(body): RequestBody,
) -> Result<Response, Problem> {
    let oracle = app.oracle(shape, query.goal.as_deref()).await?;
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
            cancel: Cancel::new(),
        },
        board: board.transpose()?,
        fix: query.fix.unwrap_or(false),
        oracle,
        cancel: Cancel::new(),
        app: Arc::clone(&app),
    };
    let is_json = media_type(&headers) == Some("application/json");
    if body.trim_ascii().is_empty() {
        return Err(no_claim());
    }
    if are_lines(&headers) {
        let work = move |lines: &mut Lines| {
            let verification = verification.with_cancel(lines.cancel());
            let tally = verification.run(&body, &mut |line| lines.push(&line))?;
            let summary = VerifiedLine::Summary(tally.into());
            lines.push(&summary)
        };
        return Ok(Lines::answer(&app, work));
    }
    let verified = app.light(move |cancel| {
        let verification = verification.with_cancel(cancel);
        let text = if is_json {
            claims_as_lines(body.clone())
        } else {
            body.clone()
        };
        let (mut records, mut errors) = (JsonList::default(), JsonList::default());
        let summary = verification.run(&text, &mut |line| {
            match line {
                VerifiedLine::Record(record) => records.push(&record),
                VerifiedLine::Error(error) => errors.push(&error),
                VerifiedLine::Summary(_) => {}
            }
            Ok(cancel.check().map_err(QueryError::from)?)
        })?;
        unless_changed(&verification.oracle, Ok(()))?;
        let mut object = JsonObject::new();
        object.list("records", records);
        object.list("errors", errors);
        object.field("summary", &summary);
        Ok(object.finish(body))
    });
    Ok(verified.await?.into_response())
}

/// The claims of an object with the list `claims`, one a line. Any other JSON is kept as a record of a solver.
fn claims_as_lines(body: Bytes) -> Bytes {
    let Ok(Claims { claims }) = serde_json::from_slice(&body) else {
        return body;
    };
    let lines: Vec<String> = claims.iter().map(Value::to_string).collect();
    lines.join("\n").into()
}

fn no_claim() -> Problem {
    Problem::bad("there is no claim in this input")
}

/// The notation of moves that a request names; `None` to detect it.
fn parse_notation(name: Option<&str>) -> Result<Option<Reading>, Problem> {
    let name = name.unwrap_or("auto");
    let moves = Moves::from_str(name, false).map(Moves::only);
    moves.map_err(|_| {
        let names = "there are auto, blank, tile and numbers";
        Problem::bad(format!("{name:?} is not a notation of moves: {names}"))
    })
}

/// Settings and oracle by which claims are read and judged.
struct Verification {
    reader: Reader,
    board: Option<Board>,
    fix: bool,
    /// Answers claims that name no goal.
    oracle: Oracle,
    /// Ends the work.
    cancel: Cancel,
    app: Arc<App>,
}

impl Verification {
    /// Returns the same with a flag that ends it, and with the time for reading, which begins now.
    fn with_cancel(mut self, cancel: &Cancel) -> Verification {
        self.reader.cancel = cancel.within(self.app.limits.reading_time);
        self.oracle = self.oracle.with_cancel(cancel);
        self.cancel = cancel.clone();
        self
    }

    /// Reads the claims in a text and judges each of them, until a judgement is not taken.
    fn run(
        &self,
        text: &[u8],
        take: &mut impl FnMut(VerifiedLine) -> Result<(), Problem>,
    ) -> Result<TallyRecord, Problem> {
        let (format, begin) = match self.board {
            Some(_) => (Format::Text, 0),
            None => Format::of_text(text, &self.reader),
        };
        let header = text[..begin].iter().filter(|&&byte| byte == b'\n').count();
        let (mut seen, mut unreadable, mut tally) = (false, 0, Tally::default());
        let mut taken = Ok(());
        let board = self.board.as_ref();
        format.read(&text[begin..], &self.reader, board, |line, claim| {
            seen = true;
            if taken.is_err() {
                return;
            }
            let line = header as u64 + line + 1;
            let judged = match claim {
                Ok(claim) => self.judge(line, &claim, &mut tally),
                Err(error) => Err(error.into()),
            };
            taken = take(match judged {
                Ok(record) => VerifiedLine::Record(record),
                Err(problem) => {
                    unreadable += 1;
                    VerifiedLine::Error(Unreadable {
                        line,
                        error: problem.to_string(),
                    })
                }
            });
        });
        taken?;
        if seen {
            Ok(TallyRecord::new(&tally, unreadable))
        } else {
            Err(no_claim())
        }
    }

    /// Judges a claim and adds it to the tally.
    fn judge(&self, line: u64, claim: &Claim, tally: &mut Tally) -> Result<ClaimRecord, Problem> {
        let other: Oracle;
        let oracle = match self.goal(claim)? {
            goal if goal == *self.oracle.goal() => &self.oracle,
            goal => {
                let visited = self.app.limits.visited;
                let oracle = self.app.tables.any_oracle(&goal, visited)?;
                other = oracle.with_cancel(&self.cancel);
                &other
            }
        };
        let _turn = self.app.turn(oracle)?;
        let judgement = oracle.judge(&claim.board, &claim.answer, self.reader.only);
        let judgement = unless_changed(oracle, judgement.map_err(Problem::from))?;
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
