//! The documentation of the API as a page, made of the OpenAPI document.

use std::fmt::{Display, Write};

use axum::Router;
use axum::http::StatusCode;
use serde_json::Value;

use crate::xml::escaped;

use super::examples::Example;

/// The page's style sheet.
pub(super) const STYLE: &str = include_str!("docs.css");

/// The script that sends the requests of the page's forms.
pub(super) const SCRIPT: &str = include_str!("docs.js");

/// Returns the page in HTML, for a server at an address, and whether all examples were answered that this server can
/// answer. `routes` answer the examples.
pub(super) async fn page(document: &Value, address: &str, routes: &Router) -> (String, bool) {
    let mut out = String::new();
    let info = &document["info"];
    let (title, version) = (text(&info["title"]), text(&info["version"]));
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}: the API</title>\n<link rel=\"stylesheet\" href=\"/docs.css\">\n\
         <script src=\"/docs.js\" defer></script>\n</head>\n\
         <body>\n<main>\n<h1>{title} {version}: the API</h1>\n<p>{}</p>\n\
         <p>For programs: <a href=\"/openapi.json\">/openapi.json</a>. \
         To look at: <a href=\"/\">the page</a>.</p>\n",
        text(&info["description"])
    );
    let tags = document["tags"].as_array().map_or(&[][..], Vec::as_slice);
    write_contents(document, tags, &mut out);
    let mut complete = true;
    for tag in tags {
        let _ = writeln!(
            out,
            "<h2>{}</h2>\n<p>{}.</p>",
            text(&tag["name"]),
            text(&tag["description"])
        );
        for (path, method, operation) in operations(document, tag) {
            let example = Example::new(path, method, operation);
            let answer = match &example {
                Some(example) => example.answer(routes.clone()).await,
                None => Ok(None),
            };
            complete &= answer != Err(StatusCode::SERVICE_UNAVAILABLE);
            let answer = answer.unwrap_or(None);
            write_operation(path, method, operation, &mut out);
            if let Some(example) = example {
                write_example(&example, address, answer.as_deref(), &mut out);
            }
            write_responses(operation, &mut out);
        }
    }
    out.push_str("<h2 id=\"objects\">Objects</h2>\n");
    for (name, schema) in entries(&document["components"]["schemas"]) {
        write_schema(name, schema, &mut out);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    (out, complete)
}

/// The operations of a tag.
fn operations<'a>(
    document: &'a Value,
    tag: &'a Value,
) -> impl Iterator<Item = (&'a String, &'a String, &'a Value)> {
    entries(&document["paths"])
        .flat_map(|(path, operations)| {
            entries(operations).map(move |(method, operation)| (path, method, operation))
        })
        .filter(|(.., operation)| operation["tags"][0] == tag["name"])
}

