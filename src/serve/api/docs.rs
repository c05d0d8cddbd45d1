//! The page for people about the API, made of the document.

use std::fmt::{Display, Write};

use serde_json::Value;

use crate::basics::escaped;

/// How it looks.
pub(super) const STYLE: &str = include_str!("docs.css");

/// The page.
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

fn write_operation(path: &str, method: &str, operation: &Value, out: &mut String) {
    let (method, plain) = (method.to_uppercase(), escaped(path));
    let _ = write!(
        out,
        "<section>\n<h2><code>{method} {plain}</code></h2>\n<p>{}</p>\n",
        text(&operation["summary"])
    );
    if operation["description"].is_string() {
        let _ = writeln!(out, "<p>{}</p>", text(&operation["description"]));
    }
    let parameters = operation["parameters"].as_array();
    if let Some(parameters) = parameters {
        out.push_str("<table>\n<tr><th>Parameter<th>Type<th>Meaning\n");
        for parameter in parameters {
            let must = match parameter["required"].as_bool() {
                Some(true) => ", required",
                _ => "",
            };
            let (name, meaning) = (text(&parameter["name"]), text(&parameter["description"]));
            let kind = kind(&parameter["schema"]);
            let _ = writeln!(
                out,
                "<tr><td><code>{name}</code><td>{kind}{must}<td>{meaning}"
            );
        }
        out.push_str("</table>\n");
    }
    if method == "GET" {
        let address = example(path, parameters.map_or(&[], Vec::as_slice));
        let address = escaped(&address);
        let _ = writeln!(out, "<p>Try <a href=\"{address}\">{address}</a></p>");
    }
    for (media, content) in entries(&operation["requestBody"]["content"]) {
        let kind = kind(&content["schema"]);
        let _ = writeln!(out, "<p>Body: {kind} (<code>{}</code>)</p>", escaped(media));
    }
    out.push_str("<table>\n<tr><th>Status<th>Meaning<th>Answer\n");
    for (status, response) in entries(&operation["responses"]) {
        let _ = write!(
            out,
            "<tr><td>{status}<td>{}<td>",
            text(&response["description"])
        );
        for (media, content) in entries(&response["content"]) {
            let kind = kind(&content["schema"]);
            let _ = write!(out, "{kind} (<code>{}</code>)", escaped(media));
        }
        out.push('\n');
    }
    out.push_str("</table>\n</section>\n");
}

/// An address that asks this, with the examples of the parameters.
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

fn write_schema(name: &str, schema: &Value, out: &mut String) {
    let plain = escaped(name);
    let _ = write!(
        out,
        "<section id=\"{plain}\">\n<h3><code>{plain}</code></h3>\n<p>{}</p>\n",
        text(&schema["description"])
    );
    let parts = schema["allOf"].as_array().map_or(&[][..], Vec::as_slice);
    for part in parts.iter().filter(|part| part["$ref"].is_string()) {
        let _ = writeln!(out, "<p>All of {}, and:</p>", kind(part));
    }
    let fields: Vec<_> = std::iter::once(schema)
        .chain(parts)
        .flat_map(|part| entries(&part["properties"]))
        .collect();
    if fields.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", kind(schema));
    } else {
        out.push_str("<table>\n<tr><th>Field<th>Type<th>Meaning\n");
        for (field, schema) in fields {
            let (field, meaning) = (escaped(field), text(&schema["description"]));
            let kind = kind(schema);
            let _ = writeln!(out, "<tr><td><code>{field}</code><td>{kind}<td>{meaning}");
        }
        out.push_str("</table>\n");
    }
    out.push_str("</section>\n");
}

/// What kind of value a schema describes, in a few words.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        let name = escaped(name.rsplit('/').next().unwrap_or_default());
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| text(value).to_string()).collect();
        return values.join(", ");
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(kinds) = schema[choice].as_array() {
            let kinds: Vec<String> = kinds.iter().map(kind).collect();
            return kinds.join(" or ");
        }
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let one = |name: &Value| kind(&with_type(schema, name));
            kinds.iter().map(one).collect::<Vec<_>>().join(" or ")
        }
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) => escaped(name).to_string(),
        _ => "anything".to_owned(),
    }
}

fn with_type(schema: &Value, name: &Value) -> Value {
    let mut one = schema.clone();
    one["type"] = name.clone();
    one
}

fn entries(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}

/// A string of the document, escaped.
fn text(value: &Value) -> impl Display {
    escaped(value.as_str().unwrap_or_default())
}
