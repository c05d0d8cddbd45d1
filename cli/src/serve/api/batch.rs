//! Routes about many boards in one request.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use puzzledb::Cancel;
use puzzledb::ask::{
    self, Oracles, Question, RefusalCode, Solve, Stats as Space, solve as solve_soon,
};
use puzzledb::oracle::{Oracle, Probe, QueryError, SolutionRecord};
use puzzledb::puzzle::{Board, parse_board};

use super::super::answer::{Cacheable, Pieces};
use super::super::app::{App, Weight};
use super::super::lines::{Lines, NDJSON, are_lines};
use super::super::problem::Problem;
use super::super::tables::unless_changed;
use super::params::{JSON, RequestBody, check_type, read, texts};
use super::schemas::{BodyErrorResponses, ErrorResponses, ProbeAnswer, SolveAnswer};

/// Boards to ask about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Boards<'a> {
    /// The boards
    #[serde(borrow)]
    #[schema(value_type = Vec<String>)]
    boards: Vec<BorrowedBoard<'a>>,
}

/// A board in the bytes of the body, if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct BorrowedBoard<'a>(#[serde(borrow)] Cow<'a, str>);

/// A line of a request in NDJSON: a board, alone or in an object. Any other line is taken for a board as it is.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(super) enum BoardLine {
    /// A board
    #[schema(example = "704851632")]
    Alone(String),
    /// A board in an object
    Object {
        /// The board
        board: String,
    },
}

/// Kind of a body: one question, or a list of boards.
#[derive(Deserialize)]
struct Kind {
    boards: Option<IgnoredAny>,
}

/// The answer about a board of many, or why it has none.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum Item<T> {
    /// The answer
    Answer(T),
    /// What is wrong with the board
    Refused(BadBoard),
}

/// What is wrong with a board.
#[derive(Serialize, ToSchema)]
pub(super) struct BadBoard {
    /// The board as it came.
    board: String,
    /// What is wrong.
    error: String,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<RefusalCode>,
}

/// A shortest solution of a board, or of each of many
///
/// Many boards come in one JSON object, or in lines of JSON, a string or an object `{"board": "…"}` each, which are
/// answered by a line each as soon as it is known.
#[utoipa::path(post, path = "/v1/{shape}/solve", tag = "Many boards",
    request_body(content((Boards = "application/json", example = json!({"boards": ["704851632", "536407182"]})), (BoardLine = "application/x-ndjson", example = "704851632"))),
    params(Space),
    responses((status = 200, description = "The solution, or the solutions", content((SolveAnswer = "application/json"), (Item<SolutionRecord> = "application/x-ndjson"))),
        ErrorResponses, BodyErrorResponses))]
pub(super) async fn solve_boards(
    State(app): State<Arc<App>>,
    parts: Parts,
    RequestBody(body): RequestBody,
) -> Result<Response, Problem> {
    let run = app.run(&Cancel::new());
    let ask = move |oracle: &Oracle, board: &Board| solve_soon(oracle, board, &run);
    answer::<Solve, _, _>(&app, parts, body, "solutions", ask).await
}

/// The distance of a board, or of each of many, and what their moves are worth
///
/// Many boards come in one JSON object, or in lines of JSON, a string or an object `{"board": "…"}` each, which are
/// answered by a line each as soon as it is known.
#[utoipa::path(post, path = "/v1/{shape}/probe", tag = "Many boards",
    request_body(content((Boards = "application/json", example = json!({"boards": ["704851632", "536407182"]})), (BoardLine = "application/x-ndjson", example = "704851632"))),
    params(Space),
    responses((status = 200, description = "The distances and moves", content((ProbeAnswer = "application/json"), (Item<Probe> = "application/x-ndjson"))),
        ErrorResponses, BodyErrorResponses))]
pub(super) async fn probe_boards(
    State(app): State<Arc<App>>,
    parts: Parts,
    RequestBody(body): RequestBody,
) -> Result<Response, Problem> {
    answer::<ask::Probe, _, _>(&app, parts, body, "probes", Oracle::probe).await
}

