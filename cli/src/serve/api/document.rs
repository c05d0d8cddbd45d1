//! The OpenAPI document: a description of the routes for programs, from the schemas of options and records.

use serde_json::{Map, Value, json};
use utoipa::openapi::path::ParameterIn;
use utoipa::{IntoParams, ToSchema};

use puzzledb::ask::{Stats, Verified, Verify};

use super::super::problem::Problem;
use super::questions::{BadBoard, Route};
use super::site::{Listed, Served};
use super::verify::{ClaimObject, VerifiedLine};

/// The OpenAPI document, which is JSON.
pub(super) struct Document {
    paths: Map<String, Value>,
    schemas: Map<String, Value>,
}

/// The refusals of all routes.
const REFUSALS: [(&str, &str); 9] = [
    ("400", "A board or an option is not valid"),
    ("403", "A page of another site or origin asks"),
    ("404", "There is no such shape here"),
    ("408", "The body took too long"),
    ("413", "The body is too long"),
    ("414", "The address is too long"),
    ("415", "The body is of another media type"),
    ("422", "The board cannot be solved"),
    ("503", "There is too much to do: ask again later"),
];

/// The description of one method of a route.
fn operation(id: &str, tag: &str, summary: &str, parameters: &[Value], content: Value) -> Value {
    let problem = json!({"$ref": "#/components/schemas/Problem"});
    let problem = json!({"application/problem+json": {"schema": problem}});
    let mut responses = json!({"200": {"description": "The answer", "content": content}});
    for (status, description) in REFUSALS {
        responses[status] = json!({"description": description, "content": problem});
    }
    json!({
        "operationId": id, "tags": [tag], "summary": summary, "parameters": parameters, "responses": responses,
    })
}

/// The shape in the path, and the other options.
fn parameters<Q: IntoParams>() -> (Value, Vec<Value>) {
    let shape = json!({
        "name": "shape", "in": "path", "required": true, "description": "Rows x columns",
        "schema": {"type": "string"}, "example": "3x3",
    });
    let all = Q::into_params(|| Some(ParameterIn::Query));
    let options = all.iter().map(|parameter| json!(parameter));
    let options = options.filter(|option| option["name"] != "shape");
    (shape, options.collect())
}

/// An object whose members are options.
fn object<'a>(options: impl IntoIterator<Item = &'a Value>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for option in options {
        let name = option["name"].as_str().unwrap_or_default();
        properties.insert(name.to_owned(), option["schema"].clone());
        if option["required"] == true {
            required.push(name);
        }
    }
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

fn option(name: &str, required: bool, description: &str, schema: Value) -> Value {
    json!({
        "name": name, "in": "query", "required": required, "description": description, "schema": schema,
    })
}

impl Document {
    /// The document of the routes beside the questions.
    pub(super) fn new() -> Document {
        let mut document = Document {
            paths: Map::new(),
            schemas: Map::new(),
        };
        document.schema::<Problem>();
        let served = json!({"application/json": {"schema": document.schema::<Served>()}});
        let text = json!({"text/plain": {"schema": {"type": "string"}}});
        for (path, tag, summary, content) in [
            (
                "/v1/",
                "Spaces",
                "What is served: shapes, limits and routes",
                served,
            ),
            (
                "/healthz",
                "Server",
                "Whether the server is there",
                text.clone(),
            ),
            (
                "/readyz",
                "Server",
                "Whether the server answers at once",
                text.clone(),
            ),
            (
                "/metrics",
                "Server",
                "Counts in the text format of Prometheus",
                text,
            ),
        ] {
            let id = if path == "/v1/" { "served" } else { &path[1..] };
            let get = operation(id, tag, summary, &[], content);
            document.paths.insert(path.to_owned(), json!({"get": get}));
        }
        document.add_database();
        document.add_verify();
        document
    }

