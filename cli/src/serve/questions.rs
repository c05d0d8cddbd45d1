//! The answers to questions, about one board or many, and to claims.

use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value};

use puzzledb::ask::{Oracles, Question, RefusalCode, Stats, Verify, from_options};
use puzzledb::internals::goal_of;
use puzzledb::judge::SummaryRecord;

use super::answer::{JSON, NDJSON, Problem, is_of_server, json, written};
use super::asked::{Asked, Options, refused, texts};
use super::pieces::Pieces;
use super::work::Work;

/// Answers a question, whose options it is given, with a record in JSON.
pub(super) type Answer = fn(&Work, Options) -> Result<Vec<u8>, Problem>;

/// Answers a question of the library.
pub(super) fn record<Q: Question>(work: &Work, options: Options) -> Result<Vec<u8>, Problem> {
    let question: Q = from_options(options)?;
    Ok(written(&work.answer(&question)?))
}

/// Answers the question for the statistics of a space, which are computed once.
pub(super) fn stats(work: &Work, options: Options) -> Result<Vec<u8>, Problem> {
    let question: Stats = from_options(options)?;
    let goal = goal_of(question.shape, question.goal.as_deref())?;
    work.end(work.table(&goal))?; // no permit is held while another request computes them
    let known = &work.app.tables.stats;
    let record = known.get_or_insert_with(&goal, || work.answer(&question))?;
    Ok(written(&record))
}

/// What is wrong with a board.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct BadBoard {
    /// The board as it came.
    board: String,
    /// What is wrong.
    error: String,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<RefusalCode>,
}

/// Most bytes of the body of one question.
const QUESTION_BYTES: usize = 16 << 10;

/// Answers a question, or one about each of many boards: those of the member `boards` of a JSON object, or of lines. The list
/// of answers has a name, if it takes many boards.
pub(super) async fn answer(
    mut asked: Asked,
    is_always_the_same: bool,
    list: Option<&'static str>,
    answer: Answer,
) -> Result<Response, Problem> {
    let types = &[JSON, NDJSON][..if list.is_some() { 2 } else { 1 }];
    if asked.kind(types)? == NDJSON {
        return many(asked, None, list, answer).await;
    }
    let mut members = asked.members()?;
    let boards = list.and_then(|_| members.remove("boards"));
    asked.options.extend(texts(members)?);
    match boards {
        Some(Value::Array(boards)) => return many(asked, Some(boards), list, answer).await,
        Some(_) => return Err(refused("the parameter boards is not a list")),
        None if asked.body.len() > QUESTION_BYTES => {
            let detail = format!("the body of one question is longer than {QUESTION_BYTES} bytes");
            return Err(Problem::too_large(detail));
        }
        None => {}
    }
    let Asked { options, work, .. } = asked;
    let record = work.spawn(move |work| answer(work, options)).await?;
    Ok(json(record, is_always_the_same))
}

/// Answers a question about each board of a list, or of the lines of the body: a board, alone or in an object with other
/// options. Any other line is taken for a board as it is.
async fn many(
    asked: Asked,
    boards: Option<Vec<Value>>,
    list: Option<&'static str>,
    answer: Answer,
) -> Result<Response, Problem> {
    let in_lines = boards.is_none();
    let write = move |pieces: &mut Pieces<'_>| {
        let _permit = asked.permit;
        let lines = asked.body.split(|&byte| byte == b'\n');
        let lines = lines.map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| in_lines && !line.is_empty());
        let lines = lines.map(|line| match serde_json::from_slice(line) {
            Ok(item @ (Value::String(_) | Value::Object(_))) => item,
            _ => String::from_utf8_lossy(line).into(),
        });
        pieces.text(&format!("{{\"{}\":[", list.unwrap_or_default()));
        for item in boards.into_iter().flatten().chain(lines) {
            let members = match item {
                Value::Object(members) => members,
                board => Map::from_iter([("board".to_owned(), board)]),
            };
            let board = match members.get("board") {
                Some(Value::String(board)) => board.clone(),
                board => board.map(Value::to_string).unwrap_or_default(),
            };
            let all = texts(members).map(|own| [&asked.options[..], &own].concat());
            match all.and_then(|all| answer(pieces.work, all)) {
                Err(problem) if is_of_server(problem.code) => return Err(problem),
                Err(problem) => pieces.item(&BadBoard {
                    board,
                    error: problem.to_string(),
                    code: problem.code,
                })?,
                Ok(record) => pieces.json(&record)?,
            }
        }
        pieces.text("]}");
        Ok(())
    };
    Pieces::answer(asked.work, in_lines, write).await
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
        asked.options.extend(texts(members)?);
    }
    if let Some(claims) = asked.take("claims") {
        asked.body = Bytes::from(claims);
    }
    let question: Verify = from_options(asked.options)?;
    asked.work.app.tables.class(&question.goal()?)?; // a goal that is not served is refused at once
    let in_lines = kind == NDJSON;
    let write = move |pieces: &mut Pieces<'_>| {
        let _permit = asked.permit;
        let (work, mut errors) = (pieces.work, Vec::new());
        pieces.text("{\"records\":[");
        let summary = question.judge_each(&asked.body, work, &work.run, |judged| {
            match work.end(Ok(judged))? {
                Ok(record) => pieces.item(&record),
                Err((_, problem)) if is_of_server(problem.code) => Err(problem),
                Err((mut unreadable, problem)) => {
                    unreadable.code = problem.code;
                    if in_lines {
                        return pieces.item(&unreadable);
                    }
                    errors.push(unreadable);
                    work.check()
                }
            }
        })?;
        if in_lines {
            return pieces.item(&SummaryRecord { summary });
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
