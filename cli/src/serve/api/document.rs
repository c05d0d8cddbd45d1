//! The routes of questions, and the OpenAPI document: their description for programs. What does not follow from a struct is in
//! `openapi.json`; the schemas of options and records are added.

use std::mem::take;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use serde_json::{Map, Value, json};
use utoipa::openapi::path::ParameterIn;
use utoipa::{IntoParams, ToSchema};

use puzzledb::ask::{Question, Verified, Verify};

use super::super::answer::{JSON, NDJSON, Problem};
use super::super::server::App;
use super::asked::Asked;
use super::questions::{BadBoard, Route, answer};
use super::site::{Listed, Served};
use super::verify::VerifiedLine;

/// The document, and the router with the routes of the questions that it describes.
pub(super) struct Document {
    json: Value,
    router: Router<Arc<App>>,
}

/// An object whose members are options.
fn object<'a>(options: impl IntoIterator<Item = &'a Value>) -> Value {
    let (mut members, mut required) = (Map::new(), Vec::new());
    for option in options {
        let name = option["name"].as_str().unwrap_or_default();
        members.insert(name.to_owned(), option["schema"].clone());
        if option["required"] == true {
            required.push(name);
        }
    }
    json!({"type": "object", "properties": members, "required": required, "additionalProperties": false})
}

/// The members of an object.
fn members(object: &mut Value) -> &mut Map<String, Value> {
    object.as_object_mut().expect("it is an object")
}

/// An option that a struct does not have.
fn option(name: &str, description: &str, schema: Value) -> Value {
    json!({"name": name, "in": "query", "required": true, "description": description, "schema": schema})
}

impl Document {
    /// The document without the questions.
    pub(super) fn new() -> Document {
        let mut document = Document {
            json: serde_json::from_str(include_str!("openapi.json")).expect("JSON"),
            router: Router::new(),
        };
        document.json["info"]["version"] = env!("CARGO_PKG_VERSION").into();
        document.schema::<Problem>();
        document.schema::<Served>();
        document.add_verify();
        document
    }

    /// Adds the schema of a type, and returns a reference to it, or the references of a choice: one of a generic type has
    /// no name of its own.
    fn schema<T: ToSchema>(&mut self) -> Value {
        let (name, own) = (T::name(), json!(T::schema()));
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        let parts = parts.into_iter().map(|(name, part)| (name, json!(part)));
        members(&mut self.json["components"]["schemas"]).extend(parts);
        if own["oneOf"].is_array() || own["anyOf"].is_array() {
            return own;
        }
        self.named(&name, own)
    }

