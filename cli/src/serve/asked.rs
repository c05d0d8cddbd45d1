//! What a request asks: the shape in the path, the parameters of the query, the members of a JSON body.

use std::sync::Arc;

use axum::RequestExt;
use axum::body::HttpBody;
use axum::extract::{FromRequest, Path, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use bytes::Bytes;
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use puzzledb::ask::RefusalCode;
use puzzledb::puzzle::Shape;

use super::answer::Problem;
use super::server::App;
use super::work::Work;

/// Most bytes of a body that needs no permit.
const SMALL_BODY: u64 = 64 << 10;

/// Names and texts of options.
pub(super) type Options = Vec<(String, String)>;

/// A request, whose body is read.
pub(super) struct Asked {
    /// The options of the path and the query.
    pub options: Options,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// The permit of a large body.
    pub permit: Option<OwnedSemaphorePermit>,
    pub work: Work,
}

impl FromRequest<Arc<App>> for Asked {
    type Rejection = Problem;

    async fn from_request(mut request: Request, app: &Arc<App>) -> Result<Asked, Problem> {
        let shape = request.extract_parts::<Option<Path<String>>>().await;
        let shape = shape.map_err(|_| refused("the path is not UTF-8"))?;
        let query = request.uri().query().unwrap_or_default().as_bytes();
        let mut options: Options = form_urlencoded::parse(query).into_owned().collect();
        if let Some(Path(shape)) = shape {
            let not_found = |error| Problem::new(StatusCode::NOT_FOUND, error);
            let shape: Shape = shape.parse().map_err(not_found)?;
            options.push(("shape".to_owned(), shape.to_string()));
        }
        let headers = request.headers().clone();
        let (body, permit) = match *request.method() == Method::POST {
            true => read_body(request, app).await?,
            false => (Bytes::new(), None),
        };
        Ok(Asked {
            options,
            body,
            work: Work::new(app, &headers),
            headers,
            permit,
        })
    }
}

/// Reads a whole body. One that is large, or may become so, is read only once there is a permit for it, which is given
/// back with the answer, so that the bodies of many clients never are in memory at the same time.
async fn read_body(
    request: Request,
    app: &App,
) -> Result<(Bytes, Option<OwnedSemaphorePermit>), Problem> {
    let limits = &app.config.limits;
    let (most, time) = (limits.body_bytes, limits.client_time);
    let too_large = || Problem::too_large(format!("the body is longer than {most} bytes"));
    let size = request.body().size_hint();
    if size.lower() > most as u64 {
        return Err(too_large()); // by its own content-length: nothing of it is read
    }
    let mut permit = None;
    if size.upper().is_none_or(|bytes| bytes > SMALL_BODY) {
        let next = Arc::clone(&app.body_permits).acquire_owned();
        let next = timeout(limits.heavy_wait, next).await;
        let busy = "the bodies of other requests are being read: ask again in a moment";
        permit = next.map_err(|_| Problem::of(RefusalCode::Busy, busy))?.ok();
    }
    match timeout(time, request.extract::<Bytes, _>()).await {
        Ok(Ok(body)) => Ok((body, permit)),
        Ok(Err(error)) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(too_large()),
        Ok(Err(_)) => Err(refused("the body is not complete")),
        Err(_) => {
            let detail = format!("the body took longer than {time:?}");
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, detail))
        }
    }
}

impl Asked {
    /// The media type of the body, which is one of these; the first if it is not named.
    pub(super) fn kind(&self, types: &[&'static str]) -> Result<&'static str, Problem> {
        let named = self.headers.get(header::CONTENT_TYPE);
        let named = named.map_or(types[0], |named| named.to_str().unwrap_or_default());
        let kind = named.split(';').next().unwrap_or_default().trim();
        let known = types.iter().find(|one| one.eq_ignore_ascii_case(kind));
        known.copied().ok_or_else(|| {
            let types = types.join(" or ");
            let detail = format!("the content-type of the body is {named:?}: it must be {types}");
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
        })
    }

    /// The members of a JSON object, which are further options; none if there is no body.
    pub(super) fn members(&self) -> Result<Map<String, Value>, Problem> {
        if self.body.trim_ascii().is_empty() {
            return Ok(Map::new());
        }
        let error = |error| format!("the body is not a JSON object of parameters: {error}");
        serde_json::from_slice(&self.body).map_err(|why| refused(error(why)))
    }

    /// Takes an option that is not one of the library's.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.options.iter().position(|(one, _)| one == name)?;
        Some(self.options.remove(at).1)
    }
}

/// Reads the members of a JSON object as options: texts as they are, numbers and lists as JSON.
pub(super) fn texts(members: Map<String, Value>) -> Result<Options, Problem> {
    let text = |(name, value)| match value {
        Value::Null | Value::Object(_) => Err(refused(format!(
            "the parameter {name} is neither a text, a number nor a list"
        ))),
        Value::String(text) => Ok((name, text)),
        value => Ok((name, value.to_string())),
    };
    members.into_iter().map(text).collect()
}

/// The refusal of an option.
pub(super) fn refused(detail: impl std::fmt::Display) -> Problem {
    Problem::of(RefusalCode::BadOption, detail)
}
