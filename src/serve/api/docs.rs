//! The documentation of the API as a page, made of the OpenAPI document.

use std::fmt::{Display, Write};

use serde_json::Value;

use crate::basics::escaped;

/// The page's style sheet.
pub(super) const STYLE: &str = include_str!("docs.css");

/// The page in HTML.
pub(super) fn page(document: &Value) -> String {
    let mut out = String::new();
    let info = &document["info"];
    let (title, version) = (text(&info["title"]), text(&info["version"]));
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}: the API</title>\n<link rel=\"stylesheet\" href=\"/docs.css\">\n</head>\n\
         <body>\n<main>\n<h1>{title} {version}: the API</h1>\n<p>{}</p>\n\
         <p>For programs: <a href=\"/openapi.json\">/openapi.json</a>. \
         To look at: <a href=\"/\">the page</a>.</p>\n",
        text(&info["description"])
    );
    for (path, operations) in entries(&document["paths"]) {
        for (method, operation) in entries(operations) {
            write_operation(path, method, operation, &mut out);
        }
    }
    out.push_str("<h2>Objects</h2>\n");
    for (name, schema) in entries(&document["components"]["schemas"]) {
        write_schema(name, schema, &mut out);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Writes the section of a route and method.
fn write_operation(path: &str, method: &str, operation: &Value, out: &mut String) {
    let (method, plain) = (method.to_uppercase(), escaped(path));
    let summary = text(&operation["summary"]);
    let _ = writeln!(
        out,
        "<section>\n<h2><code>{method} {plain}</code></h2>\n<p>{summary}</p>"
    );
    if operation["description"].is_string() {
        let _ = writeln!(out, "<p>{}</p>", text(&operation["description"]));
    }
    let parameters = operation["parameters"]
        .as_array()
        .map_or(&[][..], |all| all);
    if !parameters.is_empty() {
        write_parameters(parameters, out);
    }
    if method == "GET" {
        let address = example(path, parameters);
        let address = escaped(&address);
        let _ = writeln!(out, "<p>Try <a href=\"{address}\">{address}</a></p>");
    }
    for (media, content) in entries(&operation["requestBody"]["content"]) {
        let _ = writeln!(out, "<p>Body: {}</p>", content_type(media, content));
    }
    out.push_str("<table>\n<tr><th>Status<th>Meaning<th>Answer\n");
    for (status, response) in entries(&operation["responses"]) {
        let meaning = text(&response["description"]);
        let _ = write!(out, "<tr><td>{status}<td>{meaning}<td>");
        for (media, content) in entries(&response["content"]) {
            out.push_str(&content_type(media, content));
        }
        out.push('\n');
    }
    out.push_str("</table>\n</section>\n");
}

/// Writes the table of a route's parameters.
fn write_parameters(parameters: &[Value], out: &mut String) {
    out.push_str("<table>\n<tr><th>Parameter<th>Type<th>Meaning\n");
    for parameter in parameters {
        let (name, meaning) = (text(&parameter["name"]), text(&parameter["description"]));
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

/// What a body contains: its type, and its media type in brackets.
fn content_type(media: &str, content: &Value) -> String {
    let type_text = type_of(&content["schema"]);
    format!("{type_text} (<code>{}</code>)", escaped(media))
}

/// The path and query of a request with the examples of the parameters.
fn example(path: &str, parameters: &[Value]) -> String {
    let mut address = path.to_owned();
    for parameter in parameters {
        let Some(value) = parameter["example"].as_str() else {
            continue;
        };
        let name = parameter["name"].as_str().unwrap_or_default();
        if parameter["in"] == "path" {
            address = address.replace(&format!("{{{name}}}"), value);
        } else {
            let joint = if address.contains('?') { '&' } else { '?' };
            let _ = write!(address, "{joint}{name}={value}");
        }
    }
    address
}

/// Writes the section of an object's schema.
fn write_schema(name: &str, schema: &Value, out: &mut String) {
    let plain = escaped(name);
    let _ = write!(
        out,
        "<section id=\"{plain}\">\n<h3><code>{plain}</code></h3>\n<p>{}</p>\n",
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

/// A string of the document, escaped.
fn text(value: &Value) -> impl Display {
    escaped(value.as_str().unwrap_or_default())
}
