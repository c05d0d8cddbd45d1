//! The answers to questions, about one board or many.

use axum::response::Response;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use puzzledb::ask::{Question, RefusalCode, Stats, from_options};

use super::super::answer::{JSON, NDJSON, Problem, is_of_server, json, written};
use super::super::pieces::Pieces;
use super::super::work::Work;
use super::asked::{Asked, Options, refused, texts};

/// How a question is answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub is_always_the_same: bool,
    /// Name of the list of answers, if it takes many boards.
    pub list: Option<&'static str>,
    /// Answers a question, whose options it is given, with a record in JSON.
    pub answer: fn(&Work, Options) -> Result<Vec<u8>, Problem>,
}

/// Answers a question of the library.
pub(super) fn record<Q>(work: &Work, options: Options) -> Result<Vec<u8>, Problem>
where
    Q: Question<Record: Serialize> + DeserializeOwned,
{
    let question: Q = from_options(options)?;
    Ok(written(&work.answer(&question)?))
}

/// Answers the question for the statistics of a space.
pub(super) fn stats(work: &Work, options: Options) -> Result<Vec<u8>, Problem> {
    let question: Stats = from_options(options)?;
    Ok(written(&work.stats(&question)?))
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

/// Answers a question, or one about each of many boards: those of the member `boards` of a JSON object, or of lines.
pub(super) async fn answer(route: Route, asked: Asked) -> Result<Response, Problem> {
    let types: &[_] = match route.list {
        Some(_) => &[JSON, NDJSON],
        None => &[JSON],
    };
    if asked.kind(types)? == NDJSON {
        return many(route, asked, None).await;
    }
    let mut members = asked.members()?;
    if route.list.is_some()
        && let Some(boards) = members.remove("boards")
    {
        let Value::Array(boards) = boards else {
            return Err(refused("the parameter boards is not a list"));
        };
        return many(route, asked.with(members)?, Some(boards)).await;
    }
    if asked.body.len() > QUESTION_BYTES {
        let detail = format!("the body of one question is longer than {QUESTION_BYTES} bytes");
        return Err(Problem::too_large(detail));
    }
    let Asked { options, work, .. } = asked.with(members)?;
    let record = work
        .spawn(move |work| (route.answer)(work, options))
        .await?;
    Ok(json(record, route.is_always_the_same))
}

/// Answers a question about each board of a list, or of the lines of the body: a board, alone or in an object with other
/// options. Any other line is taken for a board as it is.
async fn many(route: Route, asked: Asked, boards: Option<Vec<Value>>) -> Result<Response, Problem> {
    let in_lines = boards.is_none();
    let write = move |pieces: &mut Pieces<'_>| {
        let _permit = asked.permit;
        let lines = asked
            .body
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii);
        let lines = lines.filter(|line| in_lines && !line.is_empty());
        let lines = lines.map(|line| match serde_json::from_slice(line) {
            Ok(item @ (Value::String(_) | Value::Object(_))) => item,
            _ => String::from_utf8_lossy(line).into(),
        });
        pieces.text(&format!("{{\"{}\":[", route.list.unwrap_or_default()));
        for item in boards.into_iter().flatten().chain(lines) {
            let members = match item {
                Value::Object(members) => members,
                board => Map::from_iter([("board".to_owned(), board)]),
            };
            let answer = one(&route, pieces.work, &asked.options, members)?;
            pieces.json(&answer)?;
        }
        pieces.text("]}");
        Ok(())
    };
    Pieces::answer(asked.work, in_lines, write).await
}

/// Answers a question about one of many boards.
fn one(
    route: &Route,
    work: &Work,
    options: &Options,
    members: Map<String, Value>,
) -> Result<Vec<u8>, Problem> {
    let board = match members.get("board") {
        Some(Value::String(board)) => board.clone(),
        board => board.map(Value::to_string).unwrap_or_default(),
    };
    let all = texts(members).map(|own| [&options[..], &own].concat());
    let answer = all.and_then(|all| (route.answer)(work, all));
    answer.or_else(|problem| match problem.code {
        code if is_of_server(code) => Err(problem),
        code => Ok(written(&BadBoard {
            board,
            error: problem.to_string(),
            code,
        })),
    })
}