    /// Adds the schema of a type, and returns a reference to it.
    fn schema<T: ToSchema>(&mut self) -> Value {
        let mut schemas = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut schemas);
        for (name, schema) in schemas {
            self.schemas.insert(name, json!(schema));
        }
        json!({"$ref": format!("#/components/schemas/{}", T::name())})
    }

    fn add_database(&mut self) {
        let (shape, mut parameters) = parameters::<Stats>();
        let names = json!({"type": "string", "enum": ["full", "bit"]});
        let encoding = option("encoding", false, "What the file has for a state", names);
        parameters.extend([shape, encoding]);
        let file =
            json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}});
        let summary = "The database itself, whole or in part";
        let mut get = operation("database", "Spaces", summary, &parameters, file);
        get["responses"]["206"] = get["responses"]["200"].clone();
        get["responses"]["416"] = get["responses"]["400"].clone();
        let path = "/v1/{shape}/database".to_owned();
        self.paths.insert(path, json!({"get": get}));
    }

    fn add_verify(&mut self) {
        let (shape, options) = parameters::<Verify>();
        let verified = self.schema::<Verified>();
        let (line, claim) = (self.schema::<VerifiedLine>(), self.schema::<ClaimObject>());
        let list = json!({"oneOf": [{"type": "array", "items": claim}, {"type": "string"}]});
        let text = json!({"type": "string"});
        let [text_option, list] = [text.clone(), list].map(|schema| {
            option(
                "claims",
                true,
                "The claims: boards, each with moves or a length",
                schema,
            )
        });
        let of = |content: &Value| json!({"application/json": {"schema": content}});
        let (tag, summary) = ("Many boards", "Judges a solver's answers");
        let all = [&[shape.clone(), text_option][..], &options].concat();
        let get = operation("verify", tag, summary, &all, of(&verified));
        let mut content = of(&verified);
        content["application/x-ndjson"] = json!({"schema": line});
        let all = [&[shape][..], &options].concat();
        let mut post = operation("verify_by_post", tag, summary, &all, content);
        let with_claims = object(options.iter().chain([&list]));
        post["requestBody"] = json!({"required": true, "content": {
            "application/json": {
                "schema": with_claims, "example": {"claims": [{"board": "704851632", "length": 19}]},
            },
            "application/x-ndjson": {"schema": claim},
            "text/plain": {"schema": text, "example": "704851632 RDDLLUURRDDLLUURRDD"},
        }});
        let path = "/v1/{shape}/verify".to_owned();
        self.paths.insert(path, json!({"get": get, "post": post}));
    }

    /// Adds a question with its record.
    pub(super) fn add_question<Q: IntoParams, R: ToSchema>(&mut self, route: &Route) {
        let (shape, options) = parameters::<Q>();
        let Route {
            name,
            tag,
            summary,
            list,
            ..
        } = *route;
        let record = self.schema::<R>();
        let mut content = json!({"application/json": {"schema": record}});
        let all = [&[shape.clone()][..], &options].concat();
        let get = operation(name, tag, summary, &all, content.clone());
        let question = object(&options);
        let mut body = json!({"application/json": {"schema": question}});
        if let Some(list) = list {
            let item = json!({"oneOf": [record, self.schema::<BadBoard>()]});
            let items = json!({"type": "array", "items": item});
            let (mut answers, text) = (
                Map::new(),
                json!({"type": "string", "example": "704851632"}),
            );
            answers.insert(list.to_owned(), items);
            let answers = json!({"type": "object", "properties": answers, "required": [list]});
            content["application/json"]["schema"] = json!({"oneOf": [record, answers]});
            content["application/x-ndjson"] = json!({"schema": item});
            let boards = option(
                "boards",
                true,
                "The boards",
                json!({"type": "array", "items": text}),
            );
            let others = options.iter().filter(|option| option["name"] != "board");
            let boards = object(others.chain([&boards]));
            self.schemas.insert(format!("{name}_boards"), boards);
            let boards = json!({"$ref": format!("#/components/schemas/{name}_boards")});
            let line = json!({"oneOf": [text, question]});
            body["application/json"]["schema"] = json!({"oneOf": [question, boards]});
            body["application/x-ndjson"] = json!({"schema": line});
        }
        let id = format!("{name}_by_post");
        let mut post = operation(&id, tag, summary, &[shape], content);
        let required = question["required"] != json!([]);
        post["requestBody"] = json!({"required": required, "content": body});
        let path = format!("/v1/{{shape}}/{name}");
        self.paths.insert(path, json!({"get": get, "post": post}));
    }

    /// The routes, for a list of them.
    pub(super) fn routes(&self) -> Vec<Listed> {
        let routes = self.paths.iter().map(|(path, item)| {
            let operations = item.as_object().into_iter().flatten();
            Listed {
                path: path.clone(),
                methods: operations
                    .map(|(method, _)| method.to_uppercase())
                    .collect(),
                summary: item["get"]["summary"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
            }
        });
        routes.collect()
    }

    pub(super) fn to_json(&self) -> String {
        let tags = [
            (
                "One board",
                "A board's distance, its moves and its solutions, and boards at random",
            ),
            ("Many boards", "The judgement of other solvers' answers"),
            (
                "Searches",
                "The searches and heuristics of the textbooks, beside the truth",
            ),
            (
                "Spaces",
                "What is served, statistics, and databases to download",
            ),
            ("Server", "Health and figures of the server itself"),
        ];
        let tags =
            tags.map(|(name, description)| json!({"name": name, "description": description}));
        let description = "The truth about sliding-tile puzzles. Boards are written row by row with 0 for the \
                           blank: 704851632, or 704/851/632; letters from a = 10 to o = 24 on larger boards. A goal is \
                           a board or a name, last, first or spiral; it is last (123456780 on 3x3) unless it \
                           is named. Moves are the way the blank goes: U, D, L, R.";
        let version = env!("CARGO_PKG_VERSION");
        let document = json!({
            "openapi": "3.1.0",
            "info": {"title": "puzzledb", "description": description, "version": version},
            "servers": [{"url": "/"}], "security": [], "tags": tags,
            "paths": self.paths, "components": {"schemas": self.schemas},
        });
        document.to_string()
    }
}
