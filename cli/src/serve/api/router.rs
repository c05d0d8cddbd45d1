//! All routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::{IntoParams, ToSchema};

use puzzledb::ask::{
    Effort, Estimates, Generate, Probe, Question, Search, Solutions, Solve, Stats,
};

use super::super::answer::JSON;
use super::super::app::App;
use super::super::guard::guarded;
use super::super::page::FILES;
use super::super::problem::Problem;
use super::super::work::{Weight, Work};
use super::asked::Asked;
use super::document::Document;
use super::questions::{Answer, Route, answer};
use super::site;
use super::verify::verify;

/// The questions, with their routes and their description.
struct Questions {
    router: Router<Arc<App>>,
    document: Document,
}

impl Questions {
    fn add<Q>(&mut self, route: Route, ask: Answer<Q>)
    where
        Q: Question<Record: Serialize + ToSchema + Send>,
        Q: DeserializeOwned + IntoParams + Send + 'static,
    {
        self.document.add_question::<Q, Q::Record>(&route);
        let answer = move |asked: Asked| answer(route, asked, ask);
        let mut router = std::mem::take(&mut self.router);
        // Former names, which the document leaves out.
        let former = match route.name {
            "solve" => Some("/v1/{shape}/solution"),
            "search" => Some("/v1/search"),
            "effort" => Some("/v1/effort"),
            "heuristics" => Some("/v1/heuristics"),
            _ => None,
        };
        if let Some(former) = former {
            router = router.route(former, get(answer));
        }
        let path = format!("/v1/{{shape}}/{}", route.name);
        self.router = router.route(&path, get(answer).post(answer));
    }
}

/// The router with all routes, inside the layers of [`guarded`].
pub(in crate::serve) fn router(app: &Arc<App>) -> Router {
    let mut questions = Questions {
        router: Router::new(),
        document: Document::new(),
    };
    let route = |name, summary| Route {
        name,
        tag: "One board",
        summary,
        weight: Weight::LookUp,
        is_always_the_same: true,
        list: None,
    };
    questions.add::<Probe>(
        Route {
            list: Some("probes"),
            ..route(
                "probe",
                "A board's distance, and what each of its moves is worth, best first",
            )
        },
        Work::answer,
    );
    questions.add::<Solve>(
        Route {
            list: Some("solutions"),
            ..route("solve", "A shortest solution")
        },
        Work::answer,
    );
    let solutions = route("solutions", "All shortest solutions, or the first of them");
    questions.add::<Solutions>(solutions, Work::answer);
    questions.add::<Generate>(
        Route {
            is_always_the_same: false,
            ..route("random", "A board at random")
        },
        Work::answer,
    );
    let summary = "Boards and solutions by distance, and the hardest boards";
    questions.add::<Stats>(
        Route {
            tag: "Spaces",
            weight: Weight::Search,
            ..route("stats", summary)
        },
        |work, question, _| work.stats(question),
    );
    let searches = |name, summary| Route {
        tag: "Searches",
        weight: Weight::Beside,
        ..route(name, summary)
    };
    questions.add::<Search>(
        Route {
            weight: Weight::Search,
            is_always_the_same: false,
            ..searches("search", "A search of the textbooks, and what it costs")
        },
        Work::answer,
    );
    let effort = searches("effort", "How many boards a correct search expands");
    questions.add::<Effort>(effort, Work::answer);
    let heuristics = searches("heuristics", "What each heuristic says of a board");
    questions.add::<Estimates>(heuristics, Work::answer);
    with_others(questions, app)
}

/// Adds the routes beside the questions.
fn with_others(questions: Questions, app: &Arc<App>) -> Router {
    let routes = questions.document.routes();
    let served = get(async move |State(app): State<Arc<App>>| site::served(&app, routes.clone()));
    let json = questions.document.to_json();
    let mut router = questions
        .router
        .route("/v1/", served.clone())
        .route("/v1", served)
        .route("/v1/{shape}/verify", get(verify).post(verify))
        .route("/v1/{shape}/database", get(site::database))
        .route("/healthz", get(site::healthz))
        .route("/readyz", get(site::readyz))
        .route("/metrics", get(site::metrics))
        .route("/openapi.json", site::file(json.into(), JSON));
    for (i, page) in FILES.iter().enumerate() {
        let path = if i == 0 { String::new() } else { page.path() };
        let file = site::file(page.bytes.into(), page.content_type());
        router = router.route(&format!("/{path}"), file);
    }
    let router = router
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed);
    guarded(router, app)
}

/// The answer for a path without a route.
async fn not_found(request: Request) -> Problem {
    let path = request.uri().path();
    let detail = format!("there is nothing at {path}: /v1/ lists the routes");
    Problem::new(StatusCode::NOT_FOUND, detail)
}

/// The answer to a method that a route does not have, and to OPTIONS. The router adds the methods that it has.
async fn method_not_allowed(method: Method) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    let detail =
        format!("{method} is not allowed here: the header Allow names the methods that are");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, detail).into_response()
}