/// Writes a line for each operation, with its purpose.
fn write_contents(document: &Value, tags: &[Value], out: &mut String) {
    out.push_str("<nav aria-label=\"Contents\">\n<ul>\n");
    for tag in tags {
        let _ = writeln!(out, "<li>{}\n<ul>", text(&tag["name"]));
        for (path, method, operation) in operations(document, tag) {
            let _ = writeln!(
                out,
                "<li><a href=\"#{}\"><code>{} {}</code></a> {}",
                text(&operation["operationId"]),
                method.to_uppercase(),
                escaped(path),
                text(&operation["summary"])
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("<li><a href=\"#objects\">Objects</a>\n</ul>\n</nav>\n");
}

/// Writes the section of a route and method, up to its example.
fn write_operation(path: &str, method: &str, operation: &Value, out: &mut String) {
    let (method, plain) = (method.to_uppercase(), escaped(path));
    let (id, summary) = (text(&operation["operationId"]), text(&operation["summary"]));
    let _ = writeln!(
        out,
        "<section id=\"{id}\">\n<h3><code>{method} {plain}</code></h3>\n<p>{summary}</p>"
    );
    if operation["description"].is_string() {
        let _ = writeln!(out, "<p>{}</p>", text(&operation["description"]));
    }
    let parameters = operation["parameters"].as_array();
    if let Some(parameters) = parameters.filter(|all| !all.is_empty()) {
        write_parameters(parameters, out);
    }
    for (media, content) in entries(&operation["requestBody"]["content"]) {
        let _ = writeln!(out, "<p>Body: {}</p>", content_type(media, content));
    }
}

/// The most characters of an answer that are shown.
const SHOWN: usize = 800;

/// Writes a request as a command and as a form, and its answer.
fn write_example(example: &Example, address: &str, answer: Option<&str>, out: &mut String) {
    let curl = escaped(&example.curl(address));
    let _ = writeln!(out, "<pre>{curl}</pre>");
    if let Some(answer) = answer {
        let shown: String = answer.chars().take(SHOWN).collect();
        let rest = if shown.len() < answer.len() {
            "…"
        } else {
            ""
        };
        let _ = writeln!(out, "<pre>{}{rest}</pre>", escaped(shown.trim_end()));
    }
    let target = escaped(&example.target);
    let _ = write!(
        out,
        "<form data-method=\"{}\">\n<label>Address <input name=\"address\" value=\"{target}\"></label>\n",
        example.method
    );
    if let Some(body) = &example.body {
        let body = escaped(body);
        let _ = writeln!(
            out,
            "<label>Body <textarea name=\"body\" rows=\"2\">{body}</textarea></label>"
        );
    }
    out.push_str("<button>Send</button>\n<output></output>\n</form>\n");
}

/// Writes the table of an operation's answers, and ends its section.
fn write_responses(operation: &Value, out: &mut String) {
    out.push_str("<table>\n<tr><th>Status<th>Meaning<th>Answer\n");
    for (status, response) in entries(&operation["responses"]) {
        let meaning = text(&response["description"]);
        let types: Vec<String> = entries(&response["content"])
            .map(|(media, content)| content_type(media, content))
            .collect();
        let _ = writeln!(
            out,
            "<tr><td>{status}<td>{meaning}<td>{}",
            types.join(" or ")
        );
    }
    out.push_str("</table>\n</section>\n");
}

/// Writes the table of a route's parameters.
fn write_parameters(parameters: &[Value], out: &mut String) {
    out.push_str("<table>\n<tr><th>Parameter<th>Type<th>Meaning\n");
    for parameter in parameters {
        let described = [
            &parameter["description"],
            &parameter["schema"]["description"],
        ];
        let meaning = described.into_iter().find(|text| text.is_string());
        let (name, meaning) = (
            text(&parameter["name"]),
            text(meaning.unwrap_or(&Value::Null)),
        );
        let mut type_text = type_of(&parameter["schema"]);
        if parameter["required"] == true {
            type_text.push_str(", required");
        }
        write_row(name, &type_text, meaning, out);
    }
    out.push_str("</table>\n");
}

/// Writes a row of a table of parameters or fields.
fn write_row(name: impl Display, type_text: &str, meaning: impl Display, out: &mut String) {
    let _ = writeln!(
        out,
        "<tr><td><code>{name}</code><td>{type_text}<td>{meaning}"
    );
}

/// Type of a body, with its media type in brackets.
fn content_type(media: &str, content: &Value) -> String {
    let type_text = type_of(&content["schema"]);
    format!("{type_text} (<code>{}</code>)", escaped(media))
}

/// Writes the section of an object's schema.
fn write_schema(name: &str, schema: &Value, out: &mut String) {
    let plain = escaped(name);
    let _ = write!(
        out,
        "<section id=\"{plain}\">\n<h4><code>{plain}</code></h4>\n<p>{}</p>\n",
        text(&schema["description"])
    );
    let parts = schema["allOf"].as_array().map_or(&[][..], Vec::as_slice);
    for part in parts.iter().filter(|part| part["$ref"].is_string()) {
        let _ = writeln!(out, "<p>All of {}, and:</p>", type_of(part));
    }
    let fields: Vec<_> = std::iter::once(schema)
        .chain(parts)
        .flat_map(|part| entries(&part["properties"]))
        .collect();
    if fields.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", type_of(schema));
    } else {
        out.push_str("<table>\n<tr><th>Field<th>Type<th>Meaning\n");
        for (field, schema) in fields {
            let meaning = text(&schema["description"]);
            write_row(escaped(field), &type_of(schema), meaning, out);
        }
        out.push_str("</table>\n");
    }
    out.push_str("</section>\n");
}

/// The type that a schema describes, in HTML.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        let name = escaped(name.rsplit('/').next().unwrap_or_default());
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| text(value).to_string()).collect();
        return values.join(", ");
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(schemas) = schema[choice].as_array() {
            let types: Vec<String> = schemas.iter().map(type_of).collect();
            return types.join(" or ");
        }
    }
    match &schema["type"] {
        Value::Array(names) => {
            let one = |name: &Value| type_of(&with_type(schema, name));
            names.iter().map(one).collect::<Vec<_>>().join(" or ")
        }
        Value::String(name) if name == "array" => format!("list of {}", type_of(&schema["items"])),
        Value::String(name) => escaped(name).to_string(),
        _ => "anything".to_owned(),
    }
}

/// The schema with one of its types.
fn with_type(schema: &Value, name: &Value) -> Value {
    let mut one = schema.clone();
    one["type"] = name.clone();
    one
}

/// The entries of an object; none of anything else.
fn entries(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}

/// A string of the document, escaped, with the text between backticks as code.
fn text(value: &Value) -> impl Display {
    let escaped = escaped(value.as_str().unwrap_or_default());
    let mut parts = escaped.split('`');
    let mut html = parts.next().unwrap_or_default().to_owned();
    for (i, part) in parts.enumerate() {
        html.push_str(["<code>", "</code>"][i % 2]);
        html.push_str(part);
    }
    html
}