    /// Adds a schema under a name, and returns a reference to it.
    fn named(&mut self, name: &str, schema: Value) -> Value {
        self.json["components"]["schemas"][name] = schema;
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    /// Adds the methods of a route: GET with options and a record in JSON, POST with bodies and answers by media type.
    fn add_route(
        &mut self,
        name: &str,
        (options, record): (&[Value], &Value),
        (bodies, answers): (Value, Value),
    ) {
        let item = &mut self.json["paths"][format!("/v1/{{shape}}/{name}")];
        let (tag, summary) = (item["tag"].take(), item["summary"].take());
        let shape = [json!({"$ref": "#/components/parameters/shape"})];
        let of = |id: String, parameters: Vec<Value>, answers: Value| {
            json!({
                "operationId": id, "tags": [tag], "summary": summary, "parameters": parameters,
                "responses": {"200": {"description": "The answer", "content": answers}},
            })
        };
        let record = json!({JSON: {"schema": record}});
        let get = of(name.to_owned(), [&shape, options].concat(), record);
        let mut post = of(format!("{name}_by_post"), shape.to_vec(), answers);
        post["requestBody"] = json!({"content": bodies});
        *item = json!({"get": get, "post": post});
    }

    fn add_verify(&mut self) {
        let claim = json!({"$ref": "#/components/schemas/ClaimObject"});
        let line = self.schema::<VerifiedLine>();
        let (text, verified) = (json!({"type": "string"}), self.schema::<Verified>());
        let list = json!({"oneOf": [{"type": "array", "items": claim}, text]});
        let claims = |schema| option("claims", "Boards, each with moves or a length", schema);
        let options = options::<Verify>();
        let by_get = [&options[..], &[claims(text.clone())]].concat();
        let object = object(options.iter().chain([&claims(list)]));
        let object = self.named("verify_claims", object);
        let bodies = json!({
            JSON: {"schema": object, "example": {"claims": [{"board": "704851632", "length": 19}]}},
            NDJSON: {"schema": claim},
            "text/plain": {"schema": text, "example": "704851632 RDDLLUURRDDLLUURRDD"},
        });
        let answers = json!({JSON: {"schema": verified}, NDJSON: {"schema": line}});
        self.add_route("verify", (&by_get, &verified), (bodies, answers));
    }

    /// Adds the route of a question, and describes it.
    pub(super) fn with<Q>(mut self, name: &str, route: Route) -> Document
    where
        Q: Question<Record: ToSchema> + IntoParams,
    {
        let ask = move |asked: Asked| answer(route, asked);
        let path = format!("/v1/{{shape}}/{name}");
        self.router = self.router.route(&path, get(ask).post(ask));
        let record = self.schema::<Q::Record>();
        self.add_question(name, route, &options::<Q>(), &record);
        self
    }

    fn add_question(&mut self, name: &str, route: Route, options: &[Value], record: &Value) {
        let question = object(options);
        let mut bodies = json!({JSON: {"schema": question}});
        let mut answers = json!({JSON: {"schema": record}});
        if let Some(list) = route.list {
            let text = json!({"type": "string", "example": "704851632"});
            let boards = json!({"type": "array", "items": text});
            let boards = option("boards", "The boards", boards);
            let others = options.iter().filter(|option| option["name"] != "board");
            let boards = object(others.chain([&boards]));
            let boards = self.named(&format!("{name}_boards"), boards);
            bodies[JSON]["schema"] = json!({"oneOf": [question, boards]});
            bodies[NDJSON] = json!({"schema": {"oneOf": [text, question]}});
            let item = json!({"oneOf": [record, self.schema::<BadBoard>()]});
            let items = json!({list: {"type": "array", "items": item}});
            let items = json!({"type": "object", "properties": items, "required": [list]});
            answers[JSON]["schema"] = json!({"oneOf": [record, items]});
            answers[NDJSON] = json!({"schema": item});
        }
        self.add_route(name, (options, record), (bodies, answers));
    }

    /// The router; the document, in which all routes have all refusals; and the routes, for a list of them.
    pub(super) fn finished(mut self) -> (Router<Arc<App>>, String, Vec<Listed>) {
        let schema = json!({"schema": {"$ref": "#/components/schemas/Problem"}});
        let mut refusals = take(members(&mut self.json["components"]["responses"]));
        for refusal in refusals.values_mut() {
            refusal["content"] = json!({"application/problem+json": schema});
        }
        let mut routes = Vec::new();
        for (path, item) in members(&mut self.json["paths"]) {
            for operation in members(item).values_mut() {
                members(&mut operation["responses"]).extend(refusals.clone());
            }
            routes.push(Listed {
                path: path.clone(),
                methods: members(item)
                    .keys()
                    .map(|name| name.to_uppercase())
                    .collect(),
                summary: item["get"]["summary"].as_str().unwrap_or_default().into(),
            });
        }
        (self.router, self.json.to_string(), routes)
    }
}

/// The options of a question beside the shape, which is in the path.
fn options<Q: IntoParams>() -> Vec<Value> {
    let all = Q::into_params(|| Some(ParameterIn::Query)).into_iter();
    let all = all.map(|option| json!(option));
    all.filter(|option| option["name"] != "shape").collect()
}
