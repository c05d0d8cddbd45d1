//! The route that judges claims.

use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;

use puzzledb::ask::{Unreadable, Verify, from_options};
use puzzledb::judge::{ClaimRecord, SummaryRecord};

use super::super::answer::{JSON, NDJSON, Problem, is_of_server};
use super::super::pieces::Pieces;
use super::asked::Asked;

/// A line of the judgements in NDJSON: one for each claim, and all of them summed up in the last.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(untagged)]
pub(super) enum VerifiedLine {
    /// The judgement of a claim
    Record(ClaimRecord),
    /// A record that cannot be read
    Error(Unreadable),
    /// All of them summed up: the last line
    Summary(SummaryRecord),
}

/// Judges claims: those of the parameter `claims`, of the member `claims` of a JSON object, which is a list or a text, or
/// of a text. JSON without it is a record of a solver, and kept as it is. Lines of JSON are answered by a line each.
pub(super) async fn verify(mut asked: Asked) -> Result<Response, Problem> {
    let kind = asked.kind(&["text/plain", JSON, NDJSON, "text/csv"])?;
    if let (JSON, Ok(mut members)) = (kind, asked.members())
        && let Some(claims) = members.get_mut("claims")
    {
        if let Value::Array(list) = claims {
            let lines: Vec<String> = list.iter().map(Value::to_string).collect();
            *claims = lines.join("\n").into();
        }
        asked = asked.with(members)?;
    }
    if let Some(claims) = asked.take("claims") {
        asked.body = Bytes::from(claims);
    }
    let question: Verify = from_options(asked.options)?;
    asked.work.app.tables.open(&question.goal()?)?; // a goal that is not served is refused at once
    let in_lines = kind == NDJSON;
    let write = move |pieces: &mut Pieces<'_>| {
        let _permit = asked.permit;
        let (work, mut errors) = (pieces.work, Vec::new());
        pieces.text("{\"records\":[");
        let summary =
            question.judge_each(&asked.body, work, &work.run(), |judged| match judged {
                Ok(record) => pieces.item(&VerifiedLine::Record(record)),
                Err(Unreadable {
                    code: Some(code),
                    error,
                    ..
                }) if is_of_server(Some(code)) => Err(Problem::of(code, error)),
                Err(error) if in_lines => pieces.item(&VerifiedLine::Error(error)),
                Err(error) => {
                    errors.push(error);
                    work.check()
                }
            })?;
        if in_lines {
            return pieces.item(&VerifiedLine::Summary(SummaryRecord { summary }));
        }
        pieces.text("],\"errors\":[");
        errors.iter().try_for_each(|error| pieces.item(error))?;
        pieces.text("],\"summary\":");
        pieces.item(&summary)?;
        pieces.text("}");
        Ok(())
    };
    Pieces::answer(asked.work, in_lines, write).await
}
