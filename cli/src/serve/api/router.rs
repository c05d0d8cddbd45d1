//! The routes, and the OpenAPI document of those for programs.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AdditionalProperties, Schema};
use utoipa::openapi::{
    self, Content, ObjectBuilder, OneOfBuilder, PathItem, RefOr, Required, Server,
};
use utoipa::{IntoResponses, OpenApi, PartialSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::app::App;
use super::super::guard::guarded;
use super::super::problem::Problem;

use super::schemas::BodyErrorResponses;
use super::space::Route;
use super::{batch, boards, searches, site, space, verify};

#[derive(OpenApi)]
#[openapi(info(
    title = "puzzledb",
    description = "The truth about sliding-tile puzzles. Boards are written row by row with 0 for the \
                   blank: 704851632, or 704/851/632; letters from a = 10 to o = 24 on larger boards. A goal is \
                   a board or a name, last, first or spiral; it is last (123456780 on 3x3) unless it \
                   is named. Moves are the way the blank goes: U, D, L, R."
), tags(
    (name = "One board", description = "A board's distance, its moves and its solutions, and boards at random"),
    (name = "Many boards", description = "Lists of boards, and the judgement of other solvers' answers"),
    (name = "Searches", description = "The searches and heuristics of the textbooks, beside the truth"),
    (name = "Spaces", description = "What is served, statistics, and databases to download"),
    (name = "Server", description = "Health and figures of the server itself")
))]
struct Api;

/// The router with all routes, inside the layers of [`guarded`].
pub(in crate::serve) fn router(app: &Arc<App>) -> Router {
    let (router, mut document) = OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(space::served))
        .routes(routes!(boards::probe, batch::probe_boards))
        .routes(routes!(boards::solve, batch::solve_boards))
        .routes(routes!(boards::solutions))
        .routes(routes!(boards::random))
        .routes(routes!(verify::verify))
        .routes(routes!(space::stats))
        .routes(routes!(space::database))
        .routes(routes!(searches::search))
        .routes(routes!(searches::effort))
        .routes(routes!(searches::heuristics))
        .routes(routes!(site::healthz))
        .routes(routes!(site::readyz))
        .routes(routes!(site::metrics))
        .split_for_parts();
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    document.servers = Some(vec![Server::new("/")]);
    document.security = Some(Vec::new());
    put_shapes_into_paths(&mut document);
    for (path, item) in &mut document.paths.paths {
        if path.contains("{shape}") {
            describe_body(item);
        }
    }
    let _ = app.routes.set(listed(&document)); // set once for each server
    let router = site::with_files(with_former_routes(router), &document)
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed);
    guarded(router, app)
}

/// Adds the routes of version 0.1 under their former names, which the document leaves out.
fn with_former_routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    router
        .route("/v1", get(space::served))
        .route("/v1/{shape}/solution", get(boards::solve))
        .route("/v1/search", get(searches::search))
        .route("/v1/effort", get(searches::effort))
        .route("/v1/heuristics", get(searches::heuristics))
}

/// The routes of the document.
fn listed(document: &openapi::OpenApi) -> Vec<Route> {
    let routes = document.paths.paths.iter().map(|(path, item)| {
        let operations = [("GET", &item.get), ("POST", &item.post)];
        let operations = operations
            .into_iter()
            .filter_map(|(name, operation)| Some((name, operation.as_ref()?)));
        let (methods, operations): (Vec<_>, Vec<_>) = operations.unzip();
        let summary = operations
            .first()
            .and_then(|operation| operation.summary.clone());
        Route {
            path: path.clone(),
            methods: methods.into_iter().map(str::to_owned).collect(),
            summary: summary.unwrap_or_default(),
        }
    });
    routes.collect()
}

/// Describes the JSON object that a POST has in the place of a query: its members are the parameters of the GET.
fn describe_body(item: &mut PathItem) {
    let (Some(get), Some(post)) = (&item.get, &mut item.post) else {
        return;
    };
    let parameters = get.parameters.iter().flatten();
    let parameters = parameters.filter_map(|parameter| match parameter {
        RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => Some(parameter),
        _ => None,
    });
    let object = parameters.fold(ObjectBuilder::new(), |object, parameter| {
        let schema = parameter.schema.clone().unwrap_or_default();
        let object = object.property(&parameter.name, schema);
        match parameter.required {
            Required::True => object.required(&parameter.name),
            Required::False => object,
        }
    });
    let object =
        Schema::from(object.additional_properties(Some(AdditionalProperties::FreeForm(false))));
    let lists = post.request_body.take();
    let mut body;
    match lists {
        // Lists of boards have a body of their own: one board is another form of it.
        Some(RefOr::T(lists)) => {
            body = lists;
            if let Some(RefOr::T(json)) = body.content.get_mut("application/json") {
                let list = json.schema.take().unwrap_or_default();
                json.schema =
                    Some(Schema::from(OneOfBuilder::new().item(object).item(list)).into());
            }
        }
        _ => {
            let json = Content::new(Some(object));
            body = RequestBodyBuilder::new()
                .content("application/json", json)
                .build();
            post.operation_id = get.operation_id.as_ref().map(|id| format!("{id}_by_post"));
            let is_path = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Path);
            post.parameters
                .iter_mut()
                .for_each(|parameters| parameters.retain(is_path));
        }
    }
    post.request_body = Some(RefOr::T(body));
    let errors = BodyErrorResponses::responses();
    post.responses.responses.extend(errors);
}

/// Describes the shape of a question as a part of the path, where it is one.
fn put_shapes_into_paths(document: &mut utoipa::openapi::OpenApi) {
    let paths = document.paths.paths.iter_mut();
    for (_, item) in paths.filter(|(path, _)| path.contains("{shape}")) {
        let operations = [&mut item.get, &mut item.post].into_iter().flatten();
        for parameter in operations
            .filter_map(|operation| operation.parameters.as_mut())
            .flatten()
        {
            if let RefOr::T(shape) = parameter
                && shape.name == "shape"
            {
                *shape = ParameterBuilder::from(shape.clone())
                    .parameter_in(ParameterIn::Path)
                    .required(Required::True)
                    .schema(Some(String::schema()))
                    .example(Some("3x3".into()))
                    .build();
            }
        }
    }
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
