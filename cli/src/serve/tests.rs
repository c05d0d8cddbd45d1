//! Promise: the OpenAPI document follows from the structs of options and records. What does not follow from a struct is in
//! `described.json`.

use std::mem::take;

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::openapi::path::ParameterIn;
use utoipa::{IntoParams, ToSchema};

use puzzledb::ask::{
    Effort, Estimates, Generate, OrBounds, Probe, Question, Search, SolutionRecord, Solutions,
    Solve, Stats, Unreadable, Verified, Verify,
};
use puzzledb::judge::{ClaimRecord, SummaryRecord};
use puzzledb::search::{Algorithm, HeuristicName};

use super::answer::{JSON, NDJSON, Problem};
use super::config::Limits;
use super::questions::BadBoard;
use super::site::{DOCUMENT, Served};

/// A line of the judgements in NDJSON: one for each claim, and all of them summed up in the last.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum VerifiedLine {
    /// The judgement of a claim
    Record(ClaimRecord),
    /// A record that cannot be read
    Error(Unreadable),
    /// All of them summed up: the last line
    Summary(SummaryRecord),
}

/// The document.
struct Document(Value);

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
    fn new() -> Document {
        let described = include_str!("described.json");
        let mut document = Document(serde_json::from_str(described).unwrap());
        document.0["info"]["version"] = env!("CARGO_PKG_VERSION").into();
        document.schema::<Problem>();
        document.schema::<Served>();
        document.add_verify();
        document
    }

    /// Adds the schema of a type, and returns a reference to it, or the references of a choice.
    fn schema<T: ToSchema>(&mut self) -> Value {
        let (name, own) = (T::name(), json!(T::schema()));
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        let parts = parts.into_iter().map(|(name, part)| (name, json!(part)));
        members(&mut self.0["components"]["schemas"]).extend(parts);
        if own["oneOf"].is_array() {
            return own;
        }
        self.named(&name, own)
    }

    /// Adds a schema under a name, and returns a reference to it.
    fn named(&mut self, name: &str, schema: Value) -> Value {
        self.0["components"]["schemas"][name] = schema;
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    /// Adds the methods of a route: GET with options and a record in JSON, POST with bodies and answers by media type.
    fn add_route(
        &mut self,
        name: &str,
        (options, record): (&[Value], &Value),
        (bodies, answers): (Value, Value),
    ) {
        let item = &mut self.0["paths"][format!("/v1/{{shape}}/{name}")];
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
        let options = options::<Verify>("verify");
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

    /// Describes the route of a question, which takes many boards if the list of its answers has a name.
    fn with<Q>(mut self, name: &str, list: Option<&str>) -> Document
    where
        Q: Question<Record: ToSchema> + IntoParams,
    {
        let record = self.schema::<Q::Record>();
        self.add_question(name, list, &options::<Q>(name), &record);
        self
    }

    /// Describes the route of a question whose record may be bounds.
    fn with_bounds<Q, R: ToSchema>(mut self, name: &str, list: Option<&str>) -> Document
    where
        Q: Question<Record = OrBounds<R>> + IntoParams,
    {
        self.named(&R::name(), json!(R::schema())); // above its parts
        let choice = [self.schema::<R>(), self.schema::<SolutionRecord>()];
        self.add_question(name, list, &options::<Q>(name), &json!({"anyOf": choice}));
        self
    }

    fn add_question(&mut self, name: &str, list: Option<&str>, options: &[Value], record: &Value) {
        let question = object(options);
        let mut bodies = json!({JSON: {"schema": question}});
        let mut answers = json!({JSON: {"schema": record}});
        if let Some(list) = list {
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

    /// The text of the document, in which all routes have all refusals: a line for each method and for each schema.
    fn finished(mut self) -> String {
        let schema = json!({"schema": {"$ref": "#/components/schemas/Problem"}});
        let mut refusals = take(members(&mut self.0["components"]["responses"]));
        for refusal in refusals.values_mut() {
            refusal["content"] = json!({"application/problem+json": schema});
        }
        for item in members(&mut self.0["paths"]).values_mut() {
            for operation in members(item).values_mut() {
                members(&mut operation["responses"]).extend(refusals.clone());
            }
        }
        lines(&self.0, 3) + "\n"
    }
}

/// JSON with a line for each member, down to this depth.
fn lines(value: &Value, depth: usize) -> String {
    match value {
        Value::Object(members) if depth > 0 => {
            let line = |(name, value)| format!("{}:{}", json!(name), lines(value, depth - 1));
            let members: Vec<_> = members.iter().map(line).collect();
            format!("{{\n{}\n}}", members.join(",\n"))
        }
        value => value.to_string(),
    }
}

/// The options of a question beside the shape, which is in the path. Boards have examples, names are
/// those that the library has, and the server has the limits.
fn options<Q: IntoParams>(question: &str) -> Vec<Value> {
    let all = Q::into_params(|| Some(ParameterIn::Query)).into_iter();
    let mut all: Vec<Value> = all.map(|option| json!(option)).collect();
    all.retain(|option| option["name"] != "shape");
    let run = Limits::default().run;
    for option in &mut all {
        let name = option["name"].as_str().unwrap_or_default().to_owned();
        let schema = match (&*name, question) {
            ("algorithm", "effort") => {
                let bounded = ["ucs", "astar", "idastar", "bfs"];
                Some(names("The algorithm [default: astar]", bounded))
            }
            ("algorithm", _) => Some(names("The algorithm [default: astar]", Algorithm::all())),
            ("heuristic", _) => Some(heuristics()),
            _ => None,
        };
        let example = match (&*name, question) {
            ("board", "verify") => None,
            ("board", "solutions") => Some("536407182"),
            ("board", _) => Some("704851632"),
            _ => None,
        };
        let most = match (&*name, question) {
            ("limit", "solutions") => json!(run.solutions),
            ("limit", _) => json!(run.expansions),
            ("trace", _) => json!(run.trace),
            _ => Value::Null,
        };
        if let Some(schema) = schema {
            members(option).shift_remove("description");
            option["schema"] = schema;
        }
        if let "seed" | "expanded" = &*name {
            option["schema"]["format"] = "uint64".into();
        }
        if !most.is_null() {
            let schema = members(&mut option["schema"]);
            let least = schema.shift_remove("minimum");
            schema.insert("maximum".to_owned(), most);
            schema.extend(least.map(|least| ("minimum".to_owned(), least)));
        }
        if let Some(example) = example {
            option["example"] = example.into();
        }
    }
    all
}

/// The schema of some names.
fn names(description: &str, names: impl IntoIterator<Item: ToString>) -> Value {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    json!({"type": "string", "description": description, "enum": names})
}

/// The names of heuristics, and the forms of those with tiles.
fn heuristics() -> Value {
    let without = names("A heuristic without parameters", HeuristicName::all());
    let with = json!({
        "type": "string", "description": "pattern:1,2,3,4 or patterns:6-6-3", "pattern": "^patterns?:.+$",
    });
    let about = "The heuristic [default: manhattan; misplaced-with-blank for best-first-depth]";
    json!({"oneOf": [without, with], "description": about})
}

#[test]
fn the_document_follows_from_the_structs() {
    let document = Document::new()
        .with_bounds::<Probe, _>("probe", Some("probes"))
        .with::<Solve>("solve", Some("solutions"))
        .with_bounds::<Solutions, _>("solutions", None)
        .with::<Generate>("random", None)
        .with::<Stats>("stats", None)
        .with::<Search>("search", None)
        .with::<Effort>("effort", None)
        .with::<Estimates>("heuristics", None)
        .finished();
    if document != DOCUMENT {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/openapi.json");
        std::fs::write(path, document).unwrap();
        panic!("{path} was of other structs: it is made again; read the change and commit it");
    }
}