/// Answers a question about one board, or about each board of a list.
async fn answer<Q, A, T>(
    app: &Arc<App>,
    mut parts: Parts,
    body: Bytes,
    list: &'static str,
    ask: A,
) -> Result<Response, Problem>
where
    Q: Question<Record: Serialize + Send> + DeserializeOwned + Send + 'static,
    A: Fn(&Oracle, &Board) -> Result<T, QueryError> + Send + 'static,
    T: Serialize + Send + 'static,
{
    check_type(&parts.headers, &[JSON, NDJSON])?;
    let in_lines = are_lines(&parts.headers);
    if !in_lines && serde_json::from_slice(&body).is_ok_and(|Kind { boards }| boards.is_none()) {
        let question: Q = read(&mut parts, texts(&body)?).await?;
        let record = app.answer(question, Weight::LookUp).await?;
        return Ok(Cacheable(record).into_response());
    }
    let space: Space = read(&mut parts, Vec::new()).await?;
    let goal = space.goal(&app.run(&Cancel::new()))?;
    let oracle = app.oracle_for(goal).await?;
    let questions = Questions { oracle, ask };
    questions.answer(app, in_lines, body, list).await
}

/// A question to an oracle about each of many boards.
struct Questions<A> {
    oracle: Oracle,
    ask: A,
}

impl<A> Questions<A> {
    /// The answers to all boards of a body: in lines if the body is, or else as the list of an object.
    async fn answer<T>(
        self,
        app: &Arc<App>,
        in_lines: bool,
        body: Bytes,
        list: &'static str,
    ) -> Result<Response, Problem>
    where
        A: Fn(&Oracle, &Board) -> Result<T, QueryError> + Send + 'static,
        T: Serialize + Send + 'static,
    {
        let shared = Arc::clone(app);
        if in_lines {
            let work = move |lines: &mut Lines| {
                let questions = self.with_cancel(lines.cancel());
                let boards = body.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
                for line in boards.filter(|line| !line.is_empty()) {
                    lines.push(&match serde_json::from_slice(line) {
                        Ok(BoardLine::Alone(board) | BoardLine::Object { board }) => {
                            questions.one(&shared, board)
                        }
                        Err(_) => {
                            questions.one(&shared, String::from_utf8_lossy(line).into_owned())
                        }
                    })?;
                }
                Ok(())
            };
            return Ok(Lines::answer(app, work));
        }
        let answers = app.light(move |cancel| {
            let questions = self.with_cancel(cancel);
            let Boards { boards } = serde_json::from_slice(&body).map_err(|error| {
                Problem::bad(format!(
                    "the body is not {{\"boards\": [\"…\", …]}}: {error}"
                ))
            })?;
            let mut answers = Pieces::new(&format!("{{\"{list}\":["));
            for board in boards {
                let answer = questions.one(&shared, board.0.into_owned());
                cancel.check().map_err(QueryError::from)?;
                answers.item(&answer);
            }
            unless_changed(&questions.oracle, Ok(()))?;
            answers.text("]}");
            Ok(answers.answer(body.clone()))
        });
        Ok(answers.await?.into_response())
    }

    /// Returns the same questions, which end with a flag.
    fn with_cancel(self, cancel: &Cancel) -> Self {
        Questions {
            oracle: self.oracle.with_cancel(cancel),
            ..self
        }
    }

    /// The answer to a board, or its error.
    fn one<T>(&self, app: &App, board: String) -> Item<T>
    where
        A: Fn(&Oracle, &Board) -> Result<T, QueryError>,
    {
        let read = parse_board(board.as_bytes(), Some(self.oracle.shape()));
        let ask = |board| app.part(&self.oracle, || Ok((self.ask)(&self.oracle, &board)?));
        let answer = read.map_err(Problem::from).and_then(ask);
        match answer {
            Ok(answer) => Item::Answer(answer),
            Err(problem) => Item::Refused(BadBoard {
                board,
                error: problem.to_string(),
                code: problem.code(),
            }),
        }
    }
}
