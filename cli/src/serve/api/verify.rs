//! The route that judges claims.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use puzzledb::ask::{Unreadable, Verified, Verify};
use puzzledb::judge::{ClaimRecord, SummaryRecord};
use puzzledb::oracle::QueryError;

use super::super::answer::Pieces;
use super::super::app::App;
use super::super::lines::{Lines, NDJSON, are_lines, media_type};
use super::super::problem::Problem;
use super::super::tables::unless_changed;
use super::params::{JSON, Parameters, RequestBody, check_type};
use super::schemas::{BodyErrorResponses, ErrorResponses};

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

/// Judges a solver's answers.
///
/// The answers are one JSON object with the list `claims`, or a text: lines (`704851632 19`, `704851632
/// RDDL...`), a CSV table with a header, JSON objects, or a solver's output for people, all that `puzzledb verify`
/// reads. Lines of JSON are answered by a line each as soon as it is judged.
#[utoipa::path(post, path = "/v1/{shape}/verify", tag = "Many boards",
    request_body(content(
        (Claims = "application/json", example = json!({"claims": [{"board": "704851632", "length": 19}]})),
        (ClaimObject = "application/x-ndjson", example = json!({"board": "704851632", "length": 19})),
        (String = "text/plain", example = "704851632 RDDLLUURRDDLLUURRDD"))),
    params(Verify),
    responses((status = 200, description = "The judgements", content((Verified = "application/json"), (VerifiedLine = "application/x-ndjson"))),
        ErrorResponses, BodyErrorResponses))]
pub(super) async fn verify(
    State(app): State<Arc<App>>,
    Parameters(question): Parameters<Verify>,
    headers: HeaderMap,
    RequestBody(body): RequestBody,
) -> Result<Response, Problem> {
    check_type(&headers, &[JSON, NDJSON, "text/plain", "text/csv"])?;
    let oracle = app.oracle_for(question.goal()?).await?;
    let shared = Arc::clone(&app);
    if are_lines(&headers) {
        let work = move |lines: &mut Lines| {
            let run = shared.run(lines.cancel());
            let tally = question.judge_each(&body, &*shared, &run, |judged| {
                lines.push(&match judged {
                    Ok(record) => VerifiedLine::Record(record),
                    Err(error) => VerifiedLine::Error(error),
                })
            })?;
            lines.push(&VerifiedLine::Summary(tally.into()))
        };
        return Ok(Lines::answer(&app, work));
    }
    let is_json = media_type(&headers).is_some_and(|kind| kind.eq_ignore_ascii_case(JSON));
    let verified = app.light(move |cancel| {
        let text = match is_json {
            true => claims_as_lines(body.clone()),
            false => body.clone(),
        };
        let mut records = Pieces::new("{\"records\":[");
        let mut errors = Pieces::new("],\"errors\":[");
        let summary = question.judge_each(&text, &*shared, &shared.run(cancel), |judged| {
            match judged {
                Ok(record) => records.item(&record),
                Err(error) => errors.item(&error),
            }
            Ok(cancel.check().map_err(QueryError::from)?)
        })?;
        unless_changed(&oracle, Ok(()))?;
        let summary = serde_json::to_string(&summary).map_err(Problem::internal)?;
        records.append(errors);
        records.text(&format!("],\"summary\":{summary}}}"));
        Ok(records.answer(body))
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
